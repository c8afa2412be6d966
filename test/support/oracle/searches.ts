import type { SearchesRequest, SearchMetric } from '../../../src/reports/searches/contract.ts'
import { lower, passes, splitFilter } from './filter.ts'
import { groupAnswers, toAnswerFields } from './groups.ts'
import { ascending, byGroupFields, descending, type Group, inOrderOf } from './order.ts'
import type { OracleAnswer, Truth } from './truth.ts'

interface Row extends Group {
  readonly search: string
  readonly measured: Record<SearchMetric, number>
}

/** Rows of the searches report, counted one by one (contract/api 5.16). */
export function expectSearches(truth: Truth, request: SearchesRequest): Record<string, unknown>[] {
  const { forAnswers, forRest } = splitFilter(request.filter)
  const rows = groupAnswers(truth, { ...request, filter: forAnswers }).flatMap(({ group, answers }) => {
    const searching = answers.filter((answer) => listSearches(answer).length > 0)
    const found = new Map<string, OracleAnswer[]>()
    for (const answer of searching) {
      for (const search of listSearches(answer)) {
        if (!passes(forRest, { ...toAnswerFields(answer), search })) continue
        found.set(search, [...(found.get(search) ?? []), answer])
      }
    }
    return [...found].map(([search, those]): Row => ({
      ...group,
      search,
      measured: {
        answers: those.length,
        prompts: new Set(those.map(({ prompt }) => prompt.id)).size,
        share: those.length / searching.length,
        own_named: those.filter(({ brands }) => brands.some(({ isOwn }) => isOwn)).length / those.length,
      },
    }))
  })
  const { sort, metrics, group_by } = request
  const order = inOrderOf<Row>(
    sort === undefined
      ? () => 0
      : (sort.dir === 'asc' ? ascending : descending)((row: Row) => row.measured[sort.field]),
    descending(({ measured }) => measured.answers),
    ascending(({ search }) => search),
    byGroupFields(group_by),
  )
  return rows.sort(order).map(({ measured, ...row }) => ({
    ...row,
    ...Object.fromEntries(metrics.map((metric) => [metric, measured[metric]])),
  }))
}

function listSearches({ searches = [] }: OracleAnswer): string[] {
  return [...new Set(searches.map((search) => lower(search.trim())))].filter((search) => search !== '')
}
