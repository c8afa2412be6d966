import type { LoadedPrefix } from '../../derive/verification.ts'
import { createLoadedRanges, VERIFICATIONS, verifyHit } from '../../derive/verification.ts'
import { createBotMatcher } from '../../derive/bots.ts'
import { memoize } from '../../derive/memo.ts'
import { createPageTypeMatcher } from '../../derive/page-types.ts'
import { createReferralMatcher } from '../../derive/referrals.ts'
import {
  LOG_SECONDS_MAX,
  LOG_TALLY_PATH_CHARACTERS_MAX,
  LOG_TALLY_PATHS_MAX,
  REJECTIONS_LISTED_MAX,
} from '../../limits.ts'
import type { Bot } from '../../reference/bots.ts'
import type { PageTypeRule } from '../../reference/page-types.ts'
import { ownText } from '../../derive/own-text.ts'
import type { LineVisitor } from '../lines.ts'
import { type AddressKind, createAddressKinds } from './address-kinds.ts'
import { isRejected, type LogLine, type Rejected } from './log-line.ts'
import { ByteMemo } from './byte-memo.ts'
import { NumberColumn } from './number-column.ts'
import { createPlaces } from './places.ts'
import type { LogReader } from './reader.ts'
import type { UsualLine } from './usual-line.ts'

/** What lines are judged by; plain values, so that it can be sent to another thread. */
export interface TallyOptions {
  /** Tells tallies apart whose batches go to one collector. */
  readonly tallyNo: number
  readonly ranges: readonly LoadedPrefix[]
  /** The site's own. */
  readonly pageTypeRules: readonly PageTypeRule[]
  /** Whether every rejected line is wanted, or only the first ones without their text. */
  readonly keepsRejected: boolean
}

export interface RejectedLine {
  /** As the splitter counts it. */
  readonly line: number
  readonly reason: string
  /** The line as it was, '' unless it is wanted. */
  readonly record: string
}

/** Bot hits, one place of each column a hit. */
export interface HitColumns {
  /** Place of the path among those that the tally has named. */
  readonly path: Uint32Array
  /** Seconds since 1970, UTC. */
  readonly time: Uint32Array
  readonly bot: Uint32Array
  /** Place in VERIFICATIONS. */
  readonly verification: Uint32Array
  /** 1 when answered with 4xx or 5xx. */
  readonly error: Uint32Array
}

/** Visits, one place of each column a visit. */
export interface VisitColumns {
  readonly path: Uint32Array
  readonly time: Uint32Array
  /** Place of the engine among `sources`. */
  readonly source: Uint32Array
}

/** What some lines of a log come to. Holds no address and no user agent. */
export interface LogBatch {
  /** All lines: hits, visits, ignored and rejected ones. */
  readonly lines: number
  /** Lines that are no blank line, comment or header. */
  readonly records: number
  readonly ignored: number
  readonly rejected: number
  readonly rejections: readonly RejectedLine[]
  readonly tallyNo: number
  /** Paths that the tally names here for the first time; the first of them has the place `pathsBefore`. */
  readonly paths: readonly string[]
  /** 0 when the tally has started its list anew. */
  readonly pathsBefore: number
  readonly sources: readonly string[]
  readonly hits: HitColumns
  readonly visits: VisitColumns
  /** Hits by what kind of address they came from. */
  readonly addressKinds: Readonly<Record<AddressKind, number>>
}

/** Judges lines one after the other, until `take` gives what they came to and starts anew. */
export interface LogTally extends LineVisitor {
  /** Judges a line that may not be whole yet: false, and nothing counted, when it can't be read, or more may come that matters. */
  tryLine(text: string): boolean
  take(): LogBatch
}

type HitFields = Pick<LogLine, 'timeSeconds' | 'status'>

/** Whom a hit came from. */
interface Client {
  readonly address: string
  readonly kind: AddressKind
}

/** What a user agent is. A bot without a type is no visitor, and never reported. */
interface Agent {
  readonly bot: Bot | undefined
  readonly isCrawler: boolean
}

/** A tally of the lines that `reader` reads (formats.md 3); `lineNumber` is that of the line being visited. */
export function createLogTally(reader: LogReader, options: TallyOptions, lineNumber: () => number): LogTally {
  const bots = createBotMatcher()
  const ranges = createLoadedRanges(options.ranges)
  const referrals = createReferralMatcher()
  const pageTypes = createPageTypeMatcher(options.pageTypeRules)
  const addressKinds = createAddressKinds()
  const findAgent = memoize((userAgent): Agent => {
    const bot = bots.find(userAgent)
    return { bot: bot?.type === null ? undefined : bot, isCrawler: bots.isCrawler(userAgent) }
  })
  const toClient = (address: string): Client => ({ address: ownText(address), kind: addressKinds.find(address) })
  const paths = createPlaces(LOG_TALLY_PATHS_MAX, LOG_TALLY_PATH_CHARACTERS_MAX)
  const known = {
    agents: new ByteMemo(findAgent, 8_192),
    origins: new ByteMemo((origin) => referrals.mayName(origin), 8_192),
    addresses: new ByteMemo(toClient, 8_192),
    paths: new ByteMemo((path) => paths.find(path), 32_768),
  }
  let gathered = startBatch()

  function takeLine(line: LogLine, { bot, isCrawler }: Agent): void {
    if (bot) return takeHit(paths.find(line.path), line, bot, toClient(line.address))
    const source = isCrawler || !isPageView(line) ? undefined : referrals.find(line)
    if (source === undefined || pageTypes.find(line.path) === 'technical_infra') gathered.ignored += 1
    else takeVisit(line, source)
  }

  /** Most lines are neither a hit nor a visit; those are told without making texts of their fields. */
  function takeUsual(usual: UsualLine, text: string, bytes: Uint8Array): void {
    const agent = known.agents.find(bytes, text, usual.agentStart, usual.agentEnd)
    if (agent.bot) {
      const client = known.addresses.find(bytes, text, usual.addressStart, usual.addressEnd)
      takeHit(known.paths.find(bytes, text, usual.pathStart, usual.pathEnd), usual, agent.bot, client)
    } else if (!agent.isCrawler && mayBeVisit(usual, text, bytes)) takeLine(usual.toLine(), agent)
    else gathered.ignored += 1
  }

  function mayBeVisit(usual: UsualLine, text: string, bytes: Uint8Array): boolean {
    if (!usual.isGet || !isShown(usual.status)) return false
    if (usual.mayHaveSource) return true
    const { refererStart, refererEnd } = usual
    const hasReferer = refererEnd - refererStart > 1
    return hasReferer && known.origins.find(bytes, text, refererStart, findOriginEnd(bytes, refererStart, refererEnd))
  }

  function takeHit(place: number, { timeSeconds, status }: HitFields, bot: Bot, { address, kind }: Client): void {
    const { hits } = gathered
    hits.path.push(place)
    hits.time.push(timeSeconds)
    hits.bot.push(bot.botNo)
    hits.verification.push(VERIFICATIONS.indexOf(verifyHit({ bot, address, timeMs: timeSeconds * 1_000 }, ranges)))
    hits.error.push(status >= 400 && status <= 599 ? 1 : 0)
    gathered.addressKinds[kind] += 1
  }

  function takeVisit({ path, timeSeconds }: LogLine, source: string): void {
    const { visits } = gathered
    visits.path.push(paths.find(path))
    visits.time.push(timeSeconds)
    visits.source.push(gathered.sources.find(source))
  }

  function takeRecord(parsed: LogLine | Rejected, toText: () => string): void {
    gathered.records += 1
    const reason = toReason(parsed)
    if (reason !== undefined) reject(reason, toText)
    else if (!isRejected(parsed)) takeLine(parsed, findAgent(parsed.userAgent))
  }

  function reject(reason: string, toText: () => string): void {
    gathered.rejected += 1
    const { rejections } = gathered
    if (!options.keepsRejected && rejections.length >= REJECTIONS_LISTED_MAX) return
    rejections.push({ line: lineNumber(), reason, record: options.keepsRejected ? ownText(toText()) : '' })
  }

  return {
    line(text, start, end, bytes) {
      gathered.lines += 1
      const { usual } = reader
      if (usual && bytes && usual.find(text, start, end, bytes) && isTime(usual.timeSeconds)) {
        gathered.records += 1
        takeUsual(usual, text, bytes)
        return
      }
      const parsed = reader.parse(text, start, end, bytes)
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
      const { added, before } = paths.take()
      if (paths.size === 0) known.paths.clear()
      const batch = { ...endBatch(gathered), tallyNo: options.tallyNo, paths: added, pathsBefore: before }
      gathered = startBatch()
      return batch
    },
  }
}

/** Why a record isn't taken. */
function toReason(parsed: LogLine | Rejected): string | undefined {
  if (isRejected(parsed)) return parsed.reject
  return isTime(parsed.timeSeconds) ? undefined : 'its time lies before 1970 or after 2105'
}

/** A person's arrival can only be a page that was shown (formats.md 3). */
function isPageView({ method, status }: LogLine): boolean {
  return method === 'GET' && isShown(status)
}

function isShown(status: number): boolean {
  return (status >= 200 && status <= 299) || status === 304
}

function isTime(seconds: number): boolean {
  return seconds >= 0 && seconds <= LOG_SECONDS_MAX
}

/** Where the path of a `Referer` begins: at the next slash behind the first two that stand together. */
function findOriginEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start + 1
  while (at < end && !(bytes[at] === SLASH && bytes[at - 1] === SLASH)) at += 1
  at += 1
  while (at < end && bytes[at] !== SLASH) at += 1
  return Math.min(at, end)
}

const SLASH = 0x2f

type Gathered = ReturnType<typeof startBatch>

function startBatch() {
  return {
    lines: 0,
    records: 0,
    ignored: 0,
    rejected: 0,
    rejections: [] as RejectedLine[],
    sources: createPlaces(),
    hits: {
      path: new NumberColumn(),
      time: new NumberColumn(),
      bot: new NumberColumn(),
      verification: new NumberColumn(),
      error: new NumberColumn(),
    },
    visits: { path: new NumberColumn(), time: new NumberColumn(), source: new NumberColumn() },
    addressKinds: { public: 0, private: 0, masked: 0, none: 0 },
  }
}

function endBatch({
  hits,
  visits,
  sources,
  ...counted
}: Gathered): Omit<LogBatch, 'tallyNo' | 'paths' | 'pathsBefore'> {
  return {
    ...counted,
    sources: sources.take().added,
    hits: {
      path: hits.path.take(),
      time: hits.time.take(),
      bot: hits.bot.take(),
      verification: hits.verification.take(),
      error: hits.error.take(),
    },
    visits: { path: visits.path.take(), time: visits.time.take(), source: visits.source.take() },
  }
}
