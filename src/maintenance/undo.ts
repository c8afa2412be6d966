import type { Catalog } from '../catalog/catalog.ts'
import { type ChangeContext, changeLake } from '../change/change-lake.ts'
import type { DatasetGroup } from '../change/dataset-groups.ts'
import type { Snapshot } from '../domain/manifest.ts'
import {
  type AnswersUndo,
  IMPORT_KINDS,
  type ImportKind,
  type LogsUndo,
  type RecordedChange,
  type SentimentUndo,
} from '../domain/recorded-change.ts'
import { CommandError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { UndoCounts, UndoneDecided, UndoPlan, UndoStep } from './undo-plan.ts'
import { planAnswersUndo } from './undo-answers.ts'
import { planLogsUndo } from './undo-logs.ts'
import { planSentimentUndo } from './undo-sentiment.ts'

export interface UndoOptions {
  /** Of the import. */
  readonly id: string
  /** Counts, and changes nothing. */
  readonly dryRun: boolean
  readonly signal?: AbortSignal
  readonly onWait?: () => void
}

/** The result as `--json` prints it (contract/imports 3.4); `snapshot` is null for a dry run. */
export interface UndoResult extends UndoCounts, UndoneDecided {
  readonly import_id: string
  readonly kind: ImportKind
  readonly site_id: string
  readonly warnings: readonly string[]
  readonly snapshot: Snapshot | null
}

const GROUPS: Readonly<Record<ImportKind, DatasetGroup>> = {
  import_answers: 'answers',
  import_logs: 'logs',
  import_sentiment: 'answers',
}

/**
 * Takes one import back, in one change: afterwards the lake is as if it had never been made, but for the numbers of hosts,
 * pages and paths, and importing the same files again counts them again (contract/imports 3.4). Throws CommandError for one
 * that is unknown, taken back already, too old, or that another import went on from.
 */
export async function undoImport(context: ChangeContext, options: UndoOptions): Promise<UndoResult> {
  const { catalog, clock } = context
  const { id, dryRun, signal } = options
  const { siteId, kind } = findImport(catalog, id)
  const change = { ...options, site: { id: siteId }, group: GROUPS[kind], kind: 'undo' as const }
  return changeLake(context, change, async (begun) => {
    // Another undo may have been waited for.
    const undone = findImport(catalog, id)
    const step = { context, change: begun, siteId, undone, dryRun, ...(signal ? { signal } : {}) }
    const plan = await toPlan(step, kind)
    const toResult = (decided: UndoneDecided): UndoResult => ({
      import_id: id,
      kind,
      site_id: siteId,
      ...NO_COUNTS,
      ...plan.counts,
      ...decided,
      warnings: plan.warnings,
      snapshot: null,
    })
    if (dryRun) return toResult(catalog.read(() => plan.decide({ dryRun })))
    let result = toResult({ prompts_removed: 0, competitors_removed: 0 })
    const snapshot = await begun.commit((committed) => {
      const undoId = newId('chg', clock.now())
      result = toResult(plan.decide({ dryRun }))
      catalog.recordedChanges.markUndone(id, undoId)
      catalog.recordedChanges.record({ id: undoId, siteId, kind: 'undo', snapshot: committed, result, undo: plan.note })
    }, plan.replaced)
    return { ...result, snapshot }
  })
}

const NO_COUNTS: UndoCounts = {
  answers: 0,
  no_answers: 0,
  mentions: 0,
  citations: 0,
  judgements: 0,
  bot_hits: 0,
  visits: 0,
}

function toPlan(step: UndoStep, kind: ImportKind): Promise<UndoPlan> {
  const undo = step.context.catalog.recordedChanges.findUndo(step.undone.id)
  if (undo === null) throw new CommandError(toLostText(step.undone))
  if (kind === 'import_answers') return planAnswersUndo(step, undo as AnswersUndo)
  if (kind === 'import_logs') return planLogsUndo(step, undo as LogsUndo)
  return planSentimentUndo(step, undo as SentimentUndo)
}

/** An import that stands. */
function findImport(
  catalog: Catalog,
  id: string,
): RecordedChange & { readonly siteId: string; readonly kind: ImportKind } {
  const found = catalog.recordedChanges.find(id)
  if (!found) throw new CommandError(`There is no import ${id}. \`answerlake import list\` shows those that there are.`)
  const kind = IMPORT_KINDS.find((one) => one === found.kind)
  if (kind === undefined || found.siteId === null) {
    throw new CommandError(
      `${id} is no import. Imports alone can be taken back; \`answerlake import list\` shows them.`,
    )
  }
  if (found.undoneBy !== null) throw new CommandError(`The import ${id} was taken back already, by ${found.undoneBy}.`)
  return { ...found, siteId: found.siteId, kind }
}

function toLostText({ id, kind, actor, result }: RecordedChange): string {
  const { replaced = 0 } = result as { readonly replaced?: number }
  if (replaced > 0) {
    return `The import ${id} can't be taken back: it replaced stored answers, and what stood there before is gone. Import the former records with --replace. Nothing was changed.`
  }
  if (actor === null || kind !== 'import_logs') {
    return `The import ${id} can't be taken back: an older version made it, which didn't note what is its own. Nothing was changed.`
  }
  return `The import ${id} can't be taken back any more: it was made longer ago than undo_window says, and what its undo needs is gone. \`answerlake logs delete\` removes hits and visits by their days. Nothing was changed.`
}
