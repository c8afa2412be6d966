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
    WHERE ((list_contains($7, platform)))
  ),
  hosts AS MATERIALIZED (
    SELECT host_no, host, domain
    FROM (SELECT host_no::INTEGER AS host_no, host::VARCHAR AS host, domain::VARCHAR AS domain FROM read_parquet($8, hive_partitioning = false))
  ),
  owned AS (
    SELECT
      unnest($9) AS domain,
      unnest($10) AS owned_domain,
      unnest($11) AS owner_no
  ),
  kinds AS (
    SELECT
      unnest($12) AS domain,
      unnest($13) AS kind
  ),
  hosting AS (
    SELECT
      unnest($14) AS suffix,
      unnest($15) AS hosted_kind
  ),
  host_owners AS (
    SELECT host_no, min(owner_no) AS owner_no
    FROM hosts JOIN owned USING (domain)
    WHERE host = owned_domain OR suffix(host, '.' || owned_domain)
    GROUP BY host_no
  ),
  site_hosts AS (
    SELECT *, (((contains(domain, $16)) OR NOT (owner = $17))) AS passes
    FROM (
      SELECT host_no, domain, coalesce(owner_no, 3) AS owner_no, $18[coalesce(owner_no, 3)] AS owner, coalesce(kind, hosted_kind, 'unknown') AS source_kind
      FROM hosts LEFT JOIN host_owners USING (host_no) LEFT JOIN kinds USING (domain) LEFT JOIN hosting ON suffix = substr(domain, strpos(domain, '.') + 1)
    )
  ),
  in_range AS NOT MATERIALIZED (
    SELECT day, platform_no, prompt_no, answer_no, host_no, page_no, first_of_domain, first_of_page
    FROM (SELECT answer_no::BIGINT AS answer_no, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, position::INTEGER AS position, host_no::INTEGER AS host_no, page_no::INTEGER AS page_no, first_of_domain::BOOLEAN AS first_of_domain, first_of_page::BOOLEAN AS first_of_page, url::VARCHAR AS url, title::VARCHAR AS title, given_domain::VARCHAR AS given_domain FROM read_parquet($19, hive_partitioning = false)) JOIN selected USING (prompt_no, platform_no)
    WHERE true AND page_no IS NOT NULL
  ),
  day_rows AS MATERIALIZED (
    SELECT day, count(*) AS entities FROM (SELECT DISTINCT day, prompt_no, page_no FROM in_range SEMI JOIN (SELECT host_no FROM site_hosts WHERE passes) AS kept USING (host_no)) GROUP BY day
  ),
  day_places AS (
    SELECT
      *,
      sum(entities) OVER (ORDER BY day ROWS UNBOUNDED PRECEDING) AS through,
      (SELECT sum(entities) FROM day_rows) AS total_results
    FROM day_rows
  ),
  chosen_days AS MATERIALIZED (
    SELECT *
    FROM day_places
    WHERE through > $20 AND through - entities < $21
  ),
  cited AS NOT MATERIALIZED (
    SELECT * FROM in_range SEMI JOIN chosen_days USING (day)
  ),
  counted AS (
    SELECT day, prompt_no, page_no, host_no, true_answers, true_citations, CASE WHEN passes THEN true_answers ELSE 0 END AS answers, CASE WHEN passes THEN true_citations ELSE 0 END AS citations
    FROM (
      SELECT day, prompt_no, page_no, host_no, count_if(first_of_page) AS true_answers, count(*) AS true_citations
      FROM cited
      GROUP BY day, prompt_no, page_no, host_no
    )
    JOIN (SELECT host_no, passes FROM site_hosts) USING (host_no)
  ),
  levels AS (
    SELECT day, prompt_no, true_answers, count(*) AS entities
    FROM counted
    GROUP BY day, prompt_no, true_answers
  ),
  ranks AS (
    SELECT
      day, prompt_no, true_answers,
      1 + coalesce(sum(entities) OVER (
        PARTITION BY day, prompt_no ORDER BY true_answers DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ), 0)::BIGINT AS rank
    FROM levels
  ),
  totals AS (
    SELECT day, prompt_no, sum(true_citations) AS all_citations
    FROM counted
    GROUP BY day, prompt_no
  ),
  ranked AS NOT MATERIALIZED (
    SELECT counted.*, rank
    FROM counted JOIN ranks
      ON counted.true_answers = ranks.true_answers AND true AND counted.day = ranks.day AND counted.prompt_no = ranks.prompt_no
    WHERE citations > 0
  ),
  ties AS MATERIALIZED (
    SELECT day, rank, citations, count(*) AS tied
    FROM ranked
    GROUP BY day, rank, citations
  ),
  placed AS (
    SELECT
      *,
      sum(tied) OVER (ORDER BY day, rank, citations DESC ROWS UNBOUNDED PRECEDING) AS through,
      (SELECT any_value(total_results) FROM chosen_days) AS total_results
    FROM ties
  ),
  chosen AS MATERIALIZED (
    SELECT *
    FROM placed
    WHERE through > ($22 - (SELECT min(through - entities) FROM chosen_days)) AND through - tied < ($23 - (SELECT min(through - entities) FROM chosen_days)) + $24
  ),
  shown AS (
    SELECT ranked.*, true_citations / all_citations AS citation_share, total_results
    FROM ranked JOIN chosen ON ranked.rank = chosen.rank AND ranked.citations = chosen.citations AND ranked.day = chosen.day
    JOIN totals ON true AND ranked.day = totals.day AND ranked.prompt_no = totals.prompt_no
  )
SELECT
  strftime(day, '%Y-%m-%d') AS date, prompt_id, prompt_text, page, domain,
  $25[owner_no] AS owner,
  rank::DOUBLE AS rank,
  answers::DOUBLE AS answers,
  citations::DOUBLE AS citations,
  citation_share,
  total_results::DOUBLE AS total_results
FROM shown 
LEFT JOIN (SELECT page_no, page FROM (SELECT page_no::INTEGER AS page_no, host_no::INTEGER AS host_no, page::VARCHAR AS page FROM read_parquet($26, hive_partitioning = false))) USING (page_no)
LEFT JOIN (SELECT host_no, domain, owner_no FROM site_hosts) USING (host_no) LEFT JOIN (SELECT prompt_no, prompt_id, prompt_text FROM prompts) USING (prompt_no)
ORDER BY day, rank, citations DESC, page, day, prompt_id
LIMIT $27 OFFSET (($28 - (SELECT min(through - entities) FROM chosen_days)) - (SELECT min(through - tied) FROM chosen))::BIGINT
