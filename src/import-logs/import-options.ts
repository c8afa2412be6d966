import type { Readable } from 'node:stream'
import type { Snapshot } from '../domain/manifest.ts'
import type { Site } from '../domain/site.ts'
import type { ReportedRejection } from '../input/rejections.ts'
import type { LogFormat } from './formats.ts'
import type { LogReaderOptions } from './reader.ts'

export interface ImportLogsOptions {
  readonly site: Site
  /** Paths of files and directories, `-` for standard input. */
  readonly files: readonly string[]
  /** Globs that files of a directory must match, one of them. */
  readonly include?: readonly string[] | undefined
  readonly format: LogFormat | 'auto'
  /** An nginx `log_format` string; decides instead of `format`. */
  readonly logFormat?: string | undefined
  /** The field, column or variable that holds the client's address, where it isn't the usual one. */
  readonly addressField?: string | undefined
  /** Names of JSON and logfmt fields that aren't the usual ones. */
  readonly fields?: LogReaderOptions['fields']
  /** How many proxies in front of the server append to `X-Forwarded-For`; without it that header is not believed. */
  readonly trustedProxies?: number | undefined
  /** Hosts beside the site's domain whose lines count, with those under them; `any`: lines of all hosts. */
  readonly hosts?: readonly string[] | 'any' | undefined
  readonly dryRun: boolean
  /** Any rejection refuses the whole call. */
  readonly strict: boolean
  /** Where all rejections go as NDJSON. */
  readonly rejectsFile?: string | undefined
  readonly stdin?: Readable | undefined
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ImportLogsProgress) => void
  readonly onWait?: () => void
}

export interface ImportLogsProgress {
  readonly file: string
  readonly readBytes: number
  readonly totalBytes: number | undefined
  readonly lines: number
}

/** `lines` is the sum of the others. */
export interface LogCounts {
  lines: number
  bot_hits: number
  visits: number
  ignored: number
  already_imported: number
  rejected: number
}

export interface FileResult extends Readonly<LogCounts> {
  readonly file: string
  /** As `--format` names it, or `log-format`; null while there is too little yet to tell it. */
  readonly format: string | null
}

/** The result as `--json` prints it (contract/logs 10); `snapshot` is null when nothing was committed. */
export interface ImportLogsResult extends Readonly<LogCounts> {
  readonly site_id: string
  readonly files: readonly FileResult[]
  readonly rejections: readonly ReportedRejection[]
  /** Hosts that aren't the site's and whose lines were ignored, the most frequent ones. */
  readonly other_hosts: readonly { readonly host: string; readonly lines: number }[]
  /** Why bots could not be verified, or not as well as they might be; which files may not have been counted right. */
  readonly warnings: readonly string[]
  readonly snapshot: Snapshot | null
}
