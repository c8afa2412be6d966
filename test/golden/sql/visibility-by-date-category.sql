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
    WHERE (NOT contains(lower(prompt_text), lower($7)))
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
  groups AS (
    SELECT day, category, count(*)::DOUBLE AS answers, coalesce(bit_count(bitstring_agg(prompt_no, 0, $16)), 0)::DOUBLE AS prompts
    FROM (SELECT answer_no::BIGINT AS answer_no, id::VARCHAR AS id, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, asked_at_ms::BIGINT AS asked_at_ms, market::VARCHAR AS market, text::VARCHAR AS text, sentiment_no::SMALLINT AS sentiment_no, provider::VARCHAR AS provider, model::VARCHAR AS model, search_queries::VARCHAR AS search_queries, given_mentions::VARCHAR AS given_mentions, consulted::VARCHAR AS consulted FROM read_parquet($17, hive_partitioning = false)) JOIN selected USING (prompt_no, platform_no)
    WHERE true
    GROUP BY day, category
  ),
  named AS (
    SELECT
      day, category, brand_no,
      count(*)::DOUBLE AS named,
      sum(position)::DOUBLE AS positions,
      coalesce(bit_count(bitstring_agg(prompt_no, 0, $18)), 0)::DOUBLE AS covered
    FROM (SELECT answer_no::BIGINT AS answer_no, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, brand_no::INTEGER AS brand_no, position::INTEGER AS position FROM read_parquet($19, hive_partitioning = false)) JOIN selected USING (prompt_no, platform_no)
    WHERE true AND brand_no BETWEEN $20 AND $21
    GROUP BY day, category, brand_no
  ),
  cited_answers AS (
    SELECT DISTINCT day, category, answer_no, brand_no
    FROM (SELECT answer_no::BIGINT AS answer_no, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, position::INTEGER AS position, host_no::INTEGER AS host_no, page_no::INTEGER AS page_no, first_of_domain::BOOLEAN AS first_of_domain, first_of_page::BOOLEAN AS first_of_page, url::VARCHAR AS url, title::VARCHAR AS title, given_domain::VARCHAR AS given_domain FROM read_parquet($22, hive_partitioning = false)) JOIN brand_hosts USING (host_no) JOIN selected USING (prompt_no, platform_no)
    WHERE true
  ),
  cited AS (
    SELECT day, category, brand_no, count(*)::DOUBLE AS cited
    FROM cited_answers
    GROUP BY day, category, brand_no
  ),
  measured AS (
    SELECT
      groups.*,
      brands.*,
      coalesce(named, 0) AS named,
      coalesce(cited, 0) AS cited,
      coalesce(covered, 0) AS covered,
      positions / named AS average_position,
      CASE WHEN answers = 0 THEN 0 ELSE coalesce(named, 0) / answers END AS mention_rate,
      CASE WHEN answers = 0 THEN 0 ELSE coalesce(cited, 0) / answers END AS citation_rate,
      CASE WHEN prompts = 0 THEN 0 ELSE coalesce(covered, 0) / prompts END AS prompt_coverage
    FROM groups CROSS JOIN brands
    LEFT JOIN named ON named.brand_no = brands.brand_no AND true AND named.day = groups.day AND named.category = groups.category
    LEFT JOIN cited ON cited.brand_no = brands.brand_no AND true AND cited.day = groups.day AND cited.category = groups.category
  ),
  heard AS (
    SELECT day, category, sum(named) AS ranked_voices
    FROM named JOIN brands USING (brand_no)
    WHERE ranked
    GROUP BY day, category
  ),
  scored AS (
    SELECT
      measured.*,
      45 * mention_rate + 35 * citation_rate + 20 * prompt_coverage AS visibility_score,
      (SELECT count_if(ranked) FROM brands) AS ranked_brands,
      coalesce(ranked_voices, 0) + CASE WHEN ranked THEN 0 ELSE named END AS voices
    FROM measured LEFT JOIN heard ON true AND measured.day = heard.day AND measured.category = heard.category
  ),
  placed AS MATERIALIZED (
    SELECT *
    FROM (
      SELECT
        *,
        CASE WHEN voices = 0 THEN 0 ELSE named / voices END AS share_of_voice,
        round(visibility_score, 9) AS compared_score,
        CASE WHEN ranked THEN rank() OVER (PARTITION BY day, category, ranked ORDER BY round(visibility_score, 9) DESC) END AS rank
      FROM scored
    )
    WHERE asked
  )
SELECT
  strftime(day, '%Y-%m-%d') AS date, category, visibility_score, answers,
  brand_name,
  brand_no = 0 AS owned,
  rank,
  (SELECT count(*) FROM placed WHERE asked) AS total_results
FROM placed

WHERE asked
ORDER BY compared_score ASC NULLS LAST, day, rank ASC NULLS LAST, brand_name, day, category
LIMIT $23 OFFSET $24
