import { describe, expect, test } from 'vitest'
import { openTestCatalog } from './support/test-catalog.ts'

function openWithPrompts({ promptLimit = 500, count = 4 } = {}) {
  const opened = openTestCatalog('server')
  const { catalog, clock } = opened
  const organizationId = catalog.organizations.create({ name: 'Acme', promptLimit }).id
  const siteId = catalog.sites.create({ name: 'Acme', domain: 'acme.com' }).id
  const otherSiteId = catalog.sites.create({ name: 'Bolt', domain: 'bolt.com' }).id
  const given = Array.from({ length: count }, (_, index) => ({
    id: `p${index}`,
    text: `Question ${index}?`,
    category: 'Discovery' as const,
    market: index === 1 ? 'Berlin' : null,
    status: 'disabled' as const,
  }))
  const prompts = catalog.prompts.add(siteId, given).added
  catalog.prompts.add(otherSiteId, [{ id: 'theirs', text: 'Theirs?', category: 'Brand', status: 'disabled' }])
  clock.nowMs += 1_000
  const LATER = '2026-11-20T07:03:10.120Z'
  return { ...opened, organizationId, siteId, otherSiteId, prompts, LATER }
}

describe('update', () => {
  test('changes what is given, in request order, and lists what is not the site’s', () => {
    const { catalog, siteId, prompts, LATER } = openWithPrompts()
    const result = catalog.prompts.update(siteId, [
      { id: 'p2', category: 'Brand', market: 'Wien' },
      { id: 'theirs', category: 'Pricing' },
      { id: 'p1', market: null },
      { id: 'nobody', market: 'x' },
    ])
    const after = [
      { ...prompts[2], category: 'Brand', market: 'Wien', updatedAt: LATER },
      { ...prompts[1], market: null, updatedAt: LATER },
    ]
    expect(result).toEqual({ prompts: after, notFound: ['theirs', 'nobody'] })
    expect(catalog.prompts.list(siteId).prompts).toEqual([prompts[0], after[1], after[0], prompts[3]])
    expect(catalog.prompts.findByText(siteId, 'Theirs?')).toBeUndefined()
  })

  test('what has the value already keeps its updated_at, and nothing expires', () => {
    const { catalog, siteId, prompts } = openWithPrompts()
    const result = catalog.prompts.update(siteId, [{ id: 'p1', category: 'Discovery', market: 'Berlin' }])
    expect(result).toEqual({ prompts: [prompts[1]], notFound: [] })
    expect(catalog.sites.rev(siteId)).toBe(0)
  })

  test('a category changes reports of older data, a market and a status do not', () => {
    const { catalog, siteId, otherSiteId } = openWithPrompts()
    catalog.prompts.update(siteId, [{ id: 'p0', market: 'Wien' }])
    catalog.prompts.setStatus(siteId, ['p0'], 'active')
    expect(catalog.sites.rev(siteId)).toBe(0)
    catalog.prompts.update(siteId, [
      { id: 'p0', category: 'Brand' },
      { id: 'p1', category: 'Brand' },
    ])
    expect([catalog.sites.rev(siteId), catalog.sites.rev(otherSiteId)]).toEqual([1, 0])
  })

  test('a dry run shows the prompts as they would be, updated_at unchanged, and writes nothing', () => {
    const { catalog, siteId, prompts } = openWithPrompts()
    const version = catalog.version()
    const change = [{ id: 'p0', category: 'Brand' as const }, { id: 'nobody' }]
    expect(catalog.prompts.update(siteId, change, { dryRun: true })).toEqual({
      prompts: [{ ...prompts[0], category: 'Brand' }],
      notFound: ['nobody'],
    })
    expect(catalog.version()).toBe(version)
    expect(catalog.prompts.list(siteId).prompts).toEqual(prompts)
  })
})

describe('setStatus', () => {
  test('tells changed, unchanged and unknown ids apart, each once, in request order', () => {
    const { catalog, siteId, prompts, LATER } = openWithPrompts()
    catalog.prompts.setStatus(siteId, ['p1'], 'active')
    const ids = ['p3', 'theirs', 'p1', 'p0', 'p3', 'nobody', 'p1', 'nobody']
    expect(catalog.prompts.setStatus(siteId, ids, 'active')).toEqual({
      changed: ['p3', 'p0'],
      unchanged: ['p1'],
      notFound: ['theirs', 'nobody'],
    })
    expect(catalog.prompts.list(siteId, { status: 'active' }).prompts).toEqual(
      [prompts[0], prompts[1], prompts[3]].map((prompt) =>
        Object.assign({}, prompt, { status: 'active', updatedAt: LATER }),
      ),
    )
    expect(catalog.prompts.setStatus(siteId, ['p0', 'p2'], 'disabled')).toEqual({
      changed: ['p0'],
      unchanged: ['p2'],
      notFound: [],
    })
  })

  test('a request over the cap is refused whole, naming cap, active count and what it would add', () => {
    const { catalog, siteId, prompts } = openWithPrompts({ promptLimit: 2 })
    const activate = (dryRun: boolean) =>
      catalog.prompts.setStatus(siteId, ['p0', 'p1', 'p1', 'p2', 'nobody'], 'active', { dryRun })
    const refusal = expect.objectContaining({
      code: 'prompt_limit_reached',
      message: 'The plan allows 2 active prompts; 0 are active and this request would add 3. Nothing was changed.',
    })
    expect(() => activate(true)).toThrow(refusal)
    expect(() => activate(false)).toThrow(refusal)
    expect(catalog.prompts.list(siteId).prompts).toEqual(prompts)
  })

  test('the cap counts the other sites of the organization and no other organization', () => {
    const { catalog, siteId, otherSiteId } = openWithPrompts({ promptLimit: 2 })
    const foreign = catalog.organizations.create({ name: 'Foreign' }).id
    const foreignSite = catalog.sites.create({ name: 'F', domain: 'f.com', organizationId: foreign }).id
    catalog.prompts.add(foreignSite, [{ text: 'F?', category: 'Brand' }])
    catalog.prompts.setStatus(otherSiteId, ['theirs'], 'active')
    expect(catalog.prompts.setStatus(siteId, ['p0'], 'active').changed).toEqual(['p0'])
    expect(() => catalog.prompts.setStatus(siteId, ['p1'], 'active')).toThrow(
      '2 are active and this request would add 1',
    )
  })

  test('ids that are active already need no place, even over a lowered cap, and disabling is always possible', () => {
    const { catalog, siteId, organizationId } = openWithPrompts({ promptLimit: 4 })
    catalog.prompts.setStatus(siteId, ['p0', 'p1', 'p2'], 'active')
    catalog.organizations.set(organizationId, { promptLimit: 1 })
    expect(catalog.prompts.setStatus(siteId, ['p0', 'p1'], 'active').unchanged).toEqual(['p0', 'p1'])
    expect(catalog.prompts.setStatus(siteId, ['p2'], 'disabled').changed).toEqual(['p2'])
    expect(() => catalog.prompts.setStatus(siteId, ['p2'], 'active')).toThrow('The plan allows 1 active prompts')
  })

  test('a dry run reports the same and writes nothing', () => {
    const { catalog, siteId, prompts } = openWithPrompts()
    const version = catalog.version()
    expect(catalog.prompts.setStatus(siteId, ['p0', 'nobody'], 'active', { dryRun: true })).toEqual({
      changed: ['p0'],
      unchanged: [],
      notFound: ['nobody'],
    })
    expect(catalog.version()).toBe(version)
    expect(catalog.prompts.list(siteId).prompts).toEqual(prompts)
  })
})
