import type { Dataset, LakeFile, PartitionMonth, Snapshot } from '../domain/manifest.ts'

export interface RepairOptions {
  /** Files to be given up, as `lake verify` names them, or as paths; of one site, all of answers or all of logs. */
  readonly files: readonly string[]
  /** Keeps answers whose sources are lost, as answers without sources. */
  readonly keepsAnswers: boolean
  /** Says what would be lost and changes nothing. */
  readonly isDryRun: boolean
  readonly signal?: AbortSignal
  readonly onWait?: () => void
}

/** What one group's repair does; it is told the files among the site's live ones. */
export interface GroupRepair {
  readonly site: { readonly id: string }
  readonly isDropped: (file: LakeFile) => boolean
  readonly options: RepairOptions
}

/** What became of it. */
export interface GroupOutcome {
  /** Rows that went with the files, since they would be wrong alone. */
  readonly lost: readonly { readonly dataset: Dataset; readonly month: PartitionMonth; readonly rows: number }[]
  /** What was derived again from what is left. */
  readonly rebuilt: readonly { readonly dataset: Dataset; readonly month: PartitionMonth }[]
  /** Null when nothing was changed: a dry run, or files that only older snapshots had. */
  readonly snapshot: Snapshot | null
}
