import type { Schemas } from '../../../client/client.ts'
import { type DayRange, listDays } from '../../days.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { pickKey } from '../../pick-key.ts'

/** What the days of a range miss, of a visibility report by `date` and `platform`. */
export interface Gaps {
  /** Days without any answer. */
  readonly days: readonly string[]
  /** Engines of the site without any answer in the range. */
  readonly engines: readonly Schemas['EngineId'][]
  /** Engines with answers on some of the days that have any, and on how many they have none. */
  readonly partial: readonly { readonly engine: Schemas['EngineId']; readonly missing: number }[]
}

/** Finds days and engines without answers. `rows` are of all engines, unfiltered. */
export function findGaps(
  range: DayRange,
  engines: readonly Schemas['EngineId'][],
  rows: readonly Schemas['VisibilityRow'][],
): Gaps {
  const asked = new Set(rows.map(({ date }) => date))
  const days = new Map<Schemas['EngineId'], number>()
  for (const { platform } of rows) if (platform !== undefined) days.set(platform, (days.get(platform) ?? 0) + 1)
  return {
    days: listDays(range).filter((day) => !asked.has(day)),
    engines: engines.filter((engine) => !days.has(engine)),
    partial: engines
      .map((engine) => ({ engine, missing: asked.size - (days.get(engine) ?? 0) }))
      .filter(({ engine, missing }) => missing > 0 && days.has(engine)),
  }
}

/** Consecutive days as ranges: what misses a week is said once. */
export function toRuns(days: readonly string[]): DayRange[] {
  const runs: DayRange[] = []
  for (const day of days) {
    const last = runs.at(-1)
    if (last !== undefined && Date.parse(day) - Date.parse(last.end_date) === 86_400_000) {
      runs[runs.length - 1] = { start_date: last.start_date, end_date: day }
    } else {
      runs.push({ start_date: day, end_date: day })
    }
  }
  return runs
}

/** A note of the changes report, `chatgpt: the model changed, …`, taken apart. */
export interface Note {
  readonly engine: Schemas['EngineId']
  readonly text: string
  readonly isModelChange: boolean
}

/** Reads `info.notes`; what isn't of their form is passed over. */
export function readNotes(info: Readonly<Record<string, unknown>> | undefined): Note[] {
  const notes = Array.isArray(info?.['notes']) ? info['notes'] : []
  return notes.flatMap((note) => {
    const [, engine, text] = typeof note === 'string' ? (/^(\w+): (.+)$/s.exec(note) ?? []) : []
    const known = pickKey(engine, ENGINE_NAMES)
    if (known === undefined || text === undefined) return []
    return [{ engine: known, text, isModelChange: text.includes('model') }]
  })
}
