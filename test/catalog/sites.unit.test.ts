import { describe, expect, test } from 'vitest'
import { ENGINE_IDS } from '../../src/domain/enums.ts'
import { CommandError, UsageError } from '../../src/errors.ts'
import { openTestCatalog } from './support/test-catalog.ts'

describe('create', () => {
  test('the first site of an empty directory gets an organization named after it', () => {
    const { catalog } = openTestCatalog()
    const site = catalog.sites.create({ name: 'Acme', domain: 'https://Acme.com/shop' })
    const [organization] = catalog.organizations.list()
    expect(organization?.name).toBe('Acme')
    expect(site).toEqual({
      id: expect.stringMatching(/^site_[0-9a-z]{26}$/),
      organizationId: organization?.id,
      name: 'Acme',
      domain: 'acme.com',
      aliases: [],
      exact: [],
      market: null,
      platforms: ENGINE_IDS,
      discover: true,
      pageTypeRules: null,
      sourceKinds: null,
      rev: 0,
      createdAt: '2026-11-20T07:03:09.120Z',
    })
    expect(catalog.sites.get(site.id)).toEqual(site)
  })

  test('the next one goes to the only organization, and with several one must be named', () => {
    const { catalog } = openTestCatalog()
    const first = catalog.sites.create({ name: 'Acme', domain: 'acme.com' })
    expect(catalog.sites.create({ name: 'Bolt', domain: 'bolt.com' }).organizationId).toBe(first.organizationId)
    const other = catalog.organizations.create({ name: 'Other' })
    expect(() => catalog.sites.create({ name: 'Cog', domain: 'cog.com' })).toThrow(UsageError)
    const cog = catalog.sites.create({ name: 'Cog', domain: 'cog.com', organizationId: other.id })
    expect(catalog.sites.list(other.id)).toEqual([cog])
    expect(
      catalog.sites
        .list()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['Acme', 'Bolt', 'Cog'])
  })

  test('keeps what it is given, platforms in the order of the catalogue', () => {
    const { catalog } = openTestCatalog()
    const site = catalog.sites.create({
      id: 'acme',
      name: 'Acme',
      domain: 'acme.com',
      aliases: ['Acme Inc.', 'Acme', 'ACME Cloud', 'Acme Inc.'],
      market: ' Berlin ',
      platforms: ['claude', 'ai_mode', 'claude'],
      discover: false,
      pageTypeRules: [{ path: '/x/*', type: 'other' }],
      sourceKinds: { 'x.com': 'forum' },
    })
    expect(site).toMatchObject({
      id: 'acme',
      aliases: ['Acme Inc.', 'ACME Cloud'],
      market: 'Berlin',
      platforms: ['ai_mode', 'claude'],
      discover: false,
      pageTypeRules: [{ path: '/x/*', type: 'other' }],
      sourceKinds: { 'x.com': 'forum' },
    })
    expect(catalog.sites.get('acme')).toEqual(site)
  })

  test.each([
    [{ name: '', domain: 'acme.com' }, 'A name cannot be empty.'],
    [{ name: 'Acme', domain: 'acme com' }, '"acme com" is no domain. Give it like this: acme.com'],
    [{ name: 'Acme', domain: 'acme.com', platforms: [] }, 'A site needs at least one platform.'],
    [
      { id: 'a b', name: 'Acme', domain: 'acme.com' },
      'The id "a b" cannot be used: an id is 1 to 64 of A-Z a-z 0-9 . _ -',
    ],
    [
      { name: 'Acme', domain: 'acme.com', organizationId: 'org_x' },
      'There is no organization "org_x". `answerlake orgs list` shows them.',
    ],
  ])('refuses %j and leaves no organization behind', (given, message) => {
    const { catalog } = openTestCatalog()
    expect(() => catalog.sites.create(given)).toThrow(new CommandError(message))
    expect([catalog.sites.list(), catalog.organizations.list()]).toEqual([[], []])
  })

  test('an organization has one site a domain, and an id is used once', () => {
    const { catalog } = openTestCatalog()
    catalog.sites.create({ id: 'acme', name: 'Acme', domain: 'acme.com' })
    expect(() => catalog.sites.create({ name: 'Acme 2', domain: 'ACME.com' })).toThrow(
      'The organization already has a site for acme.com: acme',
    )
    expect(() => catalog.sites.create({ id: 'acme', name: 'Bolt', domain: 'bolt.com' })).toThrow(
      'The id "acme" is taken by another site.',
    )
    catalog.sites.create({ id: 'bolt', name: 'Bolt', domain: 'bolt.com' })
    expect(() => catalog.sites.set('bolt', { domain: 'acme.com' })).toThrow('already has a site for acme.com: acme')
  })
})

describe('find', () => {
  test('finds by id first, then by domain however it is written', () => {
    const { catalog } = openTestCatalog()
    const acme = catalog.sites.create({ name: 'Acme', domain: 'acme.com' })
    const named = catalog.sites.create({ id: 'acme.com', name: 'Bolt', domain: 'bolt.com' })
    expect(catalog.sites.find('acme.com')).toEqual(named)
    expect(catalog.sites.find('https://ACME.com/')).toEqual(acme)
    expect(catalog.sites.find('nobody.com')).toBeUndefined()
    expect(() => catalog.sites.get('nobody.com')).toThrow('There is no site "nobody.com". `answerlake sites list`')
  })

  test('names the ids when two organizations track the same domain', () => {
    const { catalog } = openTestCatalog()
    const organizationId = catalog.organizations.create({ id: 'other', name: 'Other' }).id
    catalog.sites.create({ id: 'a', name: 'Acme', domain: 'acme.com' })
    catalog.organizations.create({ id: 'more', name: 'More' })
    catalog.sites.create({ id: 'b', name: 'Acme', domain: 'acme.com', organizationId: 'more' })
    expect(() => catalog.sites.get('acme.com')).toThrow(
      'Several sites have the domain "acme.com". Name one by its id: a, b',
    )
    expect(catalog.sites.findOf(organizationId, 'a')?.id).toBe('a')
    expect(catalog.sites.findOf(organizationId, 'b')).toBeUndefined()
    expect(catalog.sites.findOf(organizationId, 'acme.com')).toBeUndefined()
  })
})

describe('rev', () => {
  test.each([
    [{ name: 'Acme 2' }, 1],
    [{ domain: 'acme.org' }, 1],
    [{ aliases: ['Acme Inc.'] }, 1],
    [{ sourceKinds: { 'x.com': 'forum' } }, 1],
    [{ name: 'Acme', domain: 'acme.com', aliases: [], sourceKinds: null }, 0],
    [{ market: 'Berlin' }, 0],
    [{ platforms: ['claude'] as const }, 0],
    [{ discover: false }, 0],
    [{ pageTypeRules: [] }, 0],
    [{}, 0],
  ])('after %j it has grown by %d: a walk through a report ends when the report may differ', (change, growth) => {
    const { catalog } = openTestCatalog()
    const { id } = catalog.sites.create({ name: 'Acme', domain: 'acme.com' })
    const after = catalog.sites.set(id, change)
    expect([after.rev, catalog.sites.rev(id), catalog.sites.get(id)]).toEqual([growth, growth, after])
  })
})

describe('numbers', () => {
  test('reserved ones follow each other and never come again', () => {
    const { catalog } = openTestCatalog()
    const { id } = catalog.sites.create({ name: 'Acme', domain: 'acme.com' })
    expect(catalog.sites.reserve(id, { prompts: 3 })).toEqual({ firstPromptNo: 1, firstBrandNo: 1 })
    expect(catalog.sites.reserve(id, { prompts: 2, brands: 4 })).toEqual({ firstPromptNo: 4, firstBrandNo: 1 })
    expect(catalog.sites.reserve(id, { brands: 1 })).toEqual({ firstPromptNo: 6, firstBrandNo: 5 })
    expect(() => catalog.sites.reserve('site_x', { brands: 1 })).toThrow('There is no site "site_x".')
    expect(catalog.sites.rev(id)).toBe(0)
  })

  test('counters are the site’s own, begin where the caller says and never go back', () => {
    const { catalog } = openTestCatalog()
    const a = catalog.sites.create({ name: 'Acme', domain: 'acme.com' }).id
    const b = catalog.sites.create({ name: 'Bolt', domain: 'bolt.com' }).id
    expect(catalog.sites.counter(a, 'answer_no', 1)).toBe(1)
    catalog.sites.setCounter(a, 'answer_no', 7)
    catalog.sites.setCounter(a, 'answer_no', 5)
    expect(catalog.sites.counter(a, 'answer_no', 1)).toBe(7)
    expect(catalog.sites.counter(a, 'host_no')).toBe(0)
    expect(catalog.sites.counter(b, 'answer_no', 1)).toBe(1)
  })
})
