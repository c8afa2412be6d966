import type { Snapshot } from './manifest.ts'

/** Imports: what brings data, and can be taken back. */
export const IMPORT_KINDS = ['import_answers', 'import_logs', 'import_sentiment'] as const

export type ImportKind = (typeof IMPORT_KINDS)[number]

/** What operators, and the retention that they set, do to data; `import list --all` shows each. */
export const RECORDED_KINDS = [
  ...IMPORT_KINDS,
  'undo',
  'delete_answers',
  'delete_logs',
  'retention',
  'delete_site',
  'delete_organization',
  'import_organization',
] as const
export type RecordedKind = (typeof RECORDED_KINDS)[number]

/** What an import of answers notes for its undo. Answers and no_answers are numbered together, by one import at a time. */
export interface AnswersUndo {
  readonly firstAnswerNo: number
  /** The first number that is no longer the import's. */
  readonly nextAnswerNo: number
  /** The rest is missing where an older version imported. False there too: its no_answers have no numbers. */
  readonly hasNumberedNoAnswers?: boolean
  readonly months?: readonly string[]
  /** Prompts that the import made. */
  readonly promptNos?: readonly number[]
  /** Competitors that the import made. */
  readonly brandNos?: readonly number[]
  /** What it added to the evidence of competitors that texts list; what answers list themselves stands in their rows. */
  readonly evidence?: readonly { readonly brandNo: number; readonly answers: number }[]
}

/** What the undo of an import of answers notes: the prompts that the import made go with the last import that has answers of them. */
export interface PromptsUndo {
  readonly promptNos: readonly number[]
}

/** What an import of logs notes for its undo. */
export interface LogsUndo {
  /** Of its rows, its checkpoints and its files. */
  readonly importNo: number
  /** Numbers of the imports that it went on from: they can't be taken back while it stands. */
  readonly continues: readonly number[]
  readonly months: readonly string[]
}

/** What a sentiment import notes for its undo: the number of its rows in `judgements`. */
export interface SentimentUndo {
  readonly importNo: number
  readonly months: readonly string[]
}

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
