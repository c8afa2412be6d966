import { describe, expect, it } from 'vitest'
import type { Schemas } from '../../../src/client/client.ts'
import { parseUrl } from '../../../src/dashboard/url-state.ts'
import { findGap } from '../../../src/dashboard/views/sources/gap.ts'
import { toDomainsQuestion, toGapQuestion, toSourcesQuestion } from '../../../src/dashboard/views/sources/questions.ts'
import { readChoices } from '../../../src/dashboard/views/sources/choices.ts'

const RANGE = { start_date: '2026-10-19', end_date: '2026-11-15' }
const stateOf = (search: string) => parseUrl({ pathname: '/sites/acme.com/sources', search })!
const asking = (search: string) => ({ state: stateOf(search), site: { id: 'site_1' }, range: RANGE })
const ask = (search: string) => toSourcesQuestion(asking(search), readChoices(stateOf(search))).body

describe('the sources', () => {
  it('are asked for with the filters of the bar and of the view, each a member of the top `and`', () => {
    expect(ask('')).toEqual({ site_id: 'site_1', ...RANGE, entity: 'domain' })
    expect(ask('?entity=page&engine=claude&owner=own&kind=forum&domain=x.y&find=Z')).toEqual({
      site_id: 'site_1',
      ...RANGE,
      entity: 'page',
      filter: {
        and: [
          { field: 'platform', op: 'in', value: ['claude'] },
          { field: 'owner', op: 'is', value: 'own' },
          { field: 'source_kind', op: 'is', value: 'forum' },
          { field: 'domain', op: 'is', value: 'x.y' },
          { field: 'domain', op: 'contains_case_insensitive', value: 'Z' },
        ],
      },
    })
  })

  it('pass over what the URL says wrongly', () => {
    expect(ask('?entity=host&owner=mine&kind=toString')).toEqual(ask(''))
  })

  it('ask nothing of the days before where nothing is shown', () => {
    expect(toDomainsQuestion(asking(''), [])).toBeUndefined()
    expect(toDomainsQuestion(asking(''), ['x.y'])?.body).toMatchObject({
      filter: { and: [{ field: 'domain', op: 'in', value: ['x.y'] }] },
    })
  })
})

describe('where the own brand is missing', () => {
  const row = (
    id: string,
    answers: number,
    named_answers: number,
    citing_answers: number,
  ): Schemas['VisibilityRow'] => ({
    prompt: { id, text: id },
    brand: { name: 'Acme', owned: true },
    rank: 1,
    answers,
    named_answers,
    citing_answers,
  })
  const rows = [row('a', 10, 0, 3), row('b', 20, 2, 0), row('c', 5, 0, 0), row('d', 0, 0, 0)]

  it('is where no answer names it, or none cites it; a prompt without answers is in neither', () => {
    expect(findGap(rows, 'named')).toEqual({ promptIds: ['a', 'c'], answers: 15, prompts: 3 })
    expect(findGap(rows, 'cited')).toEqual({ promptIds: ['b', 'c'], answers: 25, prompts: 3 })
    expect(findGap([], 'cited')).toEqual({ promptIds: [], answers: 0, prompts: 0 })
  })

  it('is asked for with as many prompts as a condition takes', () => {
    expect(toGapQuestion(asking(''), [])).toBeUndefined()
    const many = Array.from({ length: 600 }, (_, index) => `p${index}`)
    const body = toGapQuestion(asking('?category=Brand'), many)?.body
    expect(body).toMatchObject({ filter: { and: { 1: { field: 'prompt', value: { length: 500 } } } } })
  })
})
