import type { DuckDBConnection } from '@duckdb/node-api'
import { type Sql, sql } from '../sql.ts'
import { readCells } from '../statement.ts'

/** What one engine was asked on the newest day of a site. */
export interface NewestScan {
  readonly day: string
  readonly platformNo: number
  readonly promptNos: readonly number[]
  readonly answers: number
  readonly noAnswers: number
}

/**
 * The newest day of `asked`, an entry an engine. `asked` is a relation, or a SELECT in brackets, of `day`, `platform_no`,
 * `prompt_no`, `is_answer` and `times`.
 */
export async function readNewestScan(connection: DuckDBConnection, asked: Sql): Promise<NewestScan[]> {
  const rows = await readCells(
    connection,
    sql`
    WITH questions AS (FROM ${asked})
    SELECT
      strftime(day, '%Y-%m-%d'),
      platform_no,
      to_json(list(DISTINCT prompt_no ORDER BY prompt_no))::VARCHAR,
      coalesce(sum(times) FILTER (is_answer), 0)::DOUBLE,
      coalesce(sum(times) FILTER (NOT is_answer), 0)::DOUBLE
    FROM questions
    WHERE day = (SELECT max(day) FROM questions)
    GROUP BY day, platform_no
    ORDER BY platform_no`,
  )
  return rows.map(([day, platformNo, promptNos, answers, noAnswers]) => ({
    day: String(day),
    platformNo: Number(platformNo),
    promptNos: JSON.parse(String(promptNos)) as number[],
    answers: Number(answers),
    noAnswers: Number(noAnswers),
  }))
}
