import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CATEGORIES, ENGINE_IDS } from '../../src/dashboard/names.ts'
import {
  parseUrl,
  readSite,
  toPageUrl,
  toUrl,
  toView,
  VIEW_NAMES,
  type ViewState,
  withChange,
} from '../../src/dashboard/url-state.ts'

const OWN = new Set(['from', 'to', 'compare', 'engine', 'category'])

const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const days = fc.oneof(
  fc.constant({ from: '', to: '' }),
  fc.tuple(day, day).map((pair) => {
    const [from = '', to = ''] = pair.toSorted()
    return { from, to }
  }),
  day.map((from) => ({ from, to: '' })),
  day.map((to) => ({ from: '', to })),
)

/** Names and values of anything that a view may keep, signs of a query string and lone halves of emoji left out. */
const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((one) => one.isWellFormed())

const state: fc.Arbitrary<ViewState> = fc
  .record({
    days,
    site: text.filter((site) => site !== '.' && site !== '..'),
    view: fc.constantFrom(...VIEW_NAMES),
    compare: fc.constantFrom('previous' as const, 'none' as const),
    engines: fc.subarray([...ENGINE_IDS]),
    categories: fc.subarray([...CATEGORIES]),
    more: fc.dictionary(
      text.filter((name) => !OWN.has(name) && name !== '__proto__'),
      text,
      { maxKeys: 4, noNullPrototype: true },
    ),
  })
  .map(({ days, ...rest }) => ({ ...rest, ...days }))

const parse = (url: string) => parseUrl(new URL(url, 'http://127.0.0.1'))

describe('the URL as the state of a view', () => {
  it('reads back what it wrote, whatever the names of sites and values', () => {
    fc.assert(
      fc.property(state, (given) => {
        expect(parse(toUrl(given))).toEqual(given)
      }),
      { numRuns: 500 },
    )
  })

  it('leaves defaults out', () => {
    const plain = parse('/sites/acme.com/overview')
    expect(plain).toEqual({
      site: 'acme.com',
      view: 'overview',
      from: '',
      to: '',
      compare: 'previous',
      engines: [],
      categories: [],
      more: {},
    })
    expect(plain && toUrl(plain)).toBe('/sites/acme.com/overview')
    expect(parse('/sites/acme.com')?.view).toBe('overview')
  })

  it('passes over what is wrong, and takes the rest', () => {
    const given = parse(
      '/sites/acme.com/tone?from=2026-02-30&to=2026-11-15&engine=claude,altavista&category=,Brand&compare=x&by=week',
    )
    expect(given).toMatchObject({
      from: '',
      to: '2026-11-15',
      engines: ['claude'],
      categories: ['Brand'],
      more: { by: 'week' },
    })
    expect(parse('/sites/acme.com/tone?from=2026-11-15&to=2026-11-01')).toMatchObject({ from: '', to: '' })
  })

  it('is undefined on paths that are no view', () => {
    for (const path of [
      '/',
      '/sites',
      '/sites/',
      '/sites/acme.com/nothing',
      '/sites/acme.com/tone/x',
      '/settings/members',
    ]) {
      expect(parse(path), path).toBeUndefined()
    }
  })

  it('reads a path whose escapes are broken as it stands', () => {
    expect(parseUrl({ pathname: '/sites/%E0%A4%A/overview', search: '' })?.site).toBe('%E0%A4%A')
  })

  it('keeps days and filters on the way to another view, not what only the old one knew', () => {
    const given = parse('/sites/acme.com/visibility?engine=claude&by=platform')
    if (given === undefined) throw new Error('no state')
    expect(toUrl(toView(given, 'tone'))).toBe('/sites/acme.com/tone?engine=claude')
    expect(toUrl(withChange(given, { more: { by: '' } }))).toBe('/sites/acme.com/visibility?engine=claude')
  })

  it('names the site that a page of no site was reached from, whatever its name', () => {
    const pages = ['/settings/access', '/methods'] as const
    fc.assert(
      fc.property(state, fc.constantFrom(...pages), (given, path) => {
        const from = new URL(toUrl(given), 'http://127.0.0.1')
        const there = new URL(toPageUrl(path, from), from)
        expect([there.pathname, readSite(there)]).toEqual([path, given.site])
        expect(toPageUrl('/settings/data', there)).toBe(toPageUrl('/settings/data', from))
      }),
    )
    expect(toPageUrl('/methods', new URL('http://127.0.0.1/settings/data'))).toBe('/methods')
  })
})
