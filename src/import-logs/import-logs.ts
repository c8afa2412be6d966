import type { Readable } from 'node:stream'
import { type ChangeContext, changeLake } from '../change/change-lake.ts'
import type { Snapshot } from '../domain/manifest.ts'
import { type Site, toDomain } from '../domain/site.ts'
import { createPageTypeMatcher } from '../derive/page-types.ts'
import { PAGE_TYPES } from '../domain/enums.ts'
import { newId } from '../ids.ts'
import { type LogWriter, openLogWriter } from '../lake/write/log-writer.ts'
import { LOG_OTHER_HOSTS_LISTED_MAX, LOG_OTHER_HOSTS_MAX } from '../limits.ts'
import { BOT_NO_MAX } from '../reference/bots.ts'
import { parsePageTypeRules } from '../reference/page-types.ts'
import { ForeignContentError } from '../input/open.ts'
import { openRejections, type Rejections, type ReportedRejection } from '../input/rejections.ts'
import type { AddressKind } from './address-kinds.ts'
import { type Checkpoints, openCheckpoints } from './checkpoints.ts'
import { type KnownFiles, openKnownFiles } from './known-files.ts'
import { listFiles } from './list-files.ts'
import type { LogFormat } from './formats/log-line.ts'
import type { Batch } from './batch.ts'
import { listLogWarnings } from './log-warnings.ts'
import type { LogReaderOptions } from './reader.ts'
import { readLog, toLogName } from './read-log.ts'
import { WorkerPool } from './worker-pool.ts'

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
interface LogCounts {
  lines: number
  bot_hits: number
  visits: number
  ignored: number
  already_imported: number
  rejected: number
}

interface FileResult extends Readonly<LogCounts> {
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

/**
 * Imports access logs: one transaction a call, each line once, however often its file is imported. A line that can't be
 * read is rejected and listed; an unreadable file, a full disk or a signal fails the call, and nothing of it is kept.
 * Throws CommandError, and UsageError for options that don't fit a file. With `strict` and rejections the result has no
 * snapshot.
 */
export async function importLogs(context: ChangeContext, options: ImportLogsOptions): Promise<ImportLogsResult> {
  const files = await listFiles(options.files, options.include ?? [])
  await using rejections = await openRejections(options.rejectsFile, files)
  const { catalog, lakeDir } = context
  const { site } = options
  return await changeLake(context, { ...options, group: 'logs', kind: 'import_logs' }, async (change) => {
    const pageTypeRules = parsePageTypeRules(JSON.stringify(site.pageTypeRules ?? []))
    const pageTypes = createPageTypeMatcher(pageTypeRules)
    const keepsRejected = options.rejectsFile !== undefined
    const { hosts = [] } = options
    await using pool = new WorkerPool({
      ranges: catalog.botRanges.list(),
      pageTypeRules,
      hosts: hosts === 'any' ? undefined : [site.domain, ...hosts.map((host) => toDomain(host) ?? host)],
      keepsRejected,
    })
    const writer = await openLogWriter({
      staging: change.staging,
      lakeDir,
      liveFiles: change.files,
      counters: { path_no: catalog.sites.counter(site.id, 'path_no', 1) },
      toPageTypeNo: (path) => PAGE_TYPES.indexOf(pageTypes.find(path)) + 1,
    })
    try {
      const checkpoints = openCheckpoints(catalog, site.id)
      const knownFiles = openKnownFiles(catalog, site.id)
      const step = new ImportStep(options, {
        nowSeconds: context.clock.now() / 1_000,
        pool,
        checkpoints,
        knownFiles,
        isAlone: files.length === 1,
        rejections,
        spillDir: change.staging.spillDir,
        writer,
      })
      for (const path of files) await step.readFile(path)
      const counters = await writer.finish()
      const result = { ...step.toResult(), warnings: listLogWarnings(context, step) }
      const isKept = !options.dryRun && !(options.strict && result.rejected > 0)
      if (!isKept) return result
      if (!checkpoints.hasChanged) {
        catalog.transaction(() => knownFiles.save())
        return { ...result, snapshot: catalog.manifest.currentSnapshot(site.id) }
      }
      const snapshot = await change.commit((committed) => {
        checkpoints.save()
        knownFiles.save()
        catalog.sites.setCounter(site.id, 'path_no', counters.path_no)
        catalog.recordedChanges.record({
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

interface FileEntry {
  readonly file: string
  format: string | null
  readonly counts: LogCounts
}

interface StepParts {
  readonly nowSeconds: number
  readonly knownFiles: KnownFiles
  /** There is only one file, so what it holds can't be passed over. */
  readonly isAlone: boolean
  readonly pool: WorkerPool
  readonly checkpoints: Checkpoints
  readonly writer: LogWriter
  readonly rejections: Rejections
  readonly spillDir: string
}

const DAY_SECONDS = 86_400

/** Carries logs to the lake, counting what happens to their lines. */
class ImportStep {
  readonly addressKinds: Record<AddressKind, number> = { public: 0, private: 0, masked: 0, none: 0 }
  readonly cutOffFiles: string[] = []
  readonly waitingFiles: string[] = []
  readonly likeKnownFiles: string[] = []
  readonly #metBots = new Uint8Array(BOT_NO_MAX + 1)
  readonly #files: FileEntry[] = []
  readonly #otherHosts = new Map<string, number>()
  readonly future = { hits: 0, newestSeconds: 0 }
  readonly #options: ImportLogsOptions
  readonly #parts: StepParts
  readonly #tomorrow: number

  constructor(options: ImportLogsOptions, parts: StepParts) {
    this.#options = options
    this.#parts = parts
    this.#tomorrow = (Math.floor(parts.nowSeconds / DAY_SECONDS) + 1) * DAY_SECONDS
  }

  get botNos(): ReadonlySet<number> {
    return new Set([...this.#metBots.keys()].filter((botNo) => this.#metBots[botNo] === 1))
  }

  async readFile(path: string): Promise<void> {
    const { format, logFormat, addressField, fields, trustedProxies, stdin, signal, onProgress } = this.#options
    const counts = { lines: 0, bot_hits: 0, visits: 0, ignored: 0, already_imported: 0, rejected: 0 }
    const entry: FileEntry = { file: path, format: null, counts }
    this.#files.push(entry)
    const file = toLogName(path)
    const { knownFiles, isAlone, rejections } = this.#parts
    const stamp = await knownFiles.stamp(path)
    const known = stamp && knownFiles.find(stamp)
    if (known) {
      Object.assign(counts, { lines: known.lines, already_imported: known.lines })
      entry.format = known.format
      return
    }
    const read = await readLog({
      path,
      stdin,
      signal,
      log: { format, logFormat, addressField, fields, trustedProxies },
      pool: this.#parts.pool,
      checkpoints: this.#parts.checkpoints,
      spillDir: this.#parts.spillDir,
      onBatch: (batch, linesBefore) => this.#take(batch, { counts, file, linesBefore }),
      ...(onProgress ? { onProgress: (progress) => onProgress({ file, ...progress }) } : {}),
    }).catch((error: unknown) => {
      if (isAlone || !(error instanceof ForeignContentError)) throw error
      return error
    })
    if (read instanceof Error) {
      // It stands as one line that can't be read, of which nothing is kept.
      counts.lines += 1
      counts.rejected += 1
      const reason = read.message.replace(`${file}: `, '')
      return rejections.add({ file, line: 1, reason, record: '' })
    }
    const { alreadyImported, format: found, isCutOff, isWaiting, isLikeKnown } = read
    entry.format = found ?? null
    counts.already_imported += alreadyImported
    counts.lines += alreadyImported
    if (stamp && found && !isCutOff) knownFiles.add(stamp, { lines: counts.lines, format: found })
    if (isCutOff) this.cutOffFiles.push(file)
    if (isWaiting) this.waitingFiles.push(file)
    if (isLikeKnown) this.likeKnownFiles.push(file)
  }

  toResult(): ImportLogsResult {
    const { site } = this.#options
    const sum = (key: keyof LogCounts): number => this.#files.reduce((total, { counts }) => total + counts[key], 0)
    return {
      site_id: site.id,
      files: this.#files.map(({ file, format, counts }) => ({ file, format, ...counts })),
      lines: sum('lines'),
      bot_hits: sum('bot_hits'),
      visits: sum('visits'),
      ignored: sum('ignored'),
      already_imported: sum('already_imported'),
      rejected: sum('rejected'),
      other_hosts: Array.from(this.#otherHosts, ([host, lines]) => ({ host, lines }))
        .sort((a, b) => b.lines - a.lines || (a.host < b.host ? -1 : 1))
        .slice(0, LOG_OTHER_HOSTS_LISTED_MAX),
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
    for (const [host, lines] of batch.otherHosts) {
      const before = this.#otherHosts.get(host) ?? 0
      if (before > 0 || this.#otherHosts.size < LOG_OTHER_HOSTS_MAX) this.#otherHosts.set(host, before + lines)
    }
    for (const seconds of batch.hits.time) this.#noteTime(seconds)
    for (const seconds of batch.visits.time) this.#noteTime(seconds)
    for (const { line, reason, record } of batch.rejections) {
      await this.#parts.rejections.add({ file, line: linesBefore + line, reason, record })
    }
    await this.#parts.writer.write(batch)
  }

  /** A day that has not begun yet in UTC is in the future. */
  #noteTime(seconds: number): void {
    if (seconds < this.#tomorrow) return
    this.future.hits += 1
    this.future.newestSeconds = Math.max(this.future.newestSeconds, seconds)
  }
}
