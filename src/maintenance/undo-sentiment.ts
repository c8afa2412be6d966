import type { SentimentUndo } from '../domain/recorded-change.ts'
import { openChangeDatabase } from '../lake/instance.ts'
import { undoJudgements } from '../lake/maintain/judgement-undo.ts'
import { toDays } from './undo-answers.ts'
import type { UndoPlan, UndoStep } from './undo.ts'

/** Gives answers the sentiment back that they had before an import changed it. */
export async function planSentimentUndo(
  { context, change, dryRun, signal }: UndoStep,
  { importNo, months }: SentimentUndo,
): Promise<UndoPlan> {
  using database = await openChangeDatabase(change.staging.spillDir)
  const options = {
    staging: change.staging,
    lakeDir: context.lakeDir,
    files: change.files,
    days: toDays(months.toSorted()),
    isDryRun: dryRun,
    ...(signal ? { signal } : {}),
  }
  const { judgements, replaced } = await undoJudgements(await database.connect(), options, importNo)
  return {
    counts: { judgements },
    replaced: replaced.map(({ fileId }) => fileId),
    warnings: [],
    decide: () => ({ prompts_removed: 0, competitors_removed: 0 }),
  }
}
