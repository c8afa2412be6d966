import type { BrandCell, CellRange } from '../../../src/reports/changes/cells.ts'
import { type Changed, toRows } from '../../../src/reports/changes/rows.ts'
import type { ChangesRequest } from '../../../src/reports/changes/contract.ts'
import type { Prompt } from '../../../src/domain/prompt.ts'
import type { StudentT } from '../../../src/statistics/student-t.ts'
import {
  EIGHT_WEEKS,
  type SimulatedAnswer,
  simulateWorld,
  type WorldKind,
  type WorldOptions,
} from '../../statistics/worlds.ts'

/** The last four weeks are compared with the four before. */
const BORDER = 28

export interface Comparison {
  readonly options: WorldOptions
  readonly metric: ChangesRequest['metric']
  readonly group_by: ChangesRequest['group_by']
}

const THREE_BRANDS = [0.2, 0.35, 0.1]
const compare = (
  prompts: number,
  metric: Comparison['metric'],
  group_by: Comparison['group_by'] = [],
  rates = EIGHT_WEEKS.rates,
): Comparison => ({ options: { ...EIGHT_WEEKS, prompts, rates }, metric, group_by })

export const COMPARISONS: Readonly<Record<string, Comparison>> = {
  'mention rate, 12 prompts': compare(12, 'mention_rate'),
  'mention rate, 30 prompts': compare(30, 'mention_rate'),
  'mention rate, 8 prompts': compare(8, 'mention_rate'),
  'mention rate by engine, 12 prompts': compare(12, 'mention_rate', ['platform']),
  'coverage, 12 prompts': compare(12, 'prompt_coverage'),
  'share of voice, 12 prompts': compare(12, 'share_of_voice', [], THREE_BRANDS),
  'mention rate by prompt': compare(12, 'mention_rate', ['prompt']),
}

/** The shares of rows of the first brand that are called up and down, over so many worlds. */
export function measureChanges(
  kind: WorldKind,
  { options, metric, group_by }: Comparison,
  { worlds, studentT }: { readonly worlds: number; readonly studentT: StudentT },
): { readonly up: number; readonly down: number } {
  const rows = Array.from({ length: worlds }, (_, world) => {
    const { answers } = simulateWorld(kind, `changes ${world}`, options)
    return report(answers, options, { metric, group_by }, studentT)
  }).flat()
  const share = (verdict: Changed['verdict']): number =>
    rows.filter((row) => row.verdict === verdict).length / rows.length
  return { up: share('up'), down: share('down') }
}

/** What the report says of the first brand. */
function report(
  answers: readonly SimulatedAnswer[],
  { prompts, rates }: WorldOptions,
  asked: Pick<ChangesRequest, 'metric' | 'group_by'>,
  studentT: StudentT,
): Changed[] {
  const cells = [...Map.groupBy(answers, ({ prompt, engine }) => `${prompt} ${engine}`).values()].map(
    (of): BrandCell => {
      const { prompt, engine } = of[0]!
      return {
        promptNo: prompt + 1,
        platformNo: engine + 1,
        brandNo: 0,
        previous: sumUp(
          of.filter(({ day }) => day < BORDER),
          asked,
        ),
        current: sumUp(
          of.filter(({ day }) => day >= BORDER),
          asked,
        ),
      }
    },
  )
  const request = { ...asked, site_id: 's', brands: 'owned', limit: 100 } as unknown as ChangesRequest
  const brands = rates.map((_, brandNo) => ({
    brandNo,
    name: `Brand ${brandNo}`,
    domains: [],
    ranked: true,
    asked: brandNo === 0,
  }))
  return toRows(cells, request, { prompts: Array.from({ length: prompts }, toPrompt), brands }, studentT)
}

function toPrompt(_: unknown, index: number): Prompt {
  const id = `p${index}`
  const always = { siteId: 's', market: null, status: 'active', createdAt: '', updatedAt: '' } as const
  return { id, promptNo: index + 1, text: id, category: 'Discovery', ...always }
}

/** Day 0 is a Monday. */
function sumUp(answers: readonly SimulatedAnswer[], { metric }: Pick<ChangesRequest, 'metric'>): CellRange {
  const weeks = [...Map.groupBy(answers, ({ day }) => Math.floor(day / 7)).values()].map((of) => ({
    n: metric === 'share_of_voice' ? of.flatMap(({ named }) => named.filter(Boolean)).length : of.length,
    s: of.filter(({ named }) => named[0]).length,
  }))
  const sum = (value: (week: { n: number; s: number }) => number): number =>
    weeks.reduce((total, week) => total + value(week), 0)
  const n = sum((week) => week.n)
  return {
    answers: answers.length,
    cited: { n, s: 0 },
    n,
    s: sum(({ s }) => s),
    weeks: weeks.filter((week) => week.n > 0).length,
    ss: sum(({ s }) => s * s),
    sn: sum((week) => week.s * week.n),
    nn: sum((week) => week.n * week.n),
  }
}
