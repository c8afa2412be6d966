import { describe, expect, it } from 'vitest'
import { toAnswerFilter } from '../../src/dashboard/answer-filter.ts'
import { parseUrl } from '../../src/dashboard/url-state.ts'

const toFilter = (search: string) => {
  const state = parseUrl({ pathname: '/sites/acme.com/overview', search })
  return state && toAnswerFilter(state)
}

describe('the filter tree of a state', () => {
  it('is none without filters', () => {
    expect(toFilter('')).toBeUndefined()
  })

  it('is one condition for one kind, and joins two', () => {
    const engines = { field: 'platform', op: 'in', value: ['chatgpt', 'claude'] }
    const categories = { field: 'category', op: 'in', value: ['How-to'] }
    expect(toFilter('?engine=claude,chatgpt')).toEqual(engines)
    expect(toFilter('?category=How-to')).toEqual(categories)
    expect(toFilter('?engine=claude,chatgpt&category=How-to')).toEqual({ and: [engines, categories] })
  })
})
