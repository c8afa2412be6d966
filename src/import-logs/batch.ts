import { GrowableColumn } from '../lake/write/growable-column.ts'
import type { LogRows } from '../lake/write/log-writer.ts'
import { StringInterner } from '../lake/write/string-interner.ts'
import type { AddressKind } from './address-kinds.ts'

export interface RejectedLine {
  /** As the splitter counts it. */
  readonly line: number
  readonly reason: string
  /** The line as it was, '' unless it is wanted. */
  readonly record: string
}

/** What some lines of a log come to. Holds no address and no user agent. */
export interface Batch extends LogRows {
  /** All lines: hits, visits, ignored and rejected ones. */
  readonly lines: number
  /** Lines that are no blank line, comment or header. */
  readonly records: number
  readonly ignored: number
  readonly rejected: number
  readonly rejections: readonly RejectedLine[]
  /** Lines that were ignored because they name a host that isn't the site's, by host. */
  readonly otherHosts: ReadonlyMap<string, number>
  /** Hits by what kind of address they came from. */
  readonly addressKinds: Readonly<Record<AddressKind, number>>
}

/** A batch under way. */
export type GatheredBatch = ReturnType<typeof startBatch>

/** `paths` holds those of the batches before too. */
export function startBatch(paths: StringInterner) {
  return {
    lines: 0,
    records: 0,
    ignored: 0,
    rejected: 0,
    rejections: [] as RejectedLine[],
    paths,
    sources: new StringInterner({ detach: false }),
    hits: {
      path: new GrowableColumn(),
      time: new GrowableColumn(),
      bot: new GrowableColumn(),
      verification: new GrowableColumn(),
      error: new GrowableColumn(),
    },
    visits: { path: new GrowableColumn(), time: new GrowableColumn(), source: new GrowableColumn() },
    otherHosts: new Map<string, number>(),
    addressKinds: { public: 0, private: 0, masked: 0, none: 0 },
  }
}

/** What it has gathered, in memory of its own. */
export function endBatch({ paths, sources, hits, visits, ...counted }: GatheredBatch): Batch {
  return {
    ...counted,
    paths: paths.texts,
    sources: sources.take(),
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
