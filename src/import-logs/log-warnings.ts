import { toDay } from '../domain/day.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { type Clock, toTimestamp } from '../clock.ts'
import { RANGES_AGE_MS_MAX } from '../log-limits.ts'
import { findBotByNo } from '../reference/bots.ts'
import type { AddressKind } from './address-kinds.ts'

/** What an import learns of the hits and the files beside their number. */
export interface LogFacts {
  /** Catalogue numbers of the bots that were met. */
  readonly botNos: ReadonlySet<number>
  readonly addressKinds: Readonly<Record<AddressKind, number>>
  /** Names of the files that end within a line to which no more can come. */
  readonly cutOffFiles: readonly string[]
  /** Of those that hold too little yet to tell their format. */
  readonly waitingFiles: readonly string[]
  /** Hits and visits of days that have not begun yet, and the newest time among them, in seconds since 1970. */
  readonly future: { readonly hits: number; readonly newestSeconds: number }
  /** Of those that begin as a known log does and then differ. */
  readonly likeKnownFiles: readonly string[]
}

/**
 * Says why bots of an import could not be verified, or not as well as they might be (contract/api 5.9), and which files
 * may not have been counted as they should (contract/logs 10).
 */
export function listLogWarnings({ catalog, clock }: { catalog: Catalog; clock: Clock }, facts: LogFacts): string[] {
  return [
    ...warnOfFiles(facts),
    ...warnOfFuture(facts),
    ...warnOfRanges(catalog, clock, facts),
    ...warnOfAddresses(facts.addressKinds),
  ]
}

function warnOfFiles({ cutOffFiles, waitingFiles, likeKnownFiles }: LogFacts): string[] {
  const warn = (files: readonly string[], toText: (names: string) => string): string[] =>
    files.length > 0 ? [toText(toNames([...new Set(files)]))] : []
  return [
    ...warn(
      likeKnownFiles,
      (names) =>
        `Begins like a log that was imported before, but then stops or differs: ${names}. If it is a cut copy of that log, the lines of both count twice. --dry-run says this too, and keeps nothing.`,
    ),
    ...warn(
      cutOffFiles,
      (names) =>
        `The last line has no end and was left out: ${names}. If the line is whole, put a line break behind it and import again; the other lines don't count twice.`,
    ),
    ...warn(
      waitingFiles,
      (names) =>
        `Nothing was read, for there is no whole line yet that tells the format: ${names}. Import again when there is more, or name the format with --format.`,
    ),
  ]
}

function warnOfFuture({ future: { hits, newestSeconds } }: LogFacts): string[] {
  if (hits === 0) return []
  const day = toDay(newestSeconds * 1_000)
  const lines = hits === 1 ? '1 bot hit or visit is' : `${hits} bot hits and visits are`
  return [`${lines} dated in the future, up to ${day}. Reports count them on that day; check the clock of the server.`]
}

function warnOfRanges(catalog: Catalog, clock: Clock, { botNos }: LogFacts): string[] {
  const loadedAt = new Map(catalog.botRanges.listDocuments().map((one) => [one.documentUrl, one.lastLoadedAt]))
  const oldest = toTimestamp(clock.now() - RANGES_AGE_MS_MAX)
  const missing: string[] = []
  const old: string[] = []
  for (const botNo of botNos) {
    const bot = findBotByNo(botNo)
    if (!bot || bot.rangesUrl === null) continue
    const at = loadedAt.get(bot.rangesUrl)
    if (at === undefined) missing.push(bot.name)
    else if (at < oldest) old.push(bot.name)
  }
  return [
    ...(missing.length > 0
      ? [`No address ranges are loaded for ${toNames(missing)}: their hits stay unverifiable. ${RENEW}`]
      : []),
    ...(old.length > 0
      ? [`The address ranges of ${toNames(old)} are older than 30 days: genuine hits may count as spoofed. ${RENEW}`]
      : []),
  ]
}

const RENEW = 'Run `answerlake bots update` before importing logs.'

function warnOfAddresses(kinds: LogFacts['addressKinds']): string[] {
  const hits = kinds.public + kinds.private + kinds.masked + kinds.none
  if (kinds.private * 2 > hits) {
    return [
      'Most bot hits come from a private network, a proxy by all signs: bots count as spoofed then. Say where the client address stands with --trusted-proxies or --address-field.',
    ]
  }
  if ((kinds.masked + kinds.none) * 2 > hits) {
    return ['Most bot hits have a masked address or none: bots cannot be told from impostors in this log.']
  }
  return []
}

/** The first few, and how many more. */
function toNames(names: readonly string[]): string {
  const [first, ...others] = names.toSorted((a, b) => (a < b ? -1 : 1))
  const shown = [first, ...others.slice(0, NAMES_LISTED_MAX - 1)].join(', ')
  return names.length > NAMES_LISTED_MAX ? `${shown} and ${names.length - NAMES_LISTED_MAX} more` : shown
}

const NAMES_LISTED_MAX = 5
