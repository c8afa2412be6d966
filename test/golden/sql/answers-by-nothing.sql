WITH
  matching AS NOT MATERIALIZED (
    SELECT answer_no, id, day, asked_at_ms, platform_no, prompt_no, sentiment_no
    FROM (SELECT answer_no::BIGINT AS answer_no, id::VARCHAR AS id, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, asked_at_ms::BIGINT AS asked_at_ms, market::VARCHAR AS market, text::VARCHAR AS text, sentiment_no::SMALLINT AS sentiment_no, provider::VARCHAR AS provider, model::VARCHAR AS model, search_queries::VARCHAR AS search_queries, given_mentions::VARCHAR AS given_mentions, consulted::VARCHAR AS consulted FROM read_parquet($1, hive_partitioning = false))
    WHERE day BETWEEN $2 AND $3 AND platform_no = ANY($4) AND prompt_no = ANY($5)
  ),
  page AS (
    SELECT *
    FROM matching
    ORDER BY day DESC, asked_at_ms DESC NULLS LAST, id
    LIMIT $6 OFFSET $7
  )
SELECT
  answer_no,
  id,
  strftime(day, '%Y-%m-%d') AS date,
  platform_no,
  prompt_no,
  sentiment_no,
  (SELECT count(*) FROM matching)::DOUBLE AS total_results
FROM page
ORDER BY day DESC, asked_at_ms DESC NULLS LAST, id;
WITH
  page AS (
    SELECT unnest(numbers)::BIGINT AS answer_no, generate_subscripts(numbers, 1) AS place
    FROM (SELECT string_split($1, ',') AS numbers)),
  page_recorded AS (
    SELECT answer_no, text
    FROM (SELECT answer_no::BIGINT AS answer_no, id::VARCHAR AS id, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, asked_at_ms::BIGINT AS asked_at_ms, market::VARCHAR AS market, text::VARCHAR AS text, sentiment_no::SMALLINT AS sentiment_no, provider::VARCHAR AS provider, model::VARCHAR AS model, search_queries::VARCHAR AS search_queries, given_mentions::VARCHAR AS given_mentions, consulted::VARCHAR AS consulted FROM read_parquet($2, hive_partitioning = false)) SEMI JOIN page USING (answer_no)
    WHERE day BETWEEN $3 AND $4
  ),
  brands AS (
    SELECT
      unnest($5) AS brand_no,
      unnest($6) AS brand_name
  ),
  page_mentions AS (
    SELECT
      answer_no,
      to_json(list_transform(list_sort(list({'position': position, 'name': brand_name})), lambda named: named.name))::VARCHAR AS mentions,
      min(position) FILTER (brand_no = $7) AS brand_position
    FROM (SELECT answer_no::BIGINT AS answer_no, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, brand_no::INTEGER AS brand_no, position::INTEGER AS position FROM read_parquet($8, hive_partitioning = false)) JOIN brands USING (brand_no) SEMI JOIN page USING (answer_no)
    WHERE day BETWEEN $9 AND $10
    GROUP BY answer_no
  ),
  page_citations AS (
    SELECT
      answer_no,
      to_json(list_transform(list_sort(list({
        'position': position,
        'cited': {
          'url': url,
          'domain': domain,
          'title': title,
          'position': position,
          'own_site': host = $11 OR suffix(host, '.' || $12)
        }
      })), lambda citation: citation.cited))::VARCHAR AS citations
    FROM (SELECT answer_no::BIGINT AS answer_no, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, position::INTEGER AS position, host_no::INTEGER AS host_no, page_no::INTEGER AS page_no, first_of_domain::BOOLEAN AS first_of_domain, first_of_page::BOOLEAN AS first_of_page, url::VARCHAR AS url, title::VARCHAR AS title, given_domain::VARCHAR AS given_domain FROM read_parquet($13, hive_partitioning = false)) JOIN (SELECT host_no::INTEGER AS host_no, host::VARCHAR AS host, domain::VARCHAR AS domain FROM read_parquet($14, hive_partitioning = false)) USING (host_no) SEMI JOIN page USING (answer_no)
    WHERE day BETWEEN $15 AND $16
    GROUP BY answer_no
  )
SELECT text, brand_position, mentions, citations
FROM page
LEFT JOIN page_recorded USING (answer_no)
LEFT JOIN page_mentions USING (answer_no)
LEFT JOIN page_citations USING (answer_no)
ORDER BY place
