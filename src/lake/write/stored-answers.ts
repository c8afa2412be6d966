import type { DuckDBConnection } from '@duckdb/node-api'
import { monthOf } from '../../domain/day.ts'
import type { LakeFile } from '../../domain/manifest.ts'
import { readFiles } from '../read/files-relation.ts'
import { day as dayValue, type Sql, sql, texts } from '../sql.ts'
import { readCells, runStatement } from '../statement.ts'
import { CITATIONS_SHAPE } from './answer-dictionaries.ts'

/** The records that a site has stored, and those staged by the change under way, to compare repeated ones with. */
export interface StoredAnswers {
  /** Adds files that were staged together, where they are now. */
  addStaged(files: readonly LakeFile[]): void
  /**
   * Makes a table `differing` with the places (`seq`) of those records of `repeated`, a table of `seq` and `id` over the
   * chunk, that say something else than what is stored under their id; gives them. A record without a sentiment doesn't
   * differ by one that was set later, and none from an answer whose words retention has blanked.
   */
  findDiffering(chunk: Sql, repeated: Sql): Promise<ReadonlySet<number>>
}

interface Part {
  readonly files: readonly LakeFile[]
  /** Days whose records are in the table `stored`. */
  readonly readDays: Set<string>
}

/**
 * Opens the comparison over a table `seen` of the connection, which has the id and the day of everything stored and staged.
 * What is stored is read when a record of its day comes again, and each day once: an import without duplicates reads
 * nothing, one of duplicates alone reads the lake once. Memory holds a hash for each record of the days read.
 */
export async function openStoredAnswers(
  connection: DuckDBConnection,
  lakeDir: string,
  liveFiles: readonly LakeFile[],
): Promise<StoredAnswers> {
  const parts: Part[] = [{ files: liveFiles, readDays: new Set() }]
  await runStatement(connection, sql`CREATE TABLE stored (id VARCHAR, sentiment_no INTEGER, content UBIGINT)`)
  return {
    addStaged: (files) => void parts.push({ files, readDays: new Set() }),
    async findDiffering(chunk, repeated) {
      const days = await readCells(
        connection,
        sql`SELECT DISTINCT strftime(day, '%Y-%m-%d') FROM seen SEMI JOIN ${repeated} USING (id)`,
      )
      for (const part of parts) await readDays(connection, lakeDir, part, days.map(String))
      await runStatement(connection, sql`CREATE OR REPLACE TABLE differing AS ${selectDiffering(chunk, repeated)}`)
      const rows = await readCells(connection, sql`SELECT seq FROM differing`)
      return new Set(rows.map(([seq]) => Number(seq)))
    },
  }
}

/** A month at a time: memory holds what links of a month sum up to. */
async function readDays(
  connection: DuckDBConnection,
  lakeDir: string,
  { files, readDays: known }: Part,
  days: readonly string[],
): Promise<void> {
  const wanted = days.filter((day) => !known.has(day)).sort()
  for (const day of wanted) known.add(day)
  for (const [month, daysOfMonth] of Map.groupBy(wanted, monthOf)) {
    const ofMonth = files.filter((file) => file.month === month)
    if (ofMonth.length > 0) await readDaysOfMonth(connection, lakeDir, ofMonth, daysOfMonth)
  }
}

async function readDaysOfMonth(
  connection: DuckDBConnection,
  lakeDir: string,
  files: readonly LakeFile[],
  days: readonly string[],
): Promise<void> {
  // With its bounds, by which row groups are passed over.
  const isWanted = sql`
    day BETWEEN ${dayValue(days[0] ?? '')} AND ${dayValue(days.at(-1) ?? '')}
    AND day IN (SELECT unnest(${texts(days)})::DATE)`
  await runStatement(
    connection,
    sql`
    INSERT INTO stored
    WITH
      links AS (
        SELECT answer_no, ${SUM_OF_LINKS} AS links
        FROM ${readFiles(lakeDir, 'citations', files)}
        WHERE ${isWanted}
        GROUP BY answer_no
      )
    SELECT id, sentiment_no, CASE WHEN text <> '' THEN ${toContent(sql`links`)} END
    FROM ${readFiles(lakeDir, 'answers', files)} LEFT JOIN links USING (answer_no)
    WHERE ${isWanted}
    UNION ALL
    SELECT id, 0, ${toContent(sql`NULL`)}
    FROM (SELECT *, '' AS text, NULL AS provider, NULL AS model, NULL AS search_queries, NULL AS given_mentions, NULL AS consulted FROM ${readFiles(lakeDir, 'no_answers', files)})
    WHERE ${isWanted}`,
  )
}

function selectDiffering(chunk: Sql, repeated: Sql): Sql {
  const given = sql`(
    SELECT
      seq, chunk.id, DATE '1970-01-01' + day AS day, platform_no, prompt_no, asked_at_ms, market, text,
      CASE WHEN text <> '' THEN sentiment_no ELSE 0 END AS sentiment_no,
      CASE WHEN text <> '' THEN provider END AS provider,
      CASE WHEN text <> '' THEN model END AS model,
      CASE WHEN text <> '' THEN search_queries END AS search_queries,
      CASE WHEN text <> '' THEN given_mentions END AS given_mentions,
      CASE WHEN text <> '' THEN consulted END AS consulted
    FROM ${chunk} AS chunk SEMI JOIN ${repeated} USING (seq))`
  return sql`
    WITH
      links AS (
        SELECT seq, ${SUM_OF_LINKS} AS links
        FROM (
          SELECT seq, unnest(from_json(citations, ${CITATIONS_SHAPE}), recursive := true)
          FROM (SELECT seq, citations FROM ${chunk} SEMI JOIN ${repeated} USING (seq) WHERE citations IS NOT NULL)
        )
        GROUP BY seq
      ),
      given AS (
        SELECT seq, id, sentiment_no, ${toContent(sql`links`)} AS content
        FROM ${given} LEFT JOIN links USING (seq)
      )
    SELECT seq
    FROM given JOIN stored USING (id)
    WHERE given.content <> stored.content
      OR (given.sentiment_no > 0 AND given.sentiment_no <> stored.sentiment_no)`
}

/** Over the links of an answer in any order: a list in their order would have to be held in memory. */
const SUM_OF_LINKS = sql`sum(hash(position::INTEGER, url, title, given_domain)::HUGEINT)`

/** What the record itself said but for its sentiment; numbers in types of their own, for a hash goes by the type. */
function toContent(links: Sql): Sql {
  return sql`hash(
    day::DATE, platform_no::INTEGER, prompt_no::INTEGER, asked_at_ms::BIGINT, market::VARCHAR, text::VARCHAR,
    provider::VARCHAR, model::VARCHAR, search_queries::VARCHAR, given_mentions::VARCHAR, consulted::VARCHAR,
    coalesce(${links}::HUGEINT, 0::HUGEINT))`
}
