WITH
  hosts AS MATERIALIZED (
    SELECT host_no, host, domain
    FROM (SELECT host_no::INTEGER AS host_no, host::VARCHAR AS host, domain::VARCHAR AS domain FROM read_parquet($1, hive_partitioning = false))
  ),
  owned AS (
    SELECT
      unnest($2) AS domain,
      unnest($3) AS owned_domain,
      unnest($4) AS owner_no
  ),
  host_owners AS (
    SELECT host_no, min(owner_no) AS owner_no
    FROM hosts JOIN owned USING (domain)
    WHERE host = owned_domain OR suffix(host, '.' || owned_domain)
    GROUP BY host_no
  ),
  site_hosts AS (
    SELECT *
    FROM (
      SELECT host_no, domain, coalesce(owner_no, 3) AS owner_no
      FROM hosts LEFT JOIN host_owners USING (host_no) 
    )
  ),
  in_range AS NOT MATERIALIZED (
    SELECT day, platform_no, prompt_no, answer_no, host_no, page_no, first_of_domain, first_of_page
    FROM (SELECT answer_no::BIGINT AS answer_no, day::DATE AS day, platform_no::SMALLINT AS platform_no, prompt_no::INTEGER AS prompt_no, position::INTEGER AS position, host_no::INTEGER AS host_no, page_no::INTEGER AS page_no, first_of_domain::BOOLEAN AS first_of_domain, first_of_page::BOOLEAN AS first_of_page, url::VARCHAR AS url, title::VARCHAR AS title, given_domain::VARCHAR AS given_domain FROM read_parquet($5, hive_partitioning = false)) 
    WHERE true
  ),
  cited AS NOT MATERIALIZED (
    SELECT * FROM in_range 
  ),
  counted AS (
    SELECT *, true_answers AS answers, true_citations AS citations
    FROM (
      SELECT
        domain,
        min(owner_no) AS owner_no,
        sum(host_answers::DOUBLE) AS true_answers,
        sum(host_citations::DOUBLE) AS true_citations
      FROM (
        SELECT host_no::USMALLINT AS host_no, count_if(first_of_domain) AS host_answers, count(*) AS host_citations
        FROM cited
        GROUP BY host_no::USMALLINT
      )
      JOIN site_hosts USING (host_no)
      GROUP BY domain
    )
  ),
  levels AS (
    SELECT true_answers, count(*) AS entities
    FROM counted
    GROUP BY true_answers
  ),
  ranks AS (
    SELECT
      true_answers,
      1 + coalesce(sum(entities) OVER (
         ORDER BY true_answers DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ), 0)::BIGINT AS rank
    FROM levels
  ),
  totals AS (
    SELECT sum(true_citations) AS all_citations
    FROM counted
    
  ),
  ranked AS NOT MATERIALIZED (
    SELECT counted.*, rank
    FROM counted JOIN ranks
      ON counted.true_answers = ranks.true_answers AND true
    WHERE citations > 0
  ),
  ties AS MATERIALIZED (
    SELECT rank, citations, count(*) AS tied
    FROM ranked
    GROUP BY rank, citations
  ),
  placed AS (
    SELECT
      *,
      sum(tied) OVER (ORDER BY rank, citations DESC ROWS UNBOUNDED PRECEDING) AS through,
      (SELECT sum(tied) FROM ties) AS total_results
    FROM ties
  ),
  chosen AS MATERIALIZED (
    SELECT *
    FROM placed
    WHERE through > $6 AND through - tied < $7 + $8
  ),
  shown AS (
    SELECT ranked.*, true_citations / all_citations AS citation_share, total_results
    FROM ranked JOIN chosen ON ranked.rank = chosen.rank AND ranked.citations = chosen.citations 
    JOIN totals ON true
  )
SELECT
  domain,
  $9[owner_no] AS owner,
  rank::DOUBLE AS rank,
  answers::DOUBLE AS answers,
  citations::DOUBLE AS citations,
  citation_share,
  total_results::DOUBLE AS total_results
FROM shown  
ORDER BY rank, citations DESC, domain
LIMIT $10 OFFSET ($11 - (SELECT min(through - tied) FROM chosen))::BIGINT
