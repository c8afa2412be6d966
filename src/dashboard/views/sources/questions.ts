import type { Question, Schemas } from '../../api.ts'
import type { DayRange } from '../../days.ts'
import { toAnswerFilter } from '../../filters.ts'
import type { ViewState } from '../../url-state.ts'
import type { SourceSettings } from './settings.ts'

type Filter = Schemas['CitationFilter']
type Asked = Question & { readonly body: object }

/** The most values that a condition takes. */
export const VALUES_MAX = 500

/** Domains or pages by the answers that cite them, those in most answers first. */
export function toSourcesQuestion(
  siteId: string,
  range: DayRange,
  state: ViewState,
  { entity, owner, kind, domain, find }: SourceSettings,
): Asked {
  const conditions: Filter[] = [
    ...(owner === '' ? [] : [{ field: 'owner', op: 'is', value: owner } as const]),
    ...(kind === '' ? [] : [{ field: 'source_kind', op: 'is', value: kind } as const]),
    ...(domain === '' ? [] : [{ field: 'domain', op: 'is', value: domain } as const]),
    ...(find === '' ? [] : [{ field: 'domain', op: 'contains_case_insensitive', value: find } as const]),
  ]
  return toCitations(siteId, range, state, conditions, { entity })
}

/** The same numbers of some domains in other days. */
export function toBeforeQuestion(
  siteId: string,
  range: DayRange,
  state: ViewState,
  domains: readonly string[],
): Question | undefined {
  if (domains.length === 0) return undefined
  return toCitations(siteId, range, state, [{ field: 'domain', op: 'in', value: [...domains] }], {})
}

/** For which prompts answers name and cite the own brand, and how many there are. */
export function toPromptsQuestion(siteId: string, range: DayRange, state: ViewState): Question {
  const filter = toAnswerFilter(state)
  return {
    method: 'POST',
    path: '/reports/visibility',
    body: {
      site_id: siteId,
      ...range,
      group_by: ['prompt'],
      metrics: ['answers', 'named_answers', 'citing_answers'],
      ...(filter === undefined ? {} : { filter }),
    },
  }
}

/** What answers to these prompts cite of others. */
export function toGapQuestion(
  siteId: string,
  range: DayRange,
  state: ViewState,
  promptIds: readonly string[],
): Asked | undefined {
  if (promptIds.length === 0) return undefined
  const conditions: Filter[] = [
    { field: 'prompt', op: 'in', value: promptIds.slice(0, VALUES_MAX) },
    { field: 'owner', op: 'is', value: 'third_party' },
  ]
  return toCitations(siteId, range, state, conditions, {})
}

function toCitations(
  siteId: string,
  range: DayRange,
  state: ViewState,
  conditions: readonly Filter[],
  more: object,
): Asked {
  // The report takes the members of the top `and` apart into those that select answers and those that select citations.
  const answers = toAnswerFilter(state)
  const parts: Filter[] = [...(answers === undefined ? [] : [answers]), ...conditions]
  const filter = parts.length === 0 ? {} : { filter: { and: parts } }
  return { method: 'POST', path: '/reports/citations', body: { site_id: siteId, ...range, ...more, ...filter } }
}
