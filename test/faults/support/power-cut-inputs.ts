import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../../../src/app.ts'
import { USUAL_ANSWER_FIELDS } from '../../../src/reports/answers/contract.ts'
import { SITE, writeLog } from './world.ts'

/** Months of which each unit has a day of its own, as those deletions need that go by days; the last is too old. */
export const DAYS = { answers: '2026-01', logs: '2026-02', old: '2023-05' } as const
const COUNT = 4

export function toDayOf(days: keyof typeof DAYS, no: number): string {
  return `${DAYS[days]}-${String(1 + no).padStart(2, '0')}`
}

/** Files of units by their numbers; each is written when it is asked for. */
export interface Inputs {
  answers(no: number, options?: { readonly text?: 'First' | 'Second'; readonly days?: keyof typeof DAYS }): string
  judgements(no: number): string
  log(no: number): string
}

export function openInputs(dir: string): Inputs {
  const write = (name: string, records: readonly object[]): string => {
    const path = join(dir, name)
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    return path
  }
  const ofEach = (no: number, make: (index: number) => object) =>
    Array.from({ length: COUNT }, (_, index) => ({ id: `u${no}-${index}`, ...make(index) }))
  return {
    answers: (no, { text = 'First', days = 'answers' } = {}) =>
      write(
        `${text}-${no}.ndjson`,
        ofEach(no, (index) => ({
          date: toDayOf(days, no),
          platform: 'gemini',
          prompt: `What of p${1 + (index % 3)}?`,
          text: `${text} of ${no}-${index}: Acme, then Globex.`,
          citations: [`https://acme.com/u${no}/${index}`],
        })),
      ),
    judgements: (no) =>
      write(
        `judged-${no}.ndjson`,
        ofEach(no, () => ({ sentiment: 'positive' })),
      ),
    log(no) {
      const path = join(dir, `${no}.log`)
      writeLog(path, 1 + no, DAYS.logs)
      return path
    },
  }
}

/** What is there of a unit's answers: the first word of their texts and their sentiment; `torn` when they differ. */
export async function readAnswers(
  { reports }: App,
  siteId: string,
  no: number,
  days: keyof typeof DAYS = 'answers',
): Promise<string> {
  const day = toDayOf(days, no)
  const range = { site_id: siteId, start_date: day, end_date: day, limit: 50 }
  const { data } = await reports.answers(siteId, { ...range, include: USUAL_ANSWER_FIELDS })
  const found = data.map(({ text = '', sentiment, mentions = [], citations = [] }) => {
    const word = text.split(' ', 1)[0]?.toLowerCase()
    return [word || 'blank', ...(sentiment ? [sentiment] : []), mentions.includes('Acme'), citations.length].join(' ')
  })
  if (found.length === 0) return ''
  const [first = ''] = found
  const isWhole = found.length === COUNT && new Set(found).size === 1 && first.endsWith(HANGING)
  return isWhole ? first.slice(0, -HANGING.length) : `torn: ${found.join()}`
}

/** A brand that it names, and one link. */
const HANGING = ' true 1'

/** What is there of a unit's log: its hits and visits, of which there are as many paths as the log has lines. */
export async function readLog({ reports }: App, no: number): Promise<string> {
  const day = toDayOf('logs', no)
  const asked = {
    site_id: SITE,
    start_date: day,
    end_date: day,
    timezone: 'UTC',
    group_by: ['path'] as const,
    limit: 50,
  }
  const bots = await reports.bots(SITE, { ...asked, metrics: ['hits'] })
  const referrals = await reports.referrals(SITE, { ...asked, metrics: ['visits'] })
  const counts = [...bots.data.map(({ hits }) => hits), ...referrals.data.map(({ visits }) => visits)]
  if (counts.length === 0) return ''
  return counts.length === LOG_LINES && counts.every((count) => count === 1) ? 'all' : `torn: ${counts.join()}`
}

/** Three hits and three visits. */
const LOG_LINES = 6
