import type { LogsUndo } from '../domain/recorded-change.ts'
import { CommandError } from '../errors.ts'
import { openChangeDatabase } from '../lake/instance.ts'
import { removeLogRows } from '../lake/maintain/log-removal.ts'
import { integer, sql } from '../lake/sql.ts'
import { toDays, type UndoPlan, type UndoStep } from './undo-plan.ts'

/**
 * Takes the hits and visits of an import out, and puts checkpoints and known files back, so that its lines are counted again
 * when their file comes again. A later import that went on from it stands in the way: without this one, its log would have
 * a gap that no checkpoint can tell (contract/logs 8).
 */
export async function planLogsUndo(
  { context, change, siteId, undone, dryRun, signal }: UndoStep,
  { importNo, months }: LogsUndo,
): Promise<UndoPlan> {
  const { catalog, lakeDir } = context
  const following = catalog.recordedChanges
    .listUndos(siteId, 'import_logs')
    .filter(({ undo }) => (undo as LogsUndo).continues.includes(importNo))
  if (following.length > 0) throw new CommandError(toFollowedText(undone.id, following))
  using database = await openChangeDatabase(change.staging.spillDir)
  const ofImport = sql`import_no = ${integer(importNo)}`
  const { removed, replaced } = await removeLogRows(await database.connect(), {
    staging: change.staging,
    lakeDir,
    files: change.files,
    where: { bot_hits: ofImport, visits: ofImport },
    days: toDays(months),
    isDryRun: dryRun,
    ...(signal ? { signal } : {}),
  })
  return {
    counts: removed,
    replaced: replaced.map(({ fileId }) => fileId),
    warnings: [],
    decide({ dryRun: isCounting }) {
      if (!isCounting) catalog.imports.undoLogImport(siteId, importNo)
      return { prompts_removed: 0, competitors_removed: 0 }
    },
  }
}

function toFollowedText(id: string, following: readonly { readonly id: string }[]): string {
  const [newest] = following
  const others = following.length > 1 ? ` and ${following.length - 1} more` : ''
  return `The import ${newest?.id}${others} went on in a log where the import ${id} had stopped. Take back what came later first: \`answerlake import undo ${newest?.id}\`. Nothing was changed.`
}
