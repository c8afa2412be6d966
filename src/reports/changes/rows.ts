import { type Category, ENGINE_IDS, type EngineId } from '../../domain/enums.ts'
import type { Prompt } from '../../domain/prompt.ts'
import { toQValues } from '../../statistics/benjamini-hochberg.ts'
import type { StudentT } from '../../statistics/student-t.ts'
import type { MeasuredBrand } from '../measured-brands.ts'
import type { BrandCell } from './cells.ts'
import { CHANGE_VERDICTS, type ChangesRequest } from './contract.ts'
import { type Estimate, estimate, isCommon } from './estimate.ts'

type Verdict = (typeof CHANGE_VERDICTS)[number]

/** A row of the report; of its group those fields that are grouped by. */
export interface Changed extends Estimate {
  readonly platform: EngineId | undefined
  readonly prompt: Prompt | undefined
  readonly category: Category | undefined
  readonly brand: MeasuredBrand
  readonly q: number | null
  readonly verdict: Verdict
  readonly cells: number
  readonly excluded: number
}

/** Above these a change may be chance: the share of false findings among those told, and the chance of one alone. */
const Q_MAX = 0.1
const P_MAX = 0.05

/** All rows of the report, with their verdicts and in their order (contract/api 5.14). */
export function toRows(
  cells: readonly BrandCell[],
  { metric, group_by }: ChangesRequest,
  { prompts, brands }: { readonly prompts: readonly Prompt[]; readonly brands: readonly MeasuredBrand[] },
  studentT: StudentT,
): Changed[] {
  const promptOf = new Map(prompts.map((prompt) => [prompt.promptNo, prompt]))
  const brandOf = new Map(brands.filter(({ asked }) => asked).map((brand) => [brand.brandNo, brand]))
  const fieldsOf = ({ promptNo, platformNo }: BrandCell): Pick<Changed, 'platform' | 'prompt' | 'category'> => {
    const prompt = promptOf.get(promptNo)
    return {
      platform: group_by.includes('platform') ? ENGINE_IDS[platformNo - 1] : undefined,
      prompt: group_by.includes('prompt') ? prompt : undefined,
      category: group_by.includes('category') ? prompt?.category : undefined,
    }
  }
  const groups = Map.groupBy(cells, (cell) => {
    const { platform, prompt, category } = fieldsOf(cell)
    return `${platform} ${prompt?.promptNo} ${category} ${cell.brandNo}`
  })
  const estimated = Array.from(groups.values(), (ofRow) => {
    const [cell] = ofRow
    const brand = cell && brandOf.get(cell.brandNo)
    if (cell === undefined || brand === undefined) throw new Error('a cell of the changes report is of no brand')
    const compared = ofRow.filter(isCommon).length
    return {
      ...fieldsOf(cell),
      brand,
      ...estimate(ofRow, metric, group_by.includes('prompt'), studentT),
      cells: compared,
      excluded: ofRow.length - compared,
    }
  })
  const rows = estimated.length === 0 && group_by.length === 0 ? [...brandOf.values()].map(toEmpty) : estimated
  return withVerdicts(rows).sort(toOrder(group_by))
}

/** The row of a brand where there is no answer at all. */
function toEmpty(brand: MeasuredBrand): Omit<Changed, 'q' | 'verdict'> {
  const none = { value: null, previous: null, change: null, low: null, high: null, p: null }
  return { platform: undefined, prompt: undefined, category: undefined, brand, ...none, cells: 0, excluded: 0 }
}

function withVerdicts(rows: readonly Omit<Changed, 'q' | 'verdict'>[]): Changed[] {
  const judged = rows.flatMap((row) => (row.p === null ? [] : [row.p]))
  const qValues = toQValues(judged)
  let next = 0
  return rows.map((row) => {
    const q = row.p === null ? null : (qValues[next++] ?? null)
    return { ...row, q, verdict: toVerdict(row, q) }
  })
}

function toVerdict({ change, p }: Pick<Estimate, 'change' | 'p'>, q: number | null): Verdict {
  if (change === null || p === null || q === null) return 'not_enough_data'
  if (change === 0 || q > Q_MAX || p > P_MAX) return 'no_change'
  return change > 0 ? 'up' : 'down'
}

/** By verdict, the greatest change first, then by the group's fields and the brand's name. */
function toOrder(groupBy: ChangesRequest['group_by']): (a: Changed, b: Changed) => number {
  const placeOf = ({ platform }: Changed): number => ENGINE_IDS.findIndex((engine) => engine === platform)
  const byField = {
    platform: (a: Changed, b: Changed): number => placeOf(a) - placeOf(b),
    prompt: (a: Changed, b: Changed): number => compareTexts(a.prompt?.id ?? '', b.prompt?.id ?? ''),
    category: (a: Changed, b: Changed): number => compareTexts(a.category ?? '', b.category ?? ''),
  }
  return (a, b) =>
    CHANGE_VERDICTS.indexOf(a.verdict) - CHANGE_VERDICTS.indexOf(b.verdict) ||
    toSize(b) - toSize(a) ||
    groupBy.reduce((order, field) => order || byField[field](a, b), 0) ||
    compareTexts(a.brand.name, b.brand.name)
}

/** |change| in billionths, so that sums equal on paper tie; below all where there is none. */
function toSize({ change }: Changed): number {
  return change === null ? -1 : Math.round(Math.abs(change) * 1e9)
}

/** Texts by code points, as DuckDB orders them. */
function compareTexts(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))
}
