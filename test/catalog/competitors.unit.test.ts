import { describe, expect, test } from 'vitest'
import { CommandError } from '../../src/errors.ts'
import { openTestCatalog } from './support/test-catalog.ts'

function openWithSite() {
  const opened = openTestCatalog()
  const siteId = opened.catalog.sites.create({ name: 'Acme', domain: 'acme.com', aliases: ['Acme Inc.'] }).id
  return { ...opened, siteId, competitors: opened.catalog.competitors }
}

describe('exact spellings', () => {
  test('are some of the name and aliases, and follow the name', () => {
    const { competitors, siteId } = openWithSite()
    competitors.add(siteId, { name: ' Bolt ', aliases: ['BOLT', 'Bolt GmbH'], exact: ['Bolt', 'BOLT', 'Zap'] })
    expect(competitors.list(siteId)[0]?.exact).toEqual(['Bolt', 'BOLT'])
    expect(competitors.set(siteId, 'Bolt', { name: 'Volt' }).exact).toEqual(['Volt', 'BOLT'])
    expect(competitors.set(siteId, 'Volt', { aliases: ['Volt AG'] }).exact).toEqual(['Volt'])
    expect(competitors.set(siteId, 'Volt', { exact: ['Volt AG'] }).exact).toEqual(['Volt AG'])
    expect(competitors.list(siteId)[0]).toMatchObject({ name: 'Volt', exact: ['Volt AG'] })
  })

  test('of a site are kept alike', () => {
    const { catalog, siteId } = openWithSite()
    expect(catalog.sites.set(siteId, { exact: ['Acme'] }).exact).toEqual(['Acme'])
    expect(catalog.sites.set(siteId, { name: 'Apex', aliases: ['Acme'] }).exact).toEqual(['Apex'])
    expect(catalog.sites.get(siteId)).toMatchObject({ name: 'Apex', aliases: ['Acme'], exact: ['Apex'] })
  })

  test('take no spelling that another brand has in another case', () => {
    const { competitors, siteId } = openWithSite()
    expect(() => competitors.add(siteId, { name: 'ACME', exact: ['ACME'] })).toThrow(CommandError)
  })
})

describe('add', () => {
  test('a competitor is manual and confirmed, with clean domains and numbers from 1', () => {
    const { competitors, siteId } = openWithSite()
    const bolt = competitors.add(siteId, {
      name: ' Bolt ',
      aliases: ['Bolt GmbH', 'Bolt', 'Bolt GmbH'],
      domains: ['https://Bolt.com/x', 'bolt.com', 'bolt.io'],
    })
    expect(bolt).toEqual({
      id: expect.stringMatching(/^cmp_[0-9a-z]{26}$/),
      siteId,
      brandNo: 1,
      name: 'Bolt',
      aliases: ['Bolt GmbH'],
      exact: [],
      domains: ['bolt.com', 'bolt.io'],
      confirmed: true,
      source: 'manual',
      answers: 0,
      createdAt: '2026-11-20T07:03:09.120Z',
    })
    const cog = competitors.add(siteId, { id: 'cog', name: 'Cog', confirmed: false, source: 'onboarding' })
    expect(cog).toMatchObject({ id: 'cog', brandNo: 2, confirmed: false, source: 'onboarding' })
    expect(competitors.list(siteId)).toEqual([bolt, cog])
  })

  test.each([
    ['ACME', '"ACME" already names the site\'s own brand, Acme.'],
    ['™', '"™" has no letter by which a brand could be found in a text.'],
    ['Acme™', '"Acme™" already names the site\'s own brand, Acme.'],
    ['acme inc.', '"acme inc." already names the site\'s own brand, Acme.'],
    ['ｂｏｌｔ', '"ｂｏｌｔ" already names the competitor Bolt (bolt).'],
    ['Bolt AG', '"Bolt AG" already names the competitor Bolt (bolt).'],
    ['cog', '"cog" already names the competitor Cog (cog). It was found in answers; confirm or remove that one first.'],
  ])('refuses %j, which another brand of the site has, as name and as alias', (spelling, message) => {
    const { competitors, siteId, catalog } = openWithSite()
    competitors.add(siteId, { id: 'bolt', name: 'Bolt', aliases: ['Bolt AG'] })
    competitors.add(siteId, { id: 'cog', name: 'Cog', confirmed: false, source: 'discovered' })
    const dot = competitors.add(siteId, { name: 'Dot' })
    const before = competitors.list(siteId)
    const rev = catalog.sites.rev(siteId)
    expect(() => competitors.add(siteId, { name: spelling })).toThrow(new CommandError(message))
    expect(() => competitors.add(siteId, { name: 'New', aliases: [spelling] })).toThrow(new CommandError(message))
    expect(() => competitors.set(siteId, dot.id, { name: spelling })).toThrow(new CommandError(message))
    expect(() => competitors.set(siteId, dot.id, { aliases: [spelling] })).toThrow(new CommandError(message))
    expect(competitors.list(siteId)).toEqual(before)
    expect(catalog.sites.rev(siteId)).toBe(rev)
  })

  test('the site cannot take a competitor’s spelling either', () => {
    const { competitors, siteId, catalog } = openWithSite()
    competitors.add(siteId, { id: 'bolt', name: 'Bolt', aliases: ['Bolt AG'] })
    const before = catalog.sites.get(siteId)
    expect(() => catalog.sites.set(siteId, { name: 'BOLT' })).toThrow(
      '"BOLT" already names the competitor Bolt (bolt).',
    )
    expect(() => catalog.sites.set(siteId, { aliases: ['bolt ag'] })).toThrow(
      'already names the competitor Bolt (bolt).',
    )
    expect(catalog.sites.get(siteId)).toEqual(before)
  })

  test('other sites may use the same names, but ids are unique in the data directory', () => {
    const { competitors, siteId, catalog } = openWithSite()
    const other = catalog.sites.create({ name: 'Bolt', domain: 'bolt.com' }).id
    competitors.add(siteId, { id: 'x', name: 'Bolt' })
    competitors.add(other, { name: 'Acme' })
    expect(() => competitors.add(other, { id: 'x', name: 'Cog' })).toThrow('The id "x" is taken by another competitor.')
    expect(() => competitors.add(other, { name: 'Cog', domains: ['no domain'] })).toThrow('"no domain" is no domain.')
    expect(() => competitors.add('site_x', { name: 'Cog' })).toThrow('There is no site "site_x".')
    expect(competitors.list(other)).toHaveLength(1)
  })
})

describe('find', () => {
  test('finds by id first, then by name and alias as brands are compared, within the site', () => {
    const { competitors, siteId, catalog } = openWithSite()
    const bolt = competitors.add(siteId, { id: 'one', name: 'Bolt', aliases: ['Bolt AG'] })
    const one = competitors.add(siteId, { id: 'two', name: 'one' })
    expect(competitors.find(siteId, 'one')).toEqual(bolt)
    expect(competitors.find(siteId, 'ONE')).toEqual(one)
    expect(competitors.find(siteId, ' bolt ag ')).toEqual(bolt)
    expect(competitors.find(siteId, 'Bol')).toBeUndefined()
    const other = catalog.sites.create({ name: 'Other', domain: 'other.com' }).id
    expect(competitors.find(other, 'one')).toBeUndefined()
    expect(() => competitors.get(other, 'one')).toThrow(
      'The site has no competitor "one". `answerlake competitors list`',
    )
  })
})

describe('changes', () => {
  test('confirm, unconfirm and set change what they say and return the result', () => {
    const { competitors, siteId } = openWithSite()
    const bolt = competitors.add(siteId, { name: 'Bolt', domains: ['bolt.com'], confirmed: false })
    expect(competitors.confirm(siteId, 'bolt')).toEqual({ ...bolt, confirmed: true })
    expect(competitors.unconfirm(siteId, bolt.id)).toEqual(bolt)
    const renamed = competitors.set(siteId, 'bolt', { name: 'Bolt AG', aliases: ['Bolt', 'Bolt AG'] })
    expect(renamed).toEqual({ ...bolt, name: 'Bolt AG', aliases: ['Bolt'] })
    expect(competitors.set(siteId, 'bolt ag', { domains: [] })).toEqual({ ...renamed, domains: [] })
    expect(competitors.list(siteId)).toEqual([{ ...renamed, domains: [] }])
  })

  test('a removed one gives its name free, never its number', () => {
    const { competitors, siteId } = openWithSite()
    const bolt = competitors.add(siteId, { id: 'bolt', name: 'Bolt' })
    expect(competitors.remove(siteId, 'bolt')).toEqual(bolt)
    expect(competitors.list(siteId)).toEqual([])
    expect(competitors.add(siteId, { id: 'bolt', name: 'Bolt' }).brandNo).toBe(2)
    expect(() => competitors.remove(siteId, 'nobody')).toThrow(CommandError)
  })

  test('only those that can change a report of older data end a walk through it', () => {
    const { competitors, siteId, catalog } = openWithSite()
    const revs: [string, number][] = []
    const note = (what: string, work: () => unknown) => {
      work()
      revs.push([what, catalog.sites.rev(siteId)])
    }
    note('add unconfirmed', () => competitors.add(siteId, { name: 'Bolt', confirmed: false }))
    note('confirm', () => competitors.confirm(siteId, 'bolt'))
    note('confirm again', () => competitors.confirm(siteId, 'bolt'))
    note('add confirmed', () => competitors.add(siteId, { name: 'Cog' }))
    note('aliases', () => competitors.set(siteId, 'cog', { aliases: ['Cogs'] }))
    note('same aliases', () => competitors.set(siteId, 'cog', { aliases: ['Cogs'] }))
    note('domains', () => competitors.set(siteId, 'cog', { domains: ['cog.com'] }))
    note('name', () => competitors.set(siteId, 'cog', { name: 'Cogwheel' }))
    note('unconfirm', () => competitors.unconfirm(siteId, 'bolt'))
    note('remove', () => competitors.remove(siteId, 'bolt'))
    note('discover', () => competitors.createDiscovered(siteId, [{ brandNo: 77, name: 'Dot' }]))
    note('evidence', () => competitors.addEvidence(siteId, [{ brandNo: 77, answers: 3 }]))
    expect(revs).toEqual([
      ['add unconfirmed', 0],
      ['confirm', 1],
      ['confirm again', 1],
      ['add confirmed', 2],
      ['aliases', 3],
      ['same aliases', 3],
      ['domains', 4],
      ['name', 5],
      ['unconfirm', 6],
      ['remove', 7],
      ['discover', 7],
      ['evidence', 7],
    ])
  })
})

describe('discovery', () => {
  test('creates unconfirmed competitors under reserved numbers and adds to their evidence', () => {
    const { competitors, siteId, catalog } = openWithSite()
    const { firstBrandNo } = catalog.sites.reserve(siteId, { brands: 2 })
    const found = [
      { brandNo: firstBrandNo + 1, name: 'Dot' },
      { brandNo: firstBrandNo, name: 'Cog' },
    ]
    const created = competitors.createDiscovered(siteId, found)
    competitors.addEvidence(siteId, [
      { brandNo: 1, answers: 2 },
      { brandNo: 2, answers: 5 },
      { brandNo: 9, answers: 1 },
    ])
    competitors.addEvidence(siteId, [{ brandNo: 1, answers: 1 }])
    expect(created.map(({ name, confirmed, source }) => [name, confirmed, source])).toEqual([
      ['Dot', false, 'discovered'],
      ['Cog', false, 'discovered'],
    ])
    expect(competitors.list(siteId).map(({ brandNo, name, answers }) => [brandNo, name, answers])).toEqual([
      [1, 'Cog', 3],
      [2, 'Dot', 5],
    ])
    expect(competitors.add(siteId, { name: 'Elm' }).brandNo).toBe(3)
  })

  test('takes those back that have no evidence left, unless somebody decided something about them', () => {
    const { competitors, siteId } = openWithSite()
    const names = ['Ant', 'Bee', 'Cat', 'Dog', 'Elk', 'Fox']
    competitors.createDiscovered(
      siteId,
      names.map((name, index) => ({ brandNo: index + 1, name })),
    )
    competitors.set(siteId, 'Bee', { aliases: ['Bees'] })
    competitors.set(siteId, 'Cat', { domains: ['cat.com'] })
    competitors.set(siteId, 'Dog', { exact: ['Dog'] })
    competitors.confirm(siteId, 'Elk')
    competitors.addEvidence(siteId, [{ brandNo: 6, answers: 1 }])
    competitors.removeUnfounded(siteId, [1, 2, 3, 4, 5, 6])
    expect(competitors.list(siteId).map(({ name }) => name)).toEqual(['Bee', 'Cat', 'Dog', 'Elk', 'Fox'])
  })

  test('keeps a name however long it is, so that no record stops an import', () => {
    const { competitors, siteId } = openWithSite()
    const name = 'x'.repeat(1_000)
    competitors.createDiscovered(siteId, [{ brandNo: 1, name: ` ${name} ` }])
    expect(competitors.confirm(siteId, name)).toMatchObject({ name, confirmed: true })
  })

  test('a name that a brand has got meanwhile is a lost race and creates nothing', () => {
    const { competitors, siteId, catalog } = openWithSite()
    const { firstBrandNo } = catalog.sites.reserve(siteId, { brands: 2 })
    const bolt = competitors.add(siteId, { name: 'Bolt', aliases: ['Dot'] })
    const discover = () =>
      competitors.createDiscovered(siteId, [
        { brandNo: firstBrandNo, name: 'Cog' },
        { brandNo: firstBrandNo + 1, name: 'DOT' },
      ])
    expect(discover).toThrow(expect.objectContaining({ name: 'WriteConflictError' }))
    expect(competitors.list(siteId)).toEqual([bolt])
  })
})
