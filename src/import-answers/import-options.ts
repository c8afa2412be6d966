import type { Readable } from 'node:stream'
import type { EngineId } from '../domain/enums.ts'
import type { Site } from '../domain/site.ts'
import type { AnswerFormat } from './adapters.ts'

export interface ImportAnswersOptions {
  readonly site: Site
  /** Paths, `-` for standard input. */
  readonly files: readonly string[]
  readonly format: AnswerFormat | 'auto'
  /** What payloads don't hold themselves (contract/imports 2.2). */
  readonly defaults: { readonly date?: string; readonly platform?: EngineId; readonly promptId?: string }
  readonly createPrompts: boolean
  /** Puts a record in the place of what is stored under its id, where they differ (contract/imports 3.3). */
  readonly replace?: boolean
  readonly dryRun: boolean
  /** Any rejection refuses the whole call. */
  readonly strict: boolean
  /** Where all rejections go as NDJSON. */
  readonly rejectsFile?: string
  /** Answers of different prompts that must list a name before it becomes an unconfirmed competitor. */
  readonly discoverMin: number
  readonly stdin?: Readable
  readonly signal?: AbortSignal
  onProgress?(progress: ImportProgress): void
  onWait?(): void
}

export interface ImportProgress {
  readonly file: string
  readonly readBytes: number
  readonly totalBytes: number | undefined
  readonly records: number
}
