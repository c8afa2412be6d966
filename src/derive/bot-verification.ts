import { CommandError } from '../errors.ts'
import type { Bot } from '../reference/bots.ts'
import { type Address, type AddressRange, normalizeAddress, parsePrefix } from './addresses.ts'
import { memoize } from './memo.ts'
import { createRangeSet, type RangeSet } from './range-set.ts'

/** What a hit's address says of the bot it names: spoofed and unverifiable are both "not verified" in a filter (contract/api 5.9). */
export const VERIFICATIONS = ['verified', 'spoofed', 'unverifiable'] as const
export type Verification = (typeof VERIFICATIONS)[number]

/** A prefix as the catalog keeps it since it was first loaded; prefixes are never forgotten, so an old one still verifies. */
export interface LoadedPrefix {
  readonly documentUrl: string
  readonly prefix: string
  /** ISO 8601 timestamp. */
  readonly firstSeen: string
}

/** The ranges of every loaded document, ready for look-ups. Made once an import; addresses are remembered in memory only. */
export interface LoadedRanges {
  readonly documents: ReadonlyMap<string, DocumentRanges>
  readonly toAddress: (field: string) => Address | undefined
}

interface DocumentRanges {
  readonly set: RangeSet
  /** Hits before this moment, in milliseconds since 1970, can't be verified by the document. */
  readonly judgesFromMs: number
}

export interface BotHit {
  readonly bot: Bot
  /** The client address as logged; undefined where the format has none. */
  readonly address: string | undefined
  /** Milliseconds since 1970, UTC. */
  readonly timeMs: number
}

/** Lists say where a bot comes from now: of hits this much older than the first one loaded they say nothing. */
const JUDGED_YEARS = 2

/** Address ranges ready for `verifyHit`, grouped by the document they come from. Takes all ranges that the catalog has. */
export function createLoadedRanges(prefixes: readonly LoadedPrefix[]): LoadedRanges {
  const byDocument = Map.groupBy(prefixes, (prefix) => prefix.documentUrl)
  const documents = new Map([...byDocument].map(([url, ofDocument]) => [url, toDocumentRanges(ofDocument)]))
  return { documents, toAddress: memoize(normalizeAddress) }
}

/** Verifies a hit when it is imported, by the ranges of the document published for its bot and no other (contract/api 5.9). */
export function verifyHit({ bot, address, timeMs }: BotHit, ranges: LoadedRanges): Verification {
  const published = bot.rangesUrl === null ? undefined : ranges.documents.get(bot.rangesUrl)
  if (published === undefined || timeMs < published.judgesFromMs) return 'unverifiable'
  const client = address === undefined ? undefined : ranges.toAddress(address)
  if (client === undefined) return 'unverifiable'
  return published.set.contains(client) ? 'verified' : 'spoofed'
}

function toDocumentRanges(prefixes: readonly LoadedPrefix[]): DocumentRanges {
  const firstSeenMs = prefixes.reduce((first, prefix) => Math.min(first, Date.parse(prefix.firstSeen)), Infinity)
  const firstSeen = new Date(firstSeenMs)
  firstSeen.setUTCFullYear(firstSeen.getUTCFullYear() - JUDGED_YEARS)
  return { set: createRangeSet(prefixes.map(toRange)), judgesFromMs: firstSeen.getTime() }
}

function toRange({ documentUrl, prefix }: LoadedPrefix): AddressRange {
  const range = parsePrefix(prefix)
  if (range === undefined)
    throw new CommandError(`The stored range ${JSON.stringify(prefix)} of ${documentUrl} is damaged. Run bots update.`)
  return range
}
