import { seededRandom, type SeededRandom } from '../../../data/demo/generator/random.ts'
import type { ChangeMetric, ChangesRequest } from '../../../src/reports/changes/contract.ts'
import type { World } from '../../support/oracle/world.ts'
import { ANSWER_FILTER, at, BRANDS, leaveOut, listOrders, makeFilter, makeLimit, send, type Sent } from './requests.ts'

const GROUPS = listOrders(['platform', 'prompt', 'category'] as const)
const METRICS: readonly ChangeMetric[] = [
  'mention_rate',
  'citation_rate',
  'prompt_coverage',
  'visibility_score',
  'share_of_voice',
]
const OF_SEVERAL_PROMPTS = new Set<ChangeMetric>(['prompt_coverage', 'visibility_score'])

/** Requests to a world; others with another seed. */
export function makeChangesRequests(world: World, count: number, seed = 'usual'): Sent<ChangesRequest>[] {
  return Array.from({ length: count }, (_, index) => {
    const random = seededRandom(`changes ${seed} ${index}`)
    const metric = at(METRICS, index)
    const groups = OF_SEVERAL_PROMPTS.has(metric) ? GROUPS.filter((group) => !group.includes('prompt')) : GROUPS
    const asked: ChangesRequest = {
      ...makeRanges(random, world),
      metric,
      group_by: at(groups, Math.floor(index / METRICS.length)),
      brands: random.chance(0.4)
        ? random.pick(['owned', 'all'] as const)
        : at(BRANDS, Math.floor(index / METRICS.length)),
      filter: random.chance(0.6) ? undefined : makeFilter(random, world, ANSWER_FILTER),
      limit: makeLimit(random, 50, 100),
    }
    return send(random, 100, asked, {
      ...asked,
      group_by: leaveOut(random, asked.group_by, []),
      brands: leaveOut(random, asked.brands, 'owned'),
    })
  })
}

/** Halves, neighbours, single days, days before and after all answers; either range may be the first. */
function makeRanges(random: SeededRandom, { site, days }: World) {
  const border = random.between(5, days.length - 6)
  const long = [days[0]!, days[border]!, days[border + 1]!, days.at(-1)!] as const
  const [a, b, c, d] = random.pick([
    ...Array.from({ length: 9 }, () => long),
    [
      days[random.between(0, border)]!,
      days[border]!,
      days[border + 1]!,
      days[random.between(border + 1, days.length - 1)]!,
    ],
    ['2026-07-01', days[border]!, days[Math.min(days.length - 1, border + 3)]!, '2026-11-20'],
    [days[border]!, days[border]!, days[border + 1]!, days[border + 1]!],
    ['2026-05-26', '2026-08-26', '2026-08-27', '2026-11-27'],
    ['2026-06-01', '2026-08-01', days[0]!, days.at(-1)!],
    ['2020-02-29', '2020-03-01', '2027-01-01', '2027-02-01'],
  ] as const)
  const first = { start_date: a, end_date: b }
  const last = { start_date: c, end_date: d }
  const [range, compared] = random.chance(0.7) ? [last, first] : [first, last]
  return {
    site_id: site.id,
    ...range,
    compare_start_date: compared.start_date,
    compare_end_date: compared.end_date,
  }
}
