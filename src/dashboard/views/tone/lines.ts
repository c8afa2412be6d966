import type { Schemas } from '../../../client/client.ts'
import { ENGINE_IDS, ENGINE_NAMES } from '../../names.ts'
import type { Line } from '../../parts/line-chart.tsx'
import { SHARE_TITLES } from './share-titles.ts'

type Row = Schemas['SentimentRow']
/** The shares that the service gives. It counts answers that nobody judged as neutral. */
export type Share = 'positive' | 'neutral' | 'negative'

/** What the chart shows: the shares of all answers, or one share by engine. */
export type Shown = 'all' | 'negative' | 'positive'

export function readShown(text: string | undefined): Shown {
  return text === 'negative' || text === 'positive' ? text : 'all'
}

/** The three shares as lines over days; a day on which no answer names the own brand has none and is a gap. */
export function toToneLines(rows: readonly Row[], days: readonly string[]): Line[] {
  return [
    toLine(SHARE_TITLES.negative, rows, days, 'negative'),
    toLine(SHARE_TITLES.neutral, rows, days, 'neutral'),
    toLine(SHARE_TITLES.positive, rows, days, 'positive'),
  ]
}

/** One share as a line an engine, in the API's order; engines without any answer are left out. */
export function toEngineLines(rows: readonly Row[], days: readonly string[], share: Share): Line[] {
  return ENGINE_IDS.flatMap((engine) => {
    const own = rows.filter(({ platform }) => platform === engine)
    return own.length === 0 ? [] : [toLine(ENGINE_NAMES[engine], own, days, share)]
  })
}

function toLine(name: string, rows: readonly Row[], days: readonly string[], share: Share): Line {
  const byDay = new Map(rows.filter(({ answers_mentioning }) => answers_mentioning > 0).map((row) => [row.date, row]))
  const pick = (read: (row: Row) => number | null | undefined) =>
    days.map((day) => {
      const row = byDay.get(day)
      return row === undefined ? null : (read(row) ?? null)
    })
  return {
    name,
    values: pick((row) => row[share]),
    low: pick((row) => row[`${share}_low`]),
    high: pick((row) => row[`${share}_high`]),
    counts: pick((row) => row.answers_mentioning),
  }
}
