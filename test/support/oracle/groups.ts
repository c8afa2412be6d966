import type { Filter } from '../../../src/reports/request.ts'
import { monthOf, weekOf } from './buckets.ts'
import { type Fields, passes } from './filter.ts'
import type { Group } from './order.ts'
import type { OracleAnswer, Truth } from './truth.ts'

interface Asked {
  readonly start_date: string
  readonly end_date: string
  readonly group_by: readonly string[]
  readonly filter?: Filter | undefined
}

/** Answers of the range that pass the filter, by group; a group is there when an answer falls in it. */
export function groupAnswers(truth: Truth, asked: Asked): { group: Group; answers: OracleAnswer[] }[] {
  const groups = new Map<string, { group: Group; answers: OracleAnswer[] }>()
  for (const answer of truth.answers) {
    if (answer.day < asked.start_date || answer.day > asked.end_date) continue
    if (!passes(asked.filter, toAnswerFields(answer))) continue
    const group = toGroup(answer, asked.group_by)
    const key = JSON.stringify(group)
    const found = groups.get(key) ?? { group, answers: [] }
    found.answers.push(answer)
    groups.set(key, found)
  }
  return [...groups.values()]
}

/** What filters on answers may name (contract/api 12.5). */
export function toAnswerFields({ platform, prompt, model, provider }: OracleAnswer): Fields {
  return { platform, prompt: [prompt.text, prompt.id], category: prompt.category, model, provider }
}

function toGroup({ day, platform, prompt, model, provider }: OracleAnswer, groupBy: readonly string[]): Group {
  return {
    ...(groupBy.includes('date') && { date: day }),
    ...(groupBy.includes('week') && { week: weekOf(day) }),
    ...(groupBy.includes('month') && { month: monthOf(day) }),
    ...(groupBy.includes('platform') && { platform }),
    ...(groupBy.includes('prompt') && { prompt: { id: prompt.id, text: prompt.text } }),
    ...(groupBy.includes('category') && { category: prompt.category }),
    ...(groupBy.includes('model') && { model }),
    ...(groupBy.includes('provider') && { provider }),
  }
}
