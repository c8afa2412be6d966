import { describe, expect, it } from 'vitest'
import type { Schemas } from '../../../src/client/client.ts'
import type { CompetitorEvidence } from '../../../src/http/dashboard/operations/competitors.ts'
import { orderCandidates } from '../../../src/dashboard/views/competitors/order-candidates.ts'
import { toTrends } from '../../../src/dashboard/views/competitors/trends.ts'

const row = (name: string, more: Partial<Schemas['VisibilityRow']>): Schemas['VisibilityRow'] => ({
  brand: { name, owned: false },
  rank: null,
  ...more,
})
const competitor = (name: string, answers: number | null = null): CompetitorEvidence => ({
  id: `cmp_${name}`,
  name,
  aliases: [],
  domains: [],
  confirmed: false,
  source: answers === null ? 'manual' : 'discovered',
  answers,
})

describe('the competitors', () => {
  it('have a trend with gaps on days without answers, and 0 where they are named in none of them', () => {
    const days = ['2026-11-13', '2026-11-14', '2026-11-15']
    const trends = toTrends(
      [
        row('Globex', { date: days[0]!, answers: 10, mention_rate: 0.5 }),
        row('Globex', { date: days[1]!, answers: 0, mention_rate: 0 }),
        row('Initech', { date: days[2]!, answers: 10, mention_rate: 0 }),
        row('Initech', { date: '2026-11-16', answers: 10, mention_rate: 1 }),
      ],
      days,
    )
    expect([...trends]).toEqual([
      ['Globex', [0.5, null, null]],
      ['Initech', [null, null, 0]],
    ])
  })

  it('wait to be decided about in the order of the answers that name them', () => {
    const ordered = orderCandidates(
      [competitor('A'), competitor('B', 3), competitor('C', 9), competitor('D')],
      [row('B', { named_answers: 4 }), row('D', { named_answers: 7 }), row('A', { named_answers: 0 })],
    )
    expect(ordered.map(({ competitor, row }) => [competitor.name, row?.named_answers])).toEqual([
      ['D', 7],
      ['B', 4],
      ['C', undefined],
      ['A', 0],
    ])
  })
})
