import type { Change, ChangeContext } from '../change/change-lake.ts'
import type { PromptsUndo, RecordedChange } from '../domain/recorded-change.ts'

/** Rows that go, and answers that get an earlier sentiment back. */
export interface UndoCounts {
  readonly answers: number
  readonly no_answers: number
  readonly mentions: number
  readonly citations: number
  readonly judgements: number
  readonly bot_hits: number
  readonly visits: number
}

/** What the import made beside its data, and nothing else uses. */
export interface UndoneDecided {
  readonly prompts_removed: number
  readonly competitors_removed: number
}

/** An undo that is staged, of one kind of imports. */
export interface UndoPlan {
  readonly counts: Partial<UndoCounts>
  /** `fileId`s of files that lose rows. */
  readonly replaced: readonly string[]
  readonly warnings: readonly string[]
  /** What the undo notes for those of other imports. */
  readonly note?: PromptsUndo
  /** What the commit writes to the catalog beside the manifest; with `dryRun` it only counts. */
  decide(options: { readonly dryRun: boolean }): UndoneDecided
}

/** What a plan is made of. */
export interface UndoStep {
  readonly context: ChangeContext
  readonly change: Change
  readonly siteId: string
  readonly undone: RecordedChange
  readonly dryRun: boolean
  readonly signal?: AbortSignal
}

/** Days of the months; every month has 31 where days are compared as texts. */
export function toDays(months: readonly string[] | undefined): { from?: string; to?: string } {
  const [first] = months ?? []
  const last = months?.at(-1)
  return first === undefined || last === undefined ? {} : { from: `${first}-01`, to: `${last}-31` }
}
