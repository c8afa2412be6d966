import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PromptPosition } from '../../src/catalog/prompts.ts'
import { CATEGORIES, PROMPT_STATUSES } from '../../src/domain/enums.ts'
import type { Prompt } from '../../src/domain/prompt.ts'
import { CommandError } from '../../src/errors.ts'
import { openTestCatalog } from './support/test-catalog.ts'

function openWithSite(promptLimit = 500) {
  const opened = openTestCatalog()
  const { catalog } = opened
  const organizationId = catalog.organizations.create({ name: 'Acme', promptLimit }).id
  const siteId = catalog.sites.create({ name: 'Acme', domain: 'acme.com' }).id
  return { ...opened, organizationId, siteId }
}

const discovery = (text: string, id?: string) => ({ id, text, category: 'Discovery' as const })

describe('add', () => {
  test('keeps the order given, numbers from 1 and texts in NFC', () => {
    const { catalog, siteId } = openWithSite()
    const given = Array.from({ length: 20 }, (_, index) => discovery(` Question ${index} Cafe\u0301? `))
    const { added, existing } = catalog.prompts.add(siteId, given)
    expect(added[0]).toEqual({
      id: expect.stringMatching(/^prm_[0-9a-z]{26}$/),
      siteId,
      promptNo: 1,
      text: 'Question 0 Caf\u00e9?',
      category: 'Discovery',
      market: null,
      status: 'active',
      createdAt: '2026-11-20T07:03:09.120Z',
      updatedAt: '2026-11-20T07:03:09.120Z',
    })
    expect(existing).toEqual([])
    expect(catalog.prompts.list(siteId).prompts).toEqual(added)
    expect(added.map(({ promptNo }) => promptNo)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  test('keeps what it is given', () => {
    const { catalog, siteId } = openWithSite()
    const given = { id: 'Q.7', text: 'How much?', category: 'Pricing', market: ' Wien ', status: 'disabled' } as const
    const [prompt] = catalog.prompts.add(siteId, [given]).added
    expect(prompt).toMatchObject({ id: 'Q.7', category: 'Pricing', market: 'Wien', status: 'disabled' })
    expect(catalog.prompts.findByText(siteId, ' How much? ')).toEqual(prompt)
    expect(catalog.prompts.add(siteId, [{ ...discovery('x'), market: '  ' }]).added[0]?.market).toBeNull()
  })

  test('a text is unique within a site, whatever its form, and all of a refused call is refused', () => {
    const { catalog, siteId } = openWithSite()
    const [first] = catalog.prompts.add(siteId, [discovery('Caf\u00e9?')]).added
    expect(() => catalog.prompts.add(siteId, [discovery('New?'), discovery(' Cafe\u0301? ')])).toThrow(
      new CommandError(`The site already has the prompt "Caf\u00e9?", as ${first?.id}.`),
    )
    expect(() => catalog.prompts.add(siteId, [discovery('Twice?'), discovery('Twice?')])).toThrow(
      'The site already has the prompt "Twice?".',
    )
    expect(catalog.prompts.list(siteId).prompts).toEqual([first])
    const other = catalog.sites.create({ name: 'Bolt', domain: 'bolt.com' }).id
    expect(catalog.prompts.add(other, [discovery('Caf\u00e9?')]).added).toHaveLength(1)
  })

  test('with existing kept, the same call twice adds nothing and numbers nothing', () => {
    const { catalog, siteId } = openWithSite()
    const given = [discovery('A?', 'a'), discovery('B?'), discovery('B?')]
    const { added } = catalog.prompts.add(siteId, given, { existing: 'keep' })
    expect(added.map(({ text }) => text)).toEqual(['A?', 'B?'])
    expect(catalog.prompts.add(siteId, given, { existing: 'keep' })).toEqual({ added: [], existing: added })
    expect(catalog.sites.reserve(siteId, {}).firstPromptNo).toBe(3)
    expect(() => catalog.prompts.add(siteId, [discovery('A?', 'other')], { existing: 'keep' })).toThrow(
      'The site already has the prompt "A?", as a.',
    )
  })

  test('an id is unique in the data directory', () => {
    const { catalog, siteId } = openWithSite()
    catalog.prompts.add(siteId, [discovery('A?', 'a')])
    const other = catalog.sites.create({ name: 'Bolt', domain: 'bolt.com' }).id
    expect(() => catalog.prompts.add(other, [discovery('B?', 'a')])).toThrow('The id "a" is taken by another prompt.')
    expect(() => catalog.prompts.add(siteId, [discovery('B?', 'b'), discovery('C?', 'b')])).toThrow(
      'The id "b" is taken',
    )
    expect(() => catalog.prompts.add(siteId, [discovery('B?', 'b c')])).toThrow('The id "b c" cannot be used')
    expect(catalog.prompts.list(siteId).total).toBe(1)
  })

  test.each([
    ['  ', 'The text of a prompt cannot be empty.'],
    ['x'.repeat(4_001), 'The text of a prompt has at most 4000 characters; this one has 4001.'],
  ])('refuses the text %j', (text, message) => {
    const { catalog, siteId } = openWithSite()
    expect(() => catalog.prompts.add(siteId, [discovery(text)])).toThrow(new CommandError(message))
  })

  test('names the market where that is too long', () => {
    const { catalog, siteId } = openWithSite()
    expect(() => catalog.prompts.add(siteId, [{ ...discovery('B?'), market: 'x'.repeat(201) }])).toThrow(
      new CommandError('A market has at most 200 characters; this one has 201.'),
    )
  })

  test('respects the cap over all sites of the organization; disabled prompts need no place', () => {
    const { catalog, siteId, organizationId } = openWithSite(3)
    const other = catalog.sites.create({ name: 'Bolt', domain: 'bolt.com' }).id
    catalog.prompts.add(other, [discovery('A?'), discovery('B?')])
    expect(() => catalog.prompts.add(siteId, [discovery('C?'), discovery('D?')])).toThrow(
      'The plan allows 3 active prompts; 2 are active and this request would add 2. Nothing was changed. ' +
        `Add them as disabled, disable others, or raise the cap: \`answerlake orgs set ${organizationId} --prompt-limit N\`.`,
    )
    catalog.prompts.add(siteId, [discovery('C?'), { ...discovery('D?'), status: 'disabled' }])
    expect(catalog.prompts.usage(organizationId)).toEqual({ limit: 3, active: 3, free: 0 })
    catalog.organizations.set(organizationId, { promptLimit: 1 })
    expect(catalog.prompts.usage(organizationId)).toEqual({ limit: 1, active: 3, free: 0 })
    expect(catalog.prompts.add(siteId, [{ ...discovery('E?'), status: 'disabled' }]).added).toHaveLength(1)
  })
})

describe('createReserved', () => {
  test('creates prompts under the numbers that an import reserved', () => {
    const { catalog, siteId } = openWithSite()
    const { firstPromptNo } = catalog.sites.reserve(siteId, { prompts: 10 })
    const [created] = catalog.prompts.createReserved(siteId, [{ ...discovery('A?'), promptNo: firstPromptNo + 4 }])
    expect(created?.promptNo).toBe(5)
    expect(catalog.prompts.add(siteId, [discovery('B?')]).added[0]?.promptNo).toBe(11)
  })

  test('a text that another process added meanwhile is a lost race', () => {
    const { catalog, siteId } = openWithSite()
    catalog.sites.reserve(siteId, { prompts: 1 })
    catalog.prompts.add(siteId, [discovery('A?')])
    expect(() => catalog.prompts.createReserved(siteId, [{ ...discovery('A?'), promptNo: 1 }])).toThrow(
      expect.objectContaining({ name: 'WriteConflictError' }),
    )
  })
})

describe('list', () => {
  test('walks oldest first with every filter, giving each row once, whatever the page size', () => {
    const { catalog, clock, siteId } = openWithSite()
    const world: Prompt[] = []
    for (let index = 0; index < 60; index++) {
      if (index % 7 === 0) clock.nowMs += 1
      const category = CATEGORIES[index % CATEGORIES.length]!
      const status = index % 3 === 0 ? 'disabled' : 'active'
      world.push(...catalog.prompts.add(siteId, [{ text: `Q${index}`, category, status }]).added)
    }
    world.sort((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1))
    const query = fc.record({
      status: fc.option(fc.constantFrom(...PROMPT_STATUSES), { nil: undefined }),
      category: fc.option(fc.constantFrom(...CATEGORIES), { nil: undefined }),
      limit: fc.integer({ min: 1, max: 70 }),
    })
    fc.assert(
      fc.property(query, ({ status, category, limit }) => {
        const expected = world.filter(
          (prompt) => (status ?? prompt.status) === prompt.status && (category ?? prompt.category) === prompt.category,
        )
        const walked: Prompt[] = []
        let after: PromptPosition | undefined
        do {
          const page = catalog.prompts.list(siteId, { status, category, limit, after })
          expect(page.total).toBe(expected.length)
          expect(page.prompts.length).toBe(Math.min(limit, expected.length - walked.length))
          walked.push(...page.prompts)
          after = page.next ?? undefined
        } while (after)
        expect(walked).toEqual(expected)
      }),
    )
  })

  test('a prompt added after the clock was set back stands behind those already read', () => {
    const { catalog, clock, siteId } = openWithSite()
    catalog.prompts.add(siteId, [discovery('A?')])
    clock.nowMs -= 60_000
    catalog.prompts.add(siteId, [discovery('B?')])
    clock.nowMs += 120_000
    catalog.prompts.add(siteId, [discovery('C?')])
    const times = catalog.prompts.list(siteId).prompts.map(({ createdAt }) => createdAt)
    expect(times).toEqual(['2026-11-20T07:03:09.120Z', '2026-11-20T07:03:09.120Z', '2026-11-20T07:04:09.120Z'])
  })

  test('another site’s prompts are never listed', () => {
    const { catalog, siteId } = openWithSite()
    const other = catalog.sites.create({ name: 'Bolt', domain: 'bolt.com' }).id
    const [mine] = catalog.prompts.add(siteId, [discovery('A?', 'mine')]).added
    catalog.prompts.add(other, [discovery('B?', 'theirs')])
    expect(catalog.prompts.list(siteId)).toEqual({ prompts: [mine], total: 1, next: null })
    expect(catalog.prompts.listByIds(siteId, ['theirs', 'mine', 'nobody'])).toEqual([mine])
    expect(catalog.prompts.findByText(siteId, 'B?')).toBeUndefined()
  })
})
