WITH
  prompts AS (
    SELECT
      unnest($1) AS prompt_no,
      unnest($2) AS prompt_id,
      unnest($3) AS prompt_text,
      unnest($4) AS category
  ),
  platforms AS (
    SELECT
      unnest($5) AS platform_no,
      unnest($6) AS platform
  ),
  own_mentions AS (
    SELECT answer_no
    FROM (SELECT answer_no::BIGINT AS answer_no, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, brand_no::INTEGER AS brand_no, position::INTEGER AS position FROM read_parquet($7, hive_partitioning = false))
    WHERE brand_no = $8 AND true
  ),
  judged AS (
    SELECT *, own_mentions.answer_no IS NOT NULL AS is_mentioning
    FROM (SELECT answer_no::BIGINT AS answer_no, id::VARCHAR AS id, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, asked_at_ms::BIGINT AS asked_at_ms, market::VARCHAR AS market, text::VARCHAR AS text, sentiment_no::SMALLINT AS sentiment_no, provider::VARCHAR AS provider, model::VARCHAR AS model, search_queries::VARCHAR AS search_queries, given_mentions::VARCHAR AS given_mentions, consulted::VARCHAR AS consulted FROM read_parquet($9, hive_partitioning = false)) AS answers LEFT JOIN own_mentions USING (answer_no) 
    WHERE true
  ),
  counted AS MATERIALIZED (
    SELECT
      platform_no, count(*)::DOUBLE AS answers,
      count(*) FILTER (is_mentioning)::DOUBLE AS answers_mentioning,
      count(*) FILTER (is_mentioning AND sentiment_no = 1)::DOUBLE AS positives,
      count(*) FILTER (is_mentioning AND sentiment_no = 3)::DOUBLE AS negatives,
      count(*) FILTER (is_mentioning AND sentiment_no > 0)::DOUBLE AS judged_answers
    FROM judged
    GROUP BY platform_no
  )
SELECT
  platform, 
  CASE WHEN answers_mentioning = 0 THEN 0 ELSE positives / answers_mentioning END AS positive,
  CASE WHEN answers_mentioning = 0 THEN 0 ELSE (answers_mentioning - positives - negatives) / answers_mentioning END AS neutral,
  CASE WHEN answers_mentioning = 0 THEN 0 ELSE negatives / answers_mentioning END AS negative,
  answers_mentioning,
  answers,
  
  (SELECT count(*) FROM counted)::DOUBLE AS total_results
FROM counted LEFT JOIN platforms USING (platform_no)
ORDER BY answers_mentioning DESC, platform_no
LIMIT $10 OFFSET $11
