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
  selected AS (
    SELECT prompt_no, platform_no, category
    FROM prompts CROSS JOIN platforms
    WHERE (platform = $7)
  ),
  brands AS (
    SELECT
      unnest($8) AS brand_no,
      unnest($9) AS brand_name,
      unnest($10) AS ranked,
      unnest($11) AS asked
  ),
  brand_domains AS (
    SELECT
      unnest($12) AS brand_no,
      unnest($13) AS brand_domain,
      unnest($14) AS domain
  ),
  brand_hosts AS (
    SELECT DISTINCT host_no, brand_no
    FROM (SELECT host_no::INTEGER AS host_no, host::VARCHAR AS host, domain::VARCHAR AS domain FROM read_parquet($15, hive_partitioning = false)) JOIN brand_domains USING (domain)
    WHERE host = brand_domain OR suffix(host, '.' || brand_domain)
  ),
  asked AS (
    SELECT prompt_no, platform_no, day BETWEEN $16 AND $17 AS is_current, date_trunc('week', day) AS week, count(*)::DOUBLE AS answers
    FROM (SELECT answer_no::BIGINT AS answer_no, id::VARCHAR AS id, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, asked_at_ms::BIGINT AS asked_at_ms, market::VARCHAR AS market, text::VARCHAR AS text, sentiment_no::SMALLINT AS sentiment_no, provider::VARCHAR AS provider, model::VARCHAR AS model, search_queries::VARCHAR AS search_queries, given_mentions::VARCHAR AS given_mentions, consulted::VARCHAR AS consulted FROM read_parquet($18, hive_partitioning = false)) JOIN selected USING (prompt_no, platform_no)
    WHERE (day BETWEEN $19 AND $20 OR day BETWEEN $21 AND $22)
    GROUP BY ALL
  ),
  named AS (
    SELECT prompt_no, platform_no, day BETWEEN $23 AND $24 AS is_current, date_trunc('week', day) AS week, brand_no, count(*)::DOUBLE AS named
    FROM (SELECT answer_no::BIGINT AS answer_no, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, brand_no::INTEGER AS brand_no, position::INTEGER AS position FROM read_parquet($25, hive_partitioning = false)) JOIN brands USING (brand_no) JOIN selected USING (prompt_no, platform_no)
    WHERE (day BETWEEN $26 AND $27 OR day BETWEEN $28 AND $29)
    GROUP BY ALL
  ),
  heard AS (
    SELECT prompt_no, platform_no, is_current, week, sum(named) AS voices
    FROM named SEMI JOIN (SELECT brand_no FROM brands WHERE ranked) AS ranked_brands USING (brand_no)
    GROUP BY ALL
  ),
  counted AS (
    SELECT
      prompt_no, platform_no, brand_no, is_current, answers, 0 AS cited,
      coalesce(voices, 0) + CASE WHEN ranked THEN 0 ELSE coalesce(named, 0) END AS n,
      coalesce(named, 0) AS s
    FROM asked CROSS JOIN (SELECT brand_no, ranked FROM brands WHERE asked) AS shown
    LEFT JOIN named USING (prompt_no, platform_no, is_current, week, brand_no)
    
    LEFT JOIN heard USING (prompt_no, platform_no, is_current, week)
  )
SELECT
  prompt_no, platform_no, brand_no,
  coalesce(sum(answers) FILTER (NOT is_current), 0) AS previous_answers, coalesce(sum(cited) FILTER (NOT is_current), 0) AS previous_cited, coalesce(sum(n) FILTER (NOT is_current), 0) AS previous_n, coalesce(sum(s) FILTER (NOT is_current), 0) AS previous_s,
  count(*) FILTER (NOT is_current AND n > 0) AS previous_weeks, coalesce(sum(s * s) FILTER (NOT is_current), 0) AS previous_ss, coalesce(sum(s * n) FILTER (NOT is_current), 0) AS previous_sn, coalesce(sum(n * n) FILTER (NOT is_current), 0) AS previous_nn,
  coalesce(sum(answers) FILTER (is_current), 0) AS current_answers, coalesce(sum(cited) FILTER (is_current), 0) AS current_cited, coalesce(sum(n) FILTER (is_current), 0) AS current_n, coalesce(sum(s) FILTER (is_current), 0) AS current_s,
  count(*) FILTER (is_current AND n > 0) AS current_weeks, coalesce(sum(s * s) FILTER (is_current), 0) AS current_ss, coalesce(sum(s * n) FILTER (is_current), 0) AS current_sn, coalesce(sum(n * n) FILTER (is_current), 0) AS current_nn
FROM counted
GROUP BY prompt_no, platform_no, brand_no
ORDER BY prompt_no, platform_no, brand_no
LIMIT $30;
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
  selected AS (
    SELECT prompt_no, platform_no, category
    FROM prompts CROSS JOIN platforms
    WHERE (platform = $7)
  ),
  answered AS MATERIALIZED (
    SELECT DISTINCT platform_no, day BETWEEN $8 AND $9 AS is_current, day, nullif(model, '') AS model
    FROM (SELECT answer_no::BIGINT AS answer_no, id::VARCHAR AS id, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, asked_at_ms::BIGINT AS asked_at_ms, market::VARCHAR AS market, text::VARCHAR AS text, sentiment_no::SMALLINT AS sentiment_no, provider::VARCHAR AS provider, model::VARCHAR AS model, search_queries::VARCHAR AS search_queries, given_mentions::VARCHAR AS given_mentions, consulted::VARCHAR AS consulted FROM read_parquet($10, hive_partitioning = false)) JOIN selected USING (prompt_no, platform_no)
    WHERE (day BETWEEN $11 AND $12 OR day BETWEEN $13 AND $14)
  ),
  models AS (
    SELECT platform_no, model, bool_or(NOT is_current) AS in_previous, bool_or(is_current) AS in_current
    FROM answered
    WHERE model IS NOT NULL
    GROUP BY platform_no, model
  ),
  of_models AS (
    SELECT
      platform_no,
      bool_or(in_previous) AND bool_or(in_current) AND bool_or(in_previous <> in_current) AS changed,
      count(*) FILTER (in_previous) AS previous_count,
      count(*) FILTER (in_current) AS current_count,
      (list(model ORDER BY model) FILTER (in_previous))[1:5]::JSON::VARCHAR AS previous_models,
      (list(model ORDER BY model) FILTER (in_current))[1:5]::JSON::VARCHAR AS current_models
    FROM models
    GROUP BY platform_no
  ),
  of_days AS (
    SELECT platform_no, list_sort(list(DISTINCT strftime(day, '%Y-%m-%d')))::JSON::VARCHAR AS days
    FROM answered
    GROUP BY platform_no
  )
SELECT *
FROM of_days LEFT JOIN of_models USING (platform_no)
ORDER BY platform_no
