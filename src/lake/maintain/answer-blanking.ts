import type { DuckDBConnection } from '@duckdb/node-api'
import type { Dataset, LakeFile } from '../../domain/manifest.ts'
import { readFiles } from '../read/files-relation.ts'
import { day, join, type Sql, sql } from '../sql.ts'
import { readCells } from '../statement.ts'
import { blamingDamage, ensureSound } from './ensure-sound.ts'
import { listWithin, type RemovalOptions } from './row-removal.ts'

/** What a record said in its own words, and what stands in its place: no text of an answer is empty, and no link's URL. */
const BLANKS: Readonly<
  Partial<Record<Dataset, { readonly isRaw: Sql; readonly columns: Readonly<Record<string, Sql>> }>>
> = {
  answers: {
    isRaw: sql`text <> ''`,
    columns: {
      text: sql`''`,
      search_queries: sql`NULL`,
      given_mentions: sql`if(given_mentions IS NULL, NULL, '[]')`,
      consulted: sql`NULL`,
    },
  },
  citations: { isRaw: sql`url <> ''`, columns: { url: sql`''`, title: sql`''`, given_domain: sql`NULL` } },
}

export interface Blanking {
  /** Answers and citations that lose their words. */
  readonly blanked: Readonly<Record<'answers' | 'citations', number>>
  /** Files that were staged anew, for the commit to remove. */
  readonly replaced: readonly LakeFile[]
}

/**
 * Takes the words out of a site's answers and citations of the days: texts, links, titles, and what the payload said
 * beside them. What was derived from them stays: mentions, numbers of hosts and pages, flags. Each file on its own, in its
 * order. Throws DamagedFileError.
 */
export async function blankAnswers(connection: DuckDBConnection, options: RemovalOptions): Promise<Blanking> {
  const { lakeDir, staging, days: { from = '0001-01-01', to = '9999-12-31' } = {}, isDryRun = false, signal } = options
  const blanked = { answers: 0, citations: 0 }
  const replaced: LakeFile[] = []
  for (const file of listWithin(options)) {
    const { dataset } = file
    const blanks = BLANKS[dataset]
    if (blanks === undefined || (dataset !== 'answers' && dataset !== 'citations')) continue
    signal?.throwIfAborted()
    const relation = readFiles(lakeDir, dataset, [file])
    const where = sql`day BETWEEN ${day(from)} AND ${day(to)} AND ${blanks.isRaw}`
    const [[found] = []] = await blamingDamage(lakeDir, [file], () =>
      readCells(connection, sql`SELECT count(*)::DOUBLE FROM ${relation} WHERE ${where}`),
    )
    const rows = Number(found)
    blanked[dataset] += rows
    if (rows === 0 || isDryRun) continue
    await ensureSound(lakeDir, file, signal)
    const columns = Object.entries(blanks.columns).map(([name, blank]) => {
      const column = sql.identifier(name)
      return sql`CASE WHEN ${where} THEN ${blank} ELSE ${column} END AS ${column}`
    })
    const select = sql`SELECT * REPLACE (${join(columns, sql`, `)}) FROM ${relation}`
    await staging.write(connection, dataset, file.month, select)
    replaced.push(file)
  }
  return { blanked, replaced }
}
