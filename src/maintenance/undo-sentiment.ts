import type { SentimentUndo } from '../domain/recorded-change.ts'
import { openChangeDatabase } from '../lake/instance.ts'
import { undoJudgements } from '../lake/maintain/judgement-undo.ts'
import { warnOfLater } from './later-imports.ts'
import { toDays, type UndoPlan, type UndoStep } from './undo-plan.ts'

/** Gives answers the sentiment back that they had before an import changed it. */
export async function planSentimentUndo(step: UndoStep, { importNo, months }: SentimentUndo): Promise<UndoPlan> {
  const { context, change, dryRun, signal } = step
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
    warnings: warnOfLater(step, {
      isMeant: ({ kind, result }) => kind === 'import_sentiment' && (result as { unchanged: number }).unchanged > 0,
      did: 'found judgements as they were',
      what: 'judgements',
    }),
    decide: () => ({ prompts_removed: 0, competitors_removed: 0 }),
  }
}
