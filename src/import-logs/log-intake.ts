import type { LogWriter } from '../lake/write/log-writer.ts'
import { LOG_OTHER_HOSTS_LISTED_MAX, LOG_OTHER_HOSTS_MAX } from '../log-limits.ts'
import { BOT_NO_MAX } from '../reference/bots.ts'
import { ForeignContentError } from '../input/open.ts'
import type { Rejections } from '../input/rejections.ts'
import type { AddressKind } from './address-kinds.ts'
import type { Batch } from './batch.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { ImportLogsOptions, ImportLogsResult, LogCounts } from './import-options.ts'
import type { KnownFiles } from './known-files.ts'
import { readLog, toLogName } from './read-log.ts'
import type { WorkerPool } from './worker-pool.ts'

interface FileEntry {
  readonly file: string
  format: string | null
  readonly counts: LogCounts
}

interface StepParts {
  readonly nowSeconds: number
  readonly importNo: number
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
export class LogIntake {
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
    const { alreadyImported, knownImportNo, format: found, isCutOff, isWaiting, isLikeKnown } = read
    entry.format = found ?? null
    counts.already_imported += alreadyImported
    counts.lines += alreadyImported
    const lastImportNo = knownImportNo === undefined ? this.#parts.importNo : knownImportNo
    if (stamp && found && !isCutOff) {
      knownFiles.add(stamp, { lines: counts.lines, format: found, importNo: lastImportNo })
    }
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
