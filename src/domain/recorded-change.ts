import type { Snapshot } from './manifest.ts'

/** Imports: what brings data, and can be taken back. */
export const IMPORT_KINDS = ['import_answers', 'import_logs', 'import_sentiment'] as const

/** What operators, and the retention that they set, do to data; `import list --all` shows each. */
export const RECORDED_KINDS = [
  ...IMPORT_KINDS,
  'undo',
  'delete_answers',
  'delete_logs',
  'retention',
  'delete_site',
  'delete_organization',
] as const
export type RecordedKind = (typeof RECORDED_KINDS)[number]

/** One change of data as it was done; `result` is what it printed. */
export interface RecordedChange {
  /** `imp_…` of an import, `chg_…` of anything else. */
  readonly id: string
  /** Also of a site that is gone; null for what is of none, an organization. */
  readonly siteId: string | null
  readonly kind: RecordedKind
  /** Null where the site is gone with its snapshots. */
  readonly snapshot: Snapshot | null
  /** The system's user, and who became that user by sudo; null for what was done before it was noted. */
  readonly actor: string | null
  readonly result: unknown
  /** The change that took this import back. */
  readonly undoneBy: string | null
  readonly createdAt: string
}
