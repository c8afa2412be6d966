import { describe, expect, it } from 'vitest'
import { toMeasuring, toResult } from '../../src/actions/outcome.ts'
import { parseOutcome } from '../../src/dashboard/views/actions/outcome-parts.ts'

const window = { first: '2026-09-21', last: '2026-10-18', mayFlatter: false }
const measured = (hits: number, total: number) => ({
  count: { hits, total },
  answers: total,
  interval: { low: 0.04, high: 0.11 },
})
const marked = { marked_done_at: '2026-10-19T06:00:00.000Z', result_due: '2026-11-16T06:00:00.000Z' } as const

describe('an outcome', () => {
  it('is taken apart as the service writes it', () => {
    const { summary } = toResult('mention', {
      before: { ...measured(12, 1_180), window },
      after: measured(41, 176),
      comparison: {
        verdict: 'improved',
        change: 0.17,
        untouched: { change: -0.012, prompts: 24, isMedian: true },
        p: 0.01,
        missing: null,
      },
    })
    expect(parseOutcome({ ...marked, verdict: 'improved', summary })).toEqual({
      verb: 'named in',
      before: {
        counts: '12 of 1,180',
        interval: '4–11 %',
        range: { start_date: '2026-09-21', end_date: '2026-10-18' },
      },
      after: { counts: '41 of 176', interval: '4–11 %', range: { start_date: '2026-10-19', end_date: '2026-11-15' } },
      control: '24 untouched prompts changed by −1 point (median)',
      mayFlatter: false,
    })
  })

  it('has no after while it is measured, and says where before may flatter', () => {
    const { summary } = toMeasuring(
      'coverage',
      { ...measured(3, 12), window: { ...window, mayFlatter: true } },
      '2026-11-16',
    )
    expect(parseOutcome({ ...marked, verdict: null, summary })).toEqual({
      verb: 'named for',
      before: { counts: '3 of 12', interval: '4–11 %', range: { start_date: '2026-09-21', end_date: '2026-10-18' } },
      after: undefined,
      control: undefined,
      mayFlatter: true,
    })
  })

  it('of another form is left as it is', () => {
    expect(parseOutcome({ ...marked, verdict: null, summary: 'Nothing to say.' })).toBeUndefined()
  })
})
