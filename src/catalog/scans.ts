import type { EngineId, ScanStatus } from '../domain/enums.ts'
import type { AnswerScan } from '../domain/site.ts'
import type { ScanRuns } from './scan-runs.ts'
import type { Store } from './store.ts'

/** What one day's asking on one engine brought. */
export interface ScanEntry {
  /** UTC day, `YYYY-MM-DD`. */
  readonly day: string
  readonly platform: EngineId
  /** Prompts asked, with or without an answer. */
  readonly promptNos: readonly number[]
  readonly answers: number
  readonly noAnswers: number
}

/** The newest day of each site with an imported answer or no_answer (contract/api 8.2). */
export interface Scans {
  /** Adds what an import brought, inside its commit. Days before the newest one known are passed over. */
  record(siteId: string, entries: readonly ScanEntry[]): void
  /** Puts the entries in the place of what is known, after data was dropped. */
  replace(siteId: string, entries: readonly ScanEntry[]): void
  /**
   * The newest day and how complete it is for today's active prompts and platforms; `running` while a run of the site asks.
   * Null before the first.
   */
  last(siteId: string): AnswerScan | null
}

interface ScanRow {
  readonly day: string
  readonly platform: EngineId
  readonly prompt_nos: string
  readonly answers: number
  readonly no_answers: number
}

export function openScans(store: Store, runs: ScanRuns): Scans {
  const { db } = store
  const select = db.prepare<[string], ScanRow>(
    'SELECT day, platform, prompt_nos, answers, no_answers FROM scans WHERE site_id = ?',
  )
  const upsert = db.prepare<[ScanRow & { site_id: string }]>(`
    INSERT INTO scans (site_id, day, platform, prompt_nos, answers, no_answers)
    VALUES (@site_id, @day, @platform, @prompt_nos, @answers, @no_answers)
    ON CONFLICT (site_id, platform) DO UPDATE SET
      prompt_nos = excluded.prompt_nos, answers = excluded.answers, no_answers = excluded.no_answers`)
  const deleteAll = db.prepare<[string]>('DELETE FROM scans WHERE site_id = ?')
  const selectActive = db
    .prepare<[string], number>(`SELECT prompt_no FROM prompts WHERE site_id = ? AND status = 'active'`)
    .pluck()
  const selectPlatforms = db.prepare<[string], string>('SELECT platforms FROM sites WHERE id = ?').pluck()

  const record = (siteId: string, entries: readonly ScanEntry[]): void => {
    for (const entry of entries) {
      const known = select.all(siteId)
      const newest = known[0]?.day ?? ''
      if (entry.day < newest) continue
      if (entry.day > newest) deleteAll.run(siteId)
      const before = known.find((row) => row.day === entry.day && row.platform === entry.platform)
      const promptNos = new Set([...(before ? (JSON.parse(before.prompt_nos) as number[]) : []), ...entry.promptNos])
      upsert.run({
        site_id: siteId,
        day: entry.day,
        platform: entry.platform,
        prompt_nos: JSON.stringify([...promptNos].sort((a, b) => a - b)),
        answers: (before?.answers ?? 0) + entry.answers,
        no_answers: (before?.no_answers ?? 0) + entry.noAnswers,
      })
    }
  }

  return {
    record: (siteId, entries) => {
      store.write(() => record(siteId, entries))
    },
    replace: (siteId, entries) => {
      store.write(() => {
        deleteAll.run(siteId)
        record(siteId, entries)
      })
    },
    last: (siteId) =>
      store.read(() => {
        const rows = select.all(siteId)
        const running = runs.findAlive(siteId, 'answer')
        const date = rows[0]?.day ?? running?.day
        if (date === undefined) return null
        if (running) return { date, status: 'running' }
        const platforms = JSON.parse(selectPlatforms.get(siteId) ?? '[]') as EngineId[]
        return { date, status: toStatus(rows, platforms, selectActive.all(siteId)) }
      }),
  }
}

/** Nothing but no_answers is a failure even where everything was asked. */
function toStatus(rows: readonly ScanRow[], platforms: readonly EngineId[], active: readonly number[]): ScanStatus {
  if (rows.every((row) => row.answers === 0)) return 'failed'
  const asked = new Map(rows.map((row) => [row.platform, new Set(JSON.parse(row.prompt_nos) as number[])]))
  const isComplete = platforms.every((platform) => active.every((promptNo) => asked.get(platform)?.has(promptNo)))
  return isComplete ? 'complete' : 'partial'
}
