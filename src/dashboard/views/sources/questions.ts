import type { Schemas } from '../../../client/client.ts'
import { FILTER_VALUES_MAX } from '../../bounds.ts'
import { toAnswerFilter } from '../../answer-filter.ts'
import { type Asking, type ReportQuestion, toAbout, toReport } from '../../report-questions.ts'
import type { SourceChoices } from './choices.ts'

type Filter = Schemas['CitationFilter']
type Asked = ReportQuestion<Schemas['CitationRow']>

/** Domains or pages by the answers that cite them, those in most answers first. */
export function toSourcesQuestion(asking: Asking, { entity, owner, kind, domain, find }: SourceChoices): Asked {
  const conditions: Filter[] = [
    ...(owner === '' ? [] : [{ field: 'owner', op: 'is', value: owner } as const]),
    ...(kind === '' ? [] : [{ field: 'source_kind', op: 'is', value: kind } as const]),
    ...(domain === '' ? [] : [{ field: 'domain', op: 'is', value: domain } as const]),
    ...(find === '' ? [] : [{ field: 'domain', op: 'contains_case_insensitive', value: find } as const]),
  ]
  return toCitations(asking, conditions, { entity })
}

/** The same numbers of some domains; nothing where there are none. */
export function toDomainsQuestion(asking: Asking, domains: readonly string[]): Asked | undefined {
  if (domains.length === 0) return undefined
  return toCitations(asking, [{ field: 'domain', op: 'in', value: [...domains] }])
}

/** For which prompts answers name and cite the own brand, and how many there are. */
export const toPromptsQuestion = (asking: Asking) =>
  toReport('visibility', {
    ...toAbout(asking),
    group_by: ['prompt'],
    metrics: ['answers', 'named_answers', 'citing_answers'],
  })

/** What answers to these prompts cite of others. */
export function toGapQuestion(asking: Asking, promptIds: readonly string[]): Asked | undefined {
  if (promptIds.length === 0) return undefined
  return toCitations(asking, [
    { field: 'prompt', op: 'in', value: promptIds.slice(0, FILTER_VALUES_MAX) },
    { field: 'owner', op: 'is', value: 'third_party' },
  ])
}

function toCitations({ state, site, range }: Asking, conditions: readonly Filter[], more: object = {}): Asked {
  // The report takes the members of the top `and` apart into those that select answers and those that select citations.
  const answers = toAnswerFilter(state)
  const parts: Filter[] = [...(answers === undefined ? [] : [answers]), ...conditions]
  const filter = parts.length === 0 ? {} : { filter: { and: parts } }
  return toReport('citations', { site_id: site.id, ...range, ...more, ...filter })
}
