import type { LoadedPrefix } from '../../derive/verification.ts'
import { createLoadedRanges, VERIFICATIONS, verifyHit } from '../../derive/verification.ts'
import { createBotMatcher } from '../../derive/bots.ts'
import { memoize } from '../../derive/memo.ts'
import { createPageTypeMatcher } from '../../derive/page-types.ts'
import { createReferralMatcher } from '../../derive/referrals.ts'
import { PAGE_TYPES } from '../../domain/enums.ts'
import {
  LOG_SECONDS_MAX,
  LOG_TALLY_CLIENTS_MAX,
  LOG_TALLY_PATH_CHARACTERS_MAX,
  LOG_TALLY_PATHS_MAX,
  REJECTIONS_LISTED_MAX,
} from '../../limits.ts'
import { type Bot, findBotByNo } from '../../reference/bots.ts'
import type { PageTypeRule } from '../../reference/page-types.ts'
import { ownText } from '../../derive/own-text.ts'
import type { LineVisitor } from '../lines.ts'
import { type AddressKind, createAddressKinds } from './address-kinds.ts'
import { endBatch, type LogBatch, startBatch } from './log-batch.ts'
import { isRejected, type LogLine, type Rejected } from './log-line.ts'
import { createPlaces } from './places.ts'
import type { LogReader } from './reader.ts'
import { AGENT, type Meanings, type UsualCount } from './usual-lines.ts'

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

/** Judges lines one after the other, until `take` gives what they came to and starts anew. */
export interface LogTally extends LineVisitor {
  /** Judges a line that may not be whole yet: false, and nothing counted, when it can't be read, or more may come that matters. */
  tryLine(text: string): boolean
  /** What usual lines have in them that matters. */
  readonly meanings: Meanings
  /** Adds usual lines, which were counted by these meanings. */
  addUsual(count: UsualCount): void
  take(): LogBatch
}

export interface LogTallyContext {
  /** Of the line being visited. */
  readonly lineNumber: () => number
  /** Meanings of the kind aren't good any more; called at `take`. */
  readonly onForget: (kind: keyof Meanings) => void
}

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

/** A tally of the lines that `reader` reads (formats.md 3). */
export function createLogTally(
  reader: LogReader,
  options: TallyOptions,
  { lineNumber, onForget }: LogTallyContext,
): LogTally {
  const bots = createBotMatcher()
  const ranges = createLoadedRanges(options.ranges)
  const referrals = createReferralMatcher()
  const pageTypes = createPageTypeMatcher(options.pageTypeRules)
  const toPageTypeNo = (path: string): number => PAGE_TYPES.indexOf(pageTypes.find(path)) + 1
  const isPage = memoize((path) => pageTypes.find(path) !== 'technical_infra')
  const addressKinds = createAddressKinds()
  const findAgent = memoize((userAgent): Agent => {
    const bot = bots.find(userAgent)
    return { bot: bot?.type === null ? undefined : bot, isCrawler: bots.isCrawler(userAgent) }
  })
  const toClient = (address: string): Client => ({ address: ownText(address), kind: addressKinds.find(address) })
  const paths = createPlaces(LOG_TALLY_PATHS_MAX, LOG_TALLY_PATH_CHARACTERS_MAX)
  /** Those that `meanings` has given numbers. */
  const clients: Client[] = []
  let gathered = startBatch()

  function takeLine(line: LogLine, { bot, isCrawler }: Agent): void {
    if (bot) return takeHit(line, bot)
    const source = isCrawler || !isPageView(line) ? undefined : referrals.find(line)
    if (source === undefined || !isPage(line.path)) gathered.ignored += 1
    else takeVisit(line, source)
  }

  function takeHit({ path, timeSeconds, status, address }: LogLine, bot: Bot): void {
    const { hits, addressKinds } = gathered
    const client = toClient(address)
    hits.path.push(paths.find(path))
    hits.time.push(timeSeconds)
    hits.bot.push(bot.botNo)
    hits.verification.push(toVerificationNo(bot, client, timeSeconds))
    hits.error.push(toErrors(status))
    addressKinds[client.kind] += 1
  }

  function toVerificationNo(bot: Bot, { address }: Client, timeSeconds: number): number {
    return VERIFICATIONS.indexOf(verifyHit({ bot, address, timeMs: timeSeconds * 1_000 }, ranges))
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
    meanings: {
      agent(userAgent) {
        const { bot, isCrawler } = findAgent(userAgent)
        if (bot) return AGENT.bot + bot.botNo
        return isCrawler ? AGENT.nobody : AGENT.visitor
      },
      origin: (origin) => Number(referrals.mayName(origin)),
      address: (address) => clients.push(toClient(address)) - 1,
      path: (path) => paths.find(path),
    },
    addUsual({ lines, hits: usual }) {
      gathered.lines += lines
      gathered.records += lines
      gathered.ignored += lines - usual.path.length
      const { hits, addressKinds } = gathered
      hits.path.append(usual.path)
      hits.time.append(usual.time)
      hits.bot.append(usual.bot)
      for (const [no, botNo] of usual.bot.entries()) {
        const bot = findBotByNo(botNo)
        const client = clients[usual.address[no] ?? -1]
        if (!bot || !client) throw new Error('a usual line has a bot or a client that nobody knows')
        hits.verification.push(toVerificationNo(bot, client, usual.time[no] ?? 0))
        hits.error.push(toErrors(usual.status[no] ?? 0))
        addressKinds[client.kind] += 1
      }
    },
    take() {
      const { added, before, startsAnew } = paths.take()
      if (startsAnew) onForget('path')
      if (clients.length > LOG_TALLY_CLIENTS_MAX) {
        clients.length = 0
        onForget('address')
      }
      const json = JSON.stringify({ path: added, page_type_no: added.map(toPageTypeNo) })
      const named = { paths: { count: added.length, json }, pathsBefore: before }
      const batch = { ...endBatch(gathered), tallyNo: options.tallyNo, ...named }
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

/** Of one answer. */
function toErrors(status: number): number {
  return status >= 400 && status <= 599 ? 1 : 0
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
