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
  asked AS (
    SELECT prompt_no, platform_no, day BETWEEN $9 AND $10 AS is_current, DATE '1970-01-05' AS week, count(*)::DOUBLE AS answers
    FROM (SELECT answer_no::BIGINT AS answer_no, id::VARCHAR AS id, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, asked_at_ms::BIGINT AS asked_at_ms, market::VARCHAR AS market, text::VARCHAR AS text, sentiment_no::SMALLINT AS sentiment_no, provider::VARCHAR AS provider, model::VARCHAR AS model, search_queries::VARCHAR AS search_queries, given_mentions::VARCHAR AS given_mentions, consulted::VARCHAR AS consulted FROM read_parquet($11, hive_partitioning = false)) 
    WHERE (day BETWEEN $12 AND $13 OR day BETWEEN $14 AND $15)
    GROUP BY ALL
  ),
  named AS (
    SELECT prompt_no, platform_no, day BETWEEN $16 AND $17 AS is_current, DATE '1970-01-05' AS week, brand_no, count(*)::DOUBLE AS named
    FROM (SELECT answer_no::BIGINT AS answer_no, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, brand_no::INTEGER AS brand_no, position::INTEGER AS position FROM read_parquet($18, hive_partitioning = false)) JOIN brands USING (brand_no) 
    WHERE (day BETWEEN $19 AND $20 OR day BETWEEN $21 AND $22)
    GROUP BY ALL
  ),
  cited AS (
    SELECT prompt_no, platform_no, is_current, week, brand_no, count(*)::DOUBLE AS cited
    FROM (
      SELECT DISTINCT prompt_no, platform_no, day BETWEEN $23 AND $24 AS is_current, DATE '1970-01-05' AS week, answer_no, brand_no
      FROM (SELECT answer_no::BIGINT AS answer_no, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, position::INTEGER AS position, host_no::INTEGER AS host_no, page_no::INTEGER AS page_no, first_of_domain::BOOLEAN AS first_of_domain, first_of_page::BOOLEAN AS first_of_page, url::VARCHAR AS url, title::VARCHAR AS title, given_domain::VARCHAR AS given_domain FROM read_parquet($25, hive_partitioning = false)) JOIN brand_hosts USING (host_no) 
      WHERE (day BETWEEN $26 AND $27 OR day BETWEEN $28 AND $29)
    )
    GROUP BY ALL
  ),
  counted AS (
    SELECT
      prompt_no, platform_no, brand_no, is_current, answers, coalesce(cited, 0) AS cited,
      answers AS n,
      coalesce(named, 0) AS s
    FROM asked CROSS JOIN (SELECT brand_no, ranked FROM brands WHERE asked) AS shown
    LEFT JOIN named USING (prompt_no, platform_no, is_current, week, brand_no)
    LEFT JOIN cited USING (prompt_no, platform_no, is_current, week, brand_no)
    
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
  answered AS MATERIALIZED (
    SELECT DISTINCT platform_no, day BETWEEN $1 AND $2 AS is_current, day, nullif(model, '') AS model
    FROM (SELECT answer_no::BIGINT AS answer_no, id::VARCHAR AS id, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, asked_at_ms::BIGINT AS asked_at_ms, market::VARCHAR AS market, text::VARCHAR AS text, sentiment_no::SMALLINT AS sentiment_no, provider::VARCHAR AS provider, model::VARCHAR AS model, search_queries::VARCHAR AS search_queries, given_mentions::VARCHAR AS given_mentions, consulted::VARCHAR AS consulted FROM read_parquet($3, hive_partitioning = false)) 
    WHERE (day BETWEEN $4 AND $5 OR day BETWEEN $6 AND $7)
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
