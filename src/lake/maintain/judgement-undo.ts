import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeFile } from '../../domain/manifest.ts'
import { readFiles } from '../read/files-relation.ts'
import { integer, type Sql, sql } from '../sql.ts'
import { readCells, runStatement } from '../statement.ts'
import { ensureSound } from './ensure-sound.ts'
import { listWithin, type RemovalOptions } from './row-removal.ts'

export interface JudgementUndo {
  /** Answers that get back the sentiment which they had before. */
  readonly judgements: number
  /** Files that were staged anew, for the commit to remove. */
  readonly replaced: readonly LakeFile[]
}

/**
 * Takes the judgements of one sentiment import back: an answer gets the sentiment it had before, unless a later import judged
 * it again; that one's judgement stays, and what was before it is then what was before this one. Throws DamagedFileError.
 */
export async function undoJudgements(
  connection: DuckDBConnection,
  options: RemovalOptions,
  importNo: number,
): Promise<JudgementUndo> {
  const { lakeDir, files, isDryRun = false } = options
  const judged = readFiles(lakeDir, 'judgements', files)
  const ofImport = sql`import_no = ${integer(importNo)}`
  await runStatement(
    connection,
    sql`CREATE TABLE undone AS SELECT answer_no, before_no FROM ${judged} WHERE ${ofImport}`,
  )
  await runStatement(
    connection,
    sql`
    CREATE TABLE following AS
    SELECT answer_no, min(import_no) AS import_no, any_value(undone.before_no) AS before_no
    FROM ${judged} AS later JOIN undone USING (answer_no)
    WHERE import_no > ${integer(importNo)}
    GROUP BY answer_no`,
  )
  await runStatement(
    connection,
    sql`CREATE TABLE restored AS SELECT answer_no, before_no FROM undone ANTI JOIN following USING (answer_no)`,
  )
  const replaced: LakeFile[] = []
  let judgements = 0
  for (const file of listWithin(options)) {
    const relation = readFiles(lakeDir, file.dataset, [file])
    if (file.dataset === 'answers') {
      const rows = await count(connection, sql`${relation} SEMI JOIN restored USING (answer_no)`)
      judgements += rows
      if (rows === 0 || isDryRun) continue
      const restored = sql`
        SELECT rows.* REPLACE (coalesce(before_no, sentiment_no) AS sentiment_no)
        FROM ${relation} AS rows LEFT JOIN restored USING (answer_no)`
      await rewrite(connection, options, file, restored)
      replaced.push(file)
    } else if (file.dataset === 'judgements') {
      const rows = await count(
        connection,
        sql`${relation} WHERE ${ofImport} OR (answer_no, import_no) IN (SELECT (answer_no, import_no) FROM following)`,
      )
      if (rows === 0 || isDryRun) continue
      const others = sql`
        SELECT rows.* REPLACE (coalesce(following.before_no, rows.before_no) AS before_no)
        FROM ${relation} AS rows LEFT JOIN following USING (answer_no, import_no)
        WHERE NOT ${ofImport}`
      await rewrite(connection, options, file, others)
      replaced.push(file)
    }
  }
  return { judgements, replaced }
}

async function rewrite(
  connection: DuckDBConnection,
  { staging, lakeDir, signal }: RemovalOptions,
  file: LakeFile,
  select: Sql,
): Promise<void> {
  await ensureSound(lakeDir, file, signal)
  await staging.write(connection, file.dataset, file.month, select)
}

async function count(connection: DuckDBConnection, from: Sql): Promise<number> {
  const [[rows] = []] = await readCells(connection, sql`SELECT count(*)::DOUBLE FROM ${from}`)
  return Number(rows)
}
