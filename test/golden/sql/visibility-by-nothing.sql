WITH
  brands AS (
    SELECT
      unnest($1) AS brand_no,
      unnest($2) AS brand_name,
      unnest($3) AS ranked,
      unnest($4) AS asked
  ),
  brand_domains AS (
    SELECT
      unnest($5) AS brand_no,
      unnest($6) AS brand_domain,
      unnest($7) AS domain
  ),
  brand_hosts AS (
    SELECT DISTINCT host_no, brand_no
    FROM (SELECT host_no::INTEGER AS host_no, host::VARCHAR AS host, domain::VARCHAR AS domain FROM read_parquet($8, hive_partitioning = false)) JOIN brand_domains USING (domain)
    WHERE host = brand_domain OR suffix(host, '.' || brand_domain)
  ),
  groups AS (
    SELECT count(*)::DOUBLE AS answers, coalesce(bit_count(bitstring_agg(prompt_no, 0, $9)), 0)::DOUBLE AS prompts
    FROM (SELECT answer_no::BIGINT AS answer_no, id::VARCHAR AS id, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, asked_at_ms::BIGINT AS asked_at_ms, market::VARCHAR AS market, text::VARCHAR AS text, sentiment_no::SMALLINT AS sentiment_no, provider::VARCHAR AS provider, model::VARCHAR AS model, search_queries::VARCHAR AS search_queries, given_mentions::VARCHAR AS given_mentions, consulted::VARCHAR AS consulted FROM read_parquet($10, hive_partitioning = false)) 
    WHERE true
    
  ),
  named AS (
    SELECT
      brand_no,
      count(*)::DOUBLE AS named,
      sum(position)::DOUBLE AS positions,
      coalesce(bit_count(bitstring_agg(prompt_no, 0, $11)), 0)::DOUBLE AS covered
    FROM (SELECT answer_no::BIGINT AS answer_no, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, brand_no::INTEGER AS brand_no, position::INTEGER AS position FROM read_parquet($12, hive_partitioning = false)) 
    WHERE true AND brand_no BETWEEN $13 AND $14
    GROUP BY brand_no
  ),
  cited_answers AS (
    SELECT DISTINCT answer_no, brand_no
    FROM (SELECT answer_no::BIGINT AS answer_no, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, position::INTEGER AS position, host_no::INTEGER AS host_no, page_no::INTEGER AS page_no, first_of_domain::BOOLEAN AS first_of_domain, first_of_page::BOOLEAN AS first_of_page, url::VARCHAR AS url, title::VARCHAR AS title, given_domain::VARCHAR AS given_domain FROM read_parquet($15, hive_partitioning = false)) JOIN brand_hosts USING (host_no) 
    WHERE true
  ),
  cited AS (
    SELECT brand_no, count(*)::DOUBLE AS cited
    FROM cited_answers
    GROUP BY brand_no
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
    LEFT JOIN named ON named.brand_no = brands.brand_no AND true
    LEFT JOIN cited ON cited.brand_no = brands.brand_no AND true
  ),
  heard AS (
    SELECT sum(named) AS ranked_voices
    FROM named JOIN brands USING (brand_no)
    WHERE ranked
    
  ),
  scored AS (
    SELECT
      measured.*,
      45 * mention_rate + 35 * citation_rate + 20 * prompt_coverage AS visibility_score,
      (SELECT count_if(ranked) FROM brands) AS ranked_brands,
      coalesce(ranked_voices, 0) + CASE WHEN ranked THEN 0 ELSE named END AS voices
    FROM measured LEFT JOIN heard ON true
  ),
  placed AS MATERIALIZED (
    SELECT *
    FROM (
      SELECT
        *,
        CASE WHEN voices = 0 THEN 0 ELSE named / voices END AS share_of_voice,
        round(visibility_score, 9) AS compared_score,
        CASE WHEN ranked THEN rank() OVER (PARTITION BY ranked ORDER BY round(visibility_score, 9) DESC) END AS rank
      FROM scored
    )
    WHERE asked
  )
SELECT
  visibility_score, mention_rate, citation_rate, prompt_coverage, average_position, share_of_voice, answers,
  brand_name,
  brand_no = 0 AS owned,
  rank,
  (SELECT count(*) FROM placed WHERE asked) AS total_results
FROM placed

WHERE asked
ORDER BY rank ASC NULLS LAST, brand_name
LIMIT $16 OFFSET $17
