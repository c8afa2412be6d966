import type { HitRows } from '../../lake/hit-keys.ts'
import type { VisitRows } from '../../lake/log-stage.ts'
import type { NamedPaths } from '../../lake/path-numbers.ts'
import type { AddressKind } from './address-kinds.ts'
import { NumberColumn } from './number-column.ts'
import { createPlaces } from './places.ts'

export interface RejectedLine {
  /** As the splitter counts it. */
  readonly line: number
  readonly reason: string
  /** The line as it was, '' unless it is wanted. */
  readonly record: string
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
  readonly paths: NamedPaths
  /** 0 when the tally has started its list anew. */
  readonly pathsBefore: number
  readonly sources: readonly string[]
  /** Paths by their places among those that the tally has named, engines by theirs among `sources`. */
  readonly hits: HitRows
  readonly visits: VisitRows
  /** Hits by what kind of address they came from. */
  readonly addressKinds: Readonly<Record<AddressKind, number>>
}

/** A batch under way. */
export type GatheredBatch = ReturnType<typeof startBatch>

export function startBatch() {
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

/** What it has gathered, in memory of its own. */
export function endBatch({
  hits,
  visits,
  sources,
  ...counted
}: GatheredBatch): Omit<LogBatch, 'tallyNo' | 'paths' | 'pathsBefore'> {
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
