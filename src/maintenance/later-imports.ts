import type { RecordedChange } from '../domain/recorded-change.ts'
import type { UndoStep } from './undo-plan.ts'

export interface LaterImports {
  /** Of an import: that it left out something because of an earlier one. */
  readonly isMeant: (change: RecordedChange) => boolean
  /** What it did then, and with what, in words. */
  readonly did: string
  readonly what: string
}

/** Names the later imports: what they left out because this one had it isn't brought back by the undo. */
export function warnOfLater({ context, siteId, undone }: UndoStep, { isMeant, did, what }: LaterImports): string[] {
  const imports = context.catalog.recordedChanges.list({ siteId, isStanding: true })
  const later = imports
    .slice(
      0,
      imports.findIndex(({ id }) => id === undone.id),
    )
    .filter(isMeant)
    .map(({ id }) => id)
  if (later.length === 0) return []
  const named = later.slice(0, 5).join(', ') + (later.length > 5 ? ` and ${later.length - 5} more` : '')
  return [`Later imports ${did}: ${named}. If these ${what} are in them too, import their files again.`]
}
