import type { Readable } from 'node:stream'
import { type ChangeContext, changeLake } from '../../change/change-lake.ts'
import type { Snapshot } from '../../domain/manifest.ts'
import type { Site } from '../../domain/site.ts'
import { createPageTypeMatcher } from '../../derive/page-types.ts'
import { PAGE_TYPES } from '../../domain/enums.ts'
import { newId } from '../../ids.ts'
import { type LogWriter, openLogWriter } from '../../lake/log-writer.ts'
import { BOT_NO_MAX } from '../../reference/bots.ts'
import { parsePageTypeRules } from '../../reference/page-types.ts'
import { openRejections, type Rejections, type ReportedRejection } from '../rejections.ts'
import type { AddressKind } from './address-kinds.ts'
import { type Checkpoints, openCheckpoints } from './checkpoints.ts'
import type { LogFormat } from './log-line.ts'
import type { Batch } from './batch.ts'
import { listLogWarnings } from './log-warnings.ts'
import type { LogReaderOptions } from './reader.ts'
import { readLog, toLogName } from './read-log.ts'
import { WorkerPool } from './worker-pool.ts'

export interface ImportLogsOptions {
  readonly site: Site
  /** Paths, `-` for standard input. */
  readonly files: readonly string[]
  readonly format: LogFormat | 'auto'
  /** An nginx `log_format` string; decides instead of `format`. */
  readonly logFormat?: string | undefined
  /** The field, column or variable that holds the client's address, where it isn't the usual one. */
  readonly addressField?: string | undefined
  /** Names of JSON and logfmt fields that aren't the usual ones. */
  readonly fields?: LogReaderOptions['fields']
  /** How many proxies in front of the server append to `X-Forwarded-For`; without it that header is not believed. */
  readonly trustedProxies?: number | undefined
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
interface LogCounts {
  lines: number
  bot_hits: number
  visits: number
  ignored: number
  already_imported: number
  rejected: number
}

/** The result as `--json` prints it (formats.md 3); `snapshot` is null when nothing was committed. */
export interface ImportLogsResult extends Readonly<LogCounts> {
  readonly site_id: string
  readonly files: readonly ({ readonly file: string } & Readonly<LogCounts>)[]
  readonly rejections: readonly ReportedRejection[]
  /** Why bots could not be verified, or not as well as they might be; which files may not have been counted right. */
  readonly warnings: readonly string[]
  readonly snapshot: Snapshot | null
}

/**
 * Imports access logs: one transaction a call, each line once, however often its file is imported. A line that can't be
 * read is rejected and listed; an unreadable file, a full disk or a signal fails the call, and nothing of it is kept.
 * Throws CommandError, and UsageError for options that don't fit a file. With `strict` and rejections the result has no
 * snapshot.
 */
export async function importLogs(context: ChangeContext, options: ImportLogsOptions): Promise<ImportLogsResult> {
  await using rejections = await openRejections(options.rejectsFile, options.files)
  const { catalog, lakeDir } = context
  const { site } = options
  return await changeLake(context, { ...options, group: 'logs', kind: 'import_logs' }, async (change) => {
    const pageTypeRules = parsePageTypeRules(JSON.stringify(site.pageTypeRules ?? []))
    const pageTypes = createPageTypeMatcher(pageTypeRules)
    const keepsRejected = options.rejectsFile !== undefined
    await using pool = new WorkerPool({ ranges: catalog.botRanges.list(), pageTypeRules, keepsRejected })
    const writer = await openLogWriter({
      staging: change.staging,
      lakeDir,
      liveFiles: change.files,
      counters: { path_no: catalog.sites.counter(site.id, 'path_no', 1) },
      toPageTypeNo: (path) => PAGE_TYPES.indexOf(pageTypes.find(path)) + 1,
    })
    try {
      const checkpoints = openCheckpoints(catalog, site.id)
      const step = new ImportStep(options, {
        pool,
        checkpoints,
        rejections,
        spillDir: change.staging.spillDir,
        writer,
      })
      for (const path of options.files) await step.readFile(path)
      const counters = await writer.finish()
      const result = { ...step.toResult(), warnings: listLogWarnings(context, step) }
      const isKept = !options.dryRun && !(options.strict && result.rejected > 0)
      if (!isKept) return result
      if (!checkpoints.hasChanged) return { ...result, snapshot: catalog.manifest.currentSnapshot(site.id) }
      const snapshot = await change.commit((committed) => {
        checkpoints.save()
        catalog.sites.setCounter(site.id, 'path_no', counters.path_no)
        catalog.imports.record({
          id: newId('imp', context.clock.now()),
          siteId: site.id,
          kind: 'import_logs',
          snapshot: committed,
          result,
        })
      })
      return { ...result, snapshot }
    } finally {
      await writer.close()
    }
  })
}

interface StepParts {
  readonly pool: WorkerPool
  readonly checkpoints: Checkpoints
  readonly writer: LogWriter
  readonly rejections: Rejections
  readonly spillDir: string
}

/** Carries logs to the lake, counting what happens to their lines. */
class ImportStep {
  readonly addressKinds: Record<AddressKind, number> = { public: 0, private: 0, masked: 0, none: 0 }
  readonly cutOffFiles: string[] = []
  readonly waitingFiles: string[] = []
  readonly likeKnownFiles: string[] = []
  readonly #metBots = new Uint8Array(BOT_NO_MAX + 1)
  readonly #files: { file: string; counts: LogCounts }[] = []
  readonly #options: ImportLogsOptions
  readonly #parts: StepParts

  constructor(options: ImportLogsOptions, parts: StepParts) {
    this.#options = options
    this.#parts = parts
  }

  get botNos(): ReadonlySet<number> {
    return new Set([...this.#metBots.keys()].filter((botNo) => this.#metBots[botNo] === 1))
  }

  async readFile(path: string): Promise<void> {
    const { format, logFormat, addressField, fields, trustedProxies, stdin, signal, onProgress } = this.#options
    const counts = { lines: 0, bot_hits: 0, visits: 0, ignored: 0, already_imported: 0, rejected: 0 }
    this.#files.push({ file: path, counts })
    const file = toLogName(path)
    const { alreadyImported, isCutOff, isWaiting, isLikeKnown } = await readLog({
      path,
      stdin,
      signal,
      log: { format, logFormat, addressField, fields, trustedProxies },
      pool: this.#parts.pool,
      checkpoints: this.#parts.checkpoints,
      spillDir: this.#parts.spillDir,
      onBatch: (batch, linesBefore) => this.#take(batch, { counts, file, linesBefore }),
      ...(onProgress ? { onProgress: (progress) => onProgress({ file, ...progress }) } : {}),
    })
    counts.already_imported += alreadyImported
    counts.lines += alreadyImported
    if (isCutOff) this.cutOffFiles.push(file)
    if (isWaiting) this.waitingFiles.push(file)
    if (isLikeKnown) this.likeKnownFiles.push(file)
  }

  toResult(): ImportLogsResult {
    const { site } = this.#options
    const sum = (key: keyof LogCounts): number => this.#files.reduce((total, { counts }) => total + counts[key], 0)
    return {
      site_id: site.id,
      files: this.#files.map(({ file, counts }) => ({ file, ...counts })),
      lines: sum('lines'),
      bot_hits: sum('bot_hits'),
      visits: sum('visits'),
      ignored: sum('ignored'),
      already_imported: sum('already_imported'),
      rejected: sum('rejected'),
      rejections: this.#parts.rejections.first,
      warnings: [],
      snapshot: null,
    }
  }

  async #take(
    batch: Batch,
    { counts, file, linesBefore }: { counts: LogCounts; file: string; linesBefore: number },
  ): Promise<void> {
    counts.lines += batch.lines
    counts.ignored += batch.ignored
    counts.rejected += batch.rejected
    counts.bot_hits += batch.hits.path.length
    counts.visits += batch.visits.path.length
    for (const botNo of batch.hits.bot) this.#metBots[botNo] = 1
    for (const kind of ['public', 'private', 'masked', 'none'] as const)
      this.addressKinds[kind] += batch.addressKinds[kind]
    for (const { line, reason, record } of batch.rejections) {
      await this.#parts.rejections.add({ file, line: linesBefore + line, reason, record })
    }
    await this.#parts.writer.write(batch)
  }
}
