import { createBotMatcher } from '../derive/bots.ts'
import { memoize } from '../derive/memo.ts'
import { detachString } from '../derive/detach-string.ts'
import { createPageTypeMatcher } from '../derive/page-types.ts'
import { createReferralMatcher } from '../derive/referrals.ts'
import { createLoadedRanges, type LoadedPrefix, VERIFICATIONS, verifyHit } from '../derive/bot-verification.ts'
import { toDomain } from '../domain/site.ts'
import { REJECTIONS_LISTED_MAX } from '../limits.ts'
import {
  LOG_OTHER_HOSTS_MAX,
  LOG_PATH_CHARACTERS_KNOWN_MAX,
  LOG_PATHS_KNOWN_MAX,
  LOG_SECONDS_MAX,
} from '../log-limits.ts'
import { StringInterner } from '../lake/write/string-interner.ts'
import type { Bot } from '../reference/bots.ts'
import type { PageTypeRule } from '../reference/page-types.ts'
import type { LineVisitor } from '../input/lines.ts'
import { findAddressKind } from './address-kinds.ts'
import { type Batch, endBatch, startBatch } from './batch.ts'
import { isRejected, type LogLine, type Rejected } from './formats/log-line.ts'
import type { LogReader } from './reader.ts'
import type { Skim } from './skim-combined.ts'

/** What lines are classified by; plain values, so that it can be sent to another thread. */
export interface ClassifyOptions {
  readonly ranges: readonly LoadedPrefix[]
  /** The site's own. */
  readonly pageTypeRules: readonly PageTypeRule[]
  /** Of lines that name a host, those of these hosts and of hosts under them count; undefined: all do. */
  readonly hosts: readonly string[] | undefined
  /** Whether every rejected line is wanted, or only the first ones without their text. */
  readonly keepsRejected: boolean
}

/** Classifies lines one after the other (contract/logs 6), until `take` gives what they came to and starts anew. */
export interface LineClassifier extends LineVisitor {
  /** Classifies a line that may not be whole yet: false, and nothing counted, when it can't be read, or more may come that matters. */
  tryLine(text: string): boolean
  take(): Batch
}

/** What user agents, referers, addresses and paths are; remembers what it found. Made once for each thread. */
export type Classification = ReturnType<typeof createClassification>

export function createClassification(options: ClassifyOptions) {
  const bots = createBotMatcher()
  const ranges = createLoadedRanges(options.ranges)
  const referrals = createReferralMatcher()
  const pageTypes = createPageTypeMatcher(options.pageTypeRules)
  return {
    /** Of hits and visits: sites have few, which are met millions of times. */
    paths: new StringInterner({ detach: true }),
    keepsRejected: options.keepsRejected,
    isOwnHost: memoize((host) => {
      const name = toDomain(host) ?? host
      return options.hosts?.some((own) => name === own || name.endsWith(`.${own}`)) ?? true
    }),
    /** A bot without a type is no visitor, and never reported. */
    findAgent: memoize((userAgent): { readonly bot: Bot | undefined; readonly isCrawler: boolean } => {
      const bot = bots.find(userAgent)
      return { bot: bot?.type === null ? undefined : bot, isCrawler: bots.isCrawler(userAgent) }
    }),
    /** False when no referer of this origin, whatever its path is, names an engine. */
    isEngineOrigin: (origin: string): boolean => referrals.mayName(origin),
    findSource: (line: LogLine): string | undefined => referrals.find(line),
    isPage: memoize((path) => pageTypes.find(path) !== 'technical_infra'),
    toVerificationNo: (bot: Bot, { address, timeSeconds }: LogLine): number =>
      VERIFICATIONS.indexOf(verifyHit({ bot, address, timeMs: timeSeconds * 1_000 }, ranges)),
  }
}

/** A classifier of the lines that `reader` reads; `lineNumber` is that of the line being visited. */
export function createClassifier(
  reader: LogReader,
  classification: Classification,
  lineNumber: () => number,
  skimLine?: Skim,
): LineClassifier {
  const { keepsRejected, isOwnHost, findAgent, findSource, isPage, toVerificationNo, paths } = classification
  let gathered = startBatch(paths)

  function takeLine(line: LogLine): void {
    if (line.host !== '' && !isOwnHost(line.host)) return ignoreHost(line.host)
    const { bot, isCrawler } = findAgent(line.userAgent)
    if (bot) return takeHit(line, bot)
    const source = isCrawler || !isPageView(line) ? undefined : findSource(line)
    if (source === undefined || !isPage(line.path)) gathered.ignored += 1
    else takeVisit(line, source)
  }

  function ignoreHost(host: string): void {
    gathered.ignored += 1
    const { otherHosts } = gathered
    const lines = otherHosts.get(host) ?? 0
    if (lines > 0 || otherHosts.size < LOG_OTHER_HOSTS_MAX)
      otherHosts.set(lines > 0 ? host : detachString(host), lines + 1)
  }

  function takeHit(line: LogLine, bot: Bot): void {
    const { hits, addressKinds } = gathered
    hits.path.push(paths.intern(line.path))
    hits.time.push(line.timeSeconds)
    hits.bot.push(bot.botNo)
    hits.verification.push(toVerificationNo(bot, line))
    hits.error.push(line.status >= 400 && line.status <= 599 ? 1 : 0)
    addressKinds[findAddressKind(line.address)] += 1
  }

  function takeVisit({ path, timeSeconds }: LogLine, source: string): void {
    const { visits, sources } = gathered
    visits.path.push(paths.intern(path))
    visits.time.push(timeSeconds)
    visits.source.push(sources.intern(source))
  }

  function takeRecord(parsed: LogLine | Rejected, toText: () => string): void {
    gathered.records += 1
    const reason = toReason(parsed)
    if (reason !== undefined) reject(reason, toText)
    else if (!isRejected(parsed)) takeLine(parsed)
  }

  function reject(reason: string, toText: () => string): void {
    gathered.rejected += 1
    const { rejections } = gathered
    if (!keepsRejected && rejections.length >= REJECTIONS_LISTED_MAX) return
    rejections.push({ line: lineNumber(), reason, record: keepsRejected ? detachString(toText()) : '' })
  }

  function skim(text: string, start: number, bytes: Buffer): number {
    const end = skimLine?.(text, start, bytes) ?? -1
    if (end === -1) return -1
    gathered.lines += 1
    gathered.records += 1
    gathered.ignored += 1
    return end
  }

  return {
    ...(skimLine ? { skim } : {}),
    line(text, start, end) {
      gathered.lines += 1
      const parsed = reader.parse(text, start, end)
      if (parsed === undefined) gathered.ignored += 1
      else takeRecord(parsed, () => text.slice(start, end))
    },
    tryLine(text) {
      if (text.trim() === '' || !reader.isEnded(text)) return false
      const parsed = reader.parse(text, 0, text.length)
      if (parsed !== undefined && toReason(parsed) !== undefined) return false
      gathered.lines += 1
      if (parsed === undefined) gathered.ignored += 1
      else takeRecord(parsed, () => text)
      return true
    },
    fault(reason) {
      gathered.lines += 1
      takeRecord({ reject: reason }, () => '')
    },
    take() {
      const batch = endBatch(gathered)
      if (paths.size >= LOG_PATHS_KNOWN_MAX || paths.characters >= LOG_PATH_CHARACTERS_KNOWN_MAX) paths.take()
      gathered = startBatch(paths)
      return batch
    },
  }
}

/** Why a record isn't taken. */
function toReason(parsed: LogLine | Rejected): string | undefined {
  if (isRejected(parsed)) return parsed.reject
  const { timeSeconds } = parsed
  return timeSeconds >= 0 && timeSeconds <= LOG_SECONDS_MAX ? undefined : 'its time lies before 1970 or after 2105'
}

/** A person's arrival can only be a page that was shown (contract/logs 6). */
function isPageView({ method, status }: LogLine): boolean {
  return method === 'GET' && ((status >= 200 && status <= 299) || status === 304)
}
