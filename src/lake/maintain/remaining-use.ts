import type { DuckDBConnection } from '@duckdb/node-api'
import type { Dataset, LakeFile } from '../../domain/manifest.ts'
import { readFiles } from '../read/files-relation.ts'
import { integers, type Sql, sql } from '../sql.ts'
import { readCells } from '../statement.ts'

export interface UseOptions {
  readonly lakeDir: string
  /** The site's live files of the answers' group. */
  readonly files: readonly LakeFile[]
  /** True for rows that don't count, over `answer_no`. */
  readonly without: Sql
}

/** Those of the prompts that other answers or no_answers are of. */
export async function readUsedPrompts(
  connection: DuckDBConnection,
  options: UseOptions,
  promptNos: readonly number[],
): Promise<ReadonlySet<number>> {
  const answers = await readUsed(connection, options, { dataset: 'answers', column: 'prompt_no', numbers: promptNos })
  const noAnswers = await readUsed(connection, options, {
    dataset: 'no_answers',
    column: 'prompt_no',
    numbers: promptNos,
  })
  return new Set([...answers, ...noAnswers])
}

/** Those of the brands that other answers mention. */
export async function readMentionedBrands(
  connection: DuckDBConnection,
  options: UseOptions,
  brandNos: readonly number[],
): Promise<ReadonlySet<number>> {
  return new Set(await readUsed(connection, options, { dataset: 'mentions', column: 'brand_no', numbers: brandNos }))
}

async function readUsed(
  connection: DuckDBConnection,
  { lakeDir, files, without }: UseOptions,
  {
    dataset,
    column,
    numbers,
  }: { readonly dataset: Dataset; readonly column: string; readonly numbers: readonly number[] },
): Promise<number[]> {
  if (numbers.length === 0) return []
  const name = sql.identifier(column)
  const rows = await readCells(
    connection,
    sql`SELECT DISTINCT ${name} FROM ${readFiles(lakeDir, dataset, files)}
     WHERE list_contains(${integers(numbers)}, ${name}) AND (${without}) IS NOT TRUE`,
  )
  return rows.map(([number]) => Number(number))
}
