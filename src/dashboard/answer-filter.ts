import type { Schemas } from '../client/client.ts'
import type { ViewState } from './url-state.ts'

/** The filter tree of reports over answers that a state's filters are; undefined for none. */
export function toAnswerFilter({ engines, categories }: ViewState): Schemas['AnswerFilter'] | undefined {
  const parts: Schemas['AnswerFilter'][] = []
  if (engines.length > 0) {
    parts.push({ field: 'platform', op: 'in', value: [...engines] })
  }
  if (categories.length > 0) {
    parts.push({ field: 'category', op: 'in', value: [...categories] })
  }
  const [first] = parts
  return parts.length > 1 ? { and: parts } : first
}
