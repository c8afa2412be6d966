/**
 * Data sets of the lake. `hosts`, `pages` and `paths` are dictionaries: they give the small integers by which the other
 * data sets name a cited host, a cited page and a requested path.
 */
export const DATASETS = [
  'answers',
  'no_answers',
  'mentions',
  'citations',
  'hosts',
  'pages',
  'judgements',
  'bot_hits',
  'bot_rollup',
  'bot_page_types',
  'bot_months',
  'visits',
  'paths',
] as const
export type Dataset = (typeof DATASETS)[number]

/** Month of a partition, `YYYY-MM`; dictionaries aren't split by time and use `all`. */
export type PartitionMonth = string

/** A Parquet file of the lake as the manifest records it. Files are immutable; an id is never used twice. */
export interface LakeFile {
  readonly fileId: string
  readonly dataset: Dataset
  readonly siteId: string
  readonly month: PartitionMonth
  /** Relative to the lake's directory, with `/`. */
  readonly path: string
  readonly rows: number
  readonly bytes: number
  /** Of the whole file, lower-case hex. */
  readonly sha256: string
  /** First and last UTC day in the file, `YYYY-MM-DD`; null for dictionaries. */
  readonly minDay: string | null
  readonly maxDay: string | null
  /** Version of the data set's columns that the file was written with. */
  readonly schemaVersion: number
}

export const CHANGE_KINDS = [
  'import_answers',
  'import_logs',
  'import_sentiment',
  'compaction',
  'rederive',
  'repair',
  'replace_answers',
  'undo',
  'delete_answers',
  'delete_logs',
  'retention',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** What one commit does to the manifest: all of it or nothing becomes visible, as a new snapshot. */
export interface ManifestChange {
  readonly kind: ChangeKind
  readonly siteId: string
  readonly add: readonly LakeFile[]
  /** `fileId`s that the new snapshot no longer has. */
  readonly remove: readonly string[]
}

/** A state of the lake: every file with `added_in <= snapshot` and not `removed_in <= snapshot`. */
export type Snapshot = number
