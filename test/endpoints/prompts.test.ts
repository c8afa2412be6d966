import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openTestService, type TestService } from '../support/http.ts'
import { createWorld, type World } from '../support/world.ts'

let service: TestService
let world: World
let path: string
beforeEach(async () => {
  service = await openTestService()
  onTestFinished(() => service.close())
  world = createWorld(service)
  path = `/v1/sites/${world.site.id}/prompts`
})

const patch = (body: unknown, key = world.writeKey) => service.send({ method: 'PATCH', path, key, body })
const post = (body: unknown, key = world.writeKey) => service.send({ method: 'POST', path, key, body })
const setStatus = (body: unknown) =>
  service.send({ method: 'PATCH', path: `${path}/status`, key: world.writeKey, body })
const list = (query = '') => service.send({ path: `${path}${query}`, key: world.readKey })

describe('GET /v1/sites/{site_id}/prompts', () => {
  it('lists prompts oldest first', async () => {
    const { status, body } = await list()
    expect({ status, info: body.info }).toEqual({
      status: 200,
      info: { count: 3, total_results: 3, next_cursor: null },
    })
    expect(body.data.map((prompt: { id: string }) => prompt.id)).toEqual(world.promptIds)
    expect(body.data[1]).toEqual({
      id: world.promptIds[1],
      text: 'Acme or Globex?',
      category: 'Comparison',
      market: 'Berlin',
      status: 'active',
      created_at: expect.any(String),
      updated_at: body.data[1].created_at,
    })
  })

  it.each([
    ['?status=active', 2],
    ['?status=disabled', 1],
    ['?category=Pricing', 1],
    ['?category=Pricing&status=active', 0],
    ['?category=How-to', 0],
  ])('filters by %s', async (query, count) => {
    const { body } = await list(query)
    expect(body.info).toEqual({ count, total_results: count, next_cursor: null })
    expect(body.data).toHaveLength(count)
  })

  it('walks all pages, each prompt once, with a limit that changes on the way', async () => {
    service.app.catalog.prompts.add(
      world.site.id,
      Array.from({ length: 40 }, (_, i) => ({
        text: `Question ${i}?`,
        category: 'Brand' as const,
        status: 'disabled' as const,
      })),
    )
    const ids: string[] = []
    let cursor: string | null = ''
    for (let page = 1; cursor !== null; page++) {
      const { status, body } = await list(`?limit=${page}${cursor === '' ? '' : `&cursor=${cursor}`}`)
      expect({ status, total: body.info.total_results }).toEqual({ status: 200, total: 43 })
      ids.push(...body.data.map((prompt: { id: string }) => prompt.id))
      cursor = body.info.next_cursor
    }
    expect(ids).toEqual(service.app.catalog.prompts.list(world.site.id).prompts.map((prompt) => prompt.id))
  })

  it('refuses a cursor of another request, a changed one and a foreign text', async () => {
    const { body } = await list('?limit=1')
    const cursor: string = body.info.next_cursor
    const last = cursor.at(-1) === 'A' ? 'B' : 'A'
    const attempts = [
      `?cursor=${cursor}&status=active`,
      `?cursor=${cursor.slice(0, -1)}${last}`,
      `?cursor=${cursor}A`,
      `?cursor=${cursor.slice(0, 10)}`,
      '?cursor=',
      '?cursor=x',
      `?cursor=${'A'.repeat(2_000)}`,
    ]
    const codes = []
    for (const query of attempts) codes.push((await list(query)).body.error.code)
    expect(codes).toEqual(attempts.map(() => 'invalid_cursor'))
    expect((await list(`?cursor=${cursor}&limit=2`)).status).toBe(200)
  })

  it('notices any bit of a cursor that is flipped', async () => {
    const { body } = await list('?limit=1')
    const bytes = Buffer.from(body.info.next_cursor, 'base64url')
    const codes = new Set<string>()
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes)
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      codes.add((await list(`?cursor=${flipped.toString('base64url')}`)).body.error.code)
    }
    expect([...codes]).toEqual(['invalid_cursor'])
  })

  it("refuses another site's cursor as invalid before it looks at the site", async () => {
    const { body } = await list('?limit=1')
    const answer = await service.send({
      path: `/v1/sites/${world.otherSite.id}/prompts?cursor=${body.info.next_cursor}`,
      key: world.readKey,
    })
    expect(answer.body.error.code).toBe('invalid_cursor')
  })
})

describe('PATCH /v1/sites/{site_id}/prompts', () => {
  it('changes category and market, in request order, and names unknown ids', async () => {
    const [first, second, third] = world.promptIds
    const { status, body } = await patch({
      prompts: [
        { id: third, market: 'Paris' },
        { id: 'prm_unknown', category: 'Brand' },
        { id: first, category: 'Brand', market: null },
        { id: second, market: null },
      ],
    })
    expect(status).toBe(200)
    expect({
      ...body,
      data: body.data.map(({ id, category, market }: Record<string, unknown>) => [id, category, market]),
    }).toEqual({
      dry_run: false,
      not_found: ['prm_unknown'],
      data: [
        [third, 'Pricing', 'Paris'],
        [first, 'Brand', null],
        [second, 'Comparison', null],
      ],
    })
    const after = await list()
    expect(after.body.data.map((prompt: Record<string, unknown>) => [prompt.category, prompt.market])).toEqual([
      ['Brand', null],
      ['Comparison', null],
      ['Pricing', 'Paris'],
    ])
  })

  it('shows what a dry run would do and writes nothing', async () => {
    const before = await list()
    const { body } = await patch({ prompts: [{ id: world.promptIds[0], category: 'Brand' }], dry_run: true })
    expect(body).toEqual({ dry_run: true, not_found: [], data: [{ ...before.body.data[0], category: 'Brand' }] })
    expect((await list()).body).toEqual(before.body)
  })

  it('leaves updated_at alone where nothing changes', async () => {
    const before = await list()
    const { body } = await patch({ prompts: [{ id: world.promptIds[0], category: 'Discovery', market: null }] })
    expect(body.data).toEqual([before.body.data[0]])
  })

  it("takes another site's prompt for unknown", async () => {
    const [foreign] = service.app.catalog.prompts.add(world.otherSite.id, [
      { text: 'Foreign?', category: 'Brand' },
    ]).added
    const { status, body } = await patch({ prompts: [{ id: foreign?.id, category: 'Pricing' }] })
    expect({ status, body }).toEqual({ status: 200, body: { dry_run: false, not_found: [foreign?.id], data: [] } })
    expect(service.app.catalog.prompts.listByIds(world.otherSite.id, [foreign?.id ?? ''])[0]?.category).toBe('Brand')
  })

  it('takes 100 changes and refuses 101', async () => {
    const changes = Array.from({ length: 101 }, (_, i) => ({ id: `prm_${i}`, category: 'Brand' }))
    expect((await patch({ prompts: changes.slice(1) })).status).toBe(200)
    expect((await patch({ prompts: changes })).body.error.details).toEqual([
      { path: 'prompts', message: 'Name at most 100.' },
    ])
  })

  it('writes nothing for a key that may only read', async () => {
    const before = await list()
    const { status, body } = await patch({ prompts: [{ id: world.promptIds[0], category: 'Brand' }] }, world.readKey)
    expect([status, body.error.code]).toEqual([403, 'insufficient_permission'])
    expect((await list()).body).toEqual(before.body)
  })
})

describe('PATCH /v1/sites/{site_id}/prompts/status', () => {
  it('tells changed, unchanged and unknown ids apart, each once', async () => {
    const [first, second, third] = world.promptIds
    const { status, body } = await setStatus({
      prompt_ids: [second, 'prm_unknown', third, first, second, 'prm_unknown'],
      status: 'disabled',
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: { dry_run: false, changed: [second, first], unchanged: [third], not_found: ['prm_unknown'] },
    })
    expect((await list('?status=active')).body.info.count).toBe(0)
  })

  it('shows what a dry run would do and writes nothing', async () => {
    const { body } = await setStatus({ prompt_ids: world.promptIds, status: 'active', dry_run: true })
    expect(body).toEqual({
      dry_run: true,
      changed: [world.promptIds[2]],
      unchanged: world.promptIds.slice(0, 2),
      not_found: [],
    })
    expect((await list('?status=active')).body.info.count).toBe(2)
  })

  it.each([false, true])('refuses to exceed the cap of the plan, dry run %s, and writes nothing', async (dry_run) => {
    service.app.catalog.organizations.set(world.organizationId, { promptLimit: 2 })
    const { status, body } = await setStatus({ prompt_ids: world.promptIds, status: 'active', dry_run })
    expect([status, body.error.code]).toEqual([422, 'prompt_limit_reached'])
    expect(body.error.message).toMatch(/allows 2 .* 2 are active .* add 1/)
    expect((await list('?status=active')).body.info.count).toBe(2)
  })

  it('never lets parallel activations exceed the cap together', async () => {
    const { added } = service.app.catalog.prompts.add(
      world.site.id,
      Array.from({ length: 20 }, (_, i) => ({
        text: `Q ${i}?`,
        category: 'Brand' as const,
        status: 'disabled' as const,
      })),
    )
    service.app.catalog.organizations.set(world.organizationId, { promptLimit: 7 })
    const answers = await Promise.all(added.map(({ id }) => setStatus({ prompt_ids: [id], status: 'active' })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(15)
    expect((await list('?status=active')).body.info.count).toBe(7)
  })

  it('takes 500 ids and refuses 501', async () => {
    const ids = Array.from({ length: 501 }, (_, i) => `prm_${i}`)
    expect((await setStatus({ prompt_ids: ids.slice(1), status: 'active' })).body.not_found).toHaveLength(500)
    expect((await setStatus({ prompt_ids: ids, status: 'active' })).body.error.details).toEqual([
      { path: 'prompt_ids', message: 'Name at most 500.' },
    ])
  })
})

describe('POST /v1/sites/{site_id}/prompts', () => {
  const known = 'Acme or Globex?'

  it('creates active prompts in request order, and leaves those that are there as they are', async () => {
    const before = await list()
    const { status, body } = await post({
      prompts: [
        { text: '  Who makes the best boats? ', category: 'Discovery' },
        { text: known, category: 'Brand', market: 'Rome' },
        { text: 'Cafe\u0301 software?', category: 'Pricing', market: ' Lyon ' },
      ],
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      dry_run: false,
      created: [
        expect.objectContaining({
          text: 'Who makes the best boats?',
          category: 'Discovery',
          market: null,
          status: 'active',
        }),
        expect.objectContaining({ text: 'Caf\u00e9 software?', category: 'Pricing', market: 'Lyon', status: 'active' }),
      ],
      existing: [before.body.data[1]],
    })
    const after = await list()
    expect(after.body.data).toEqual([...before.body.data, ...body.created])
  })

  it('is safe to repeat, and counts a disabled prompt as there', async () => {
    const request = {
      prompts: [
        { text: 'Once?', category: 'Brand' },
        { text: ' How much is Acme?', category: 'Brand' },
      ],
    }
    service.app.catalog.prompts.add(
      world.site.id,
      [{ text: 'How much is Acme?', category: 'Pricing', status: 'disabled' }],
      { existing: 'keep' },
    )
    const first = await post(request)
    const second = await post(request)
    expect([first.status, first.body.created.length, first.body.existing.length]).toEqual([201, 1, 1])
    expect([second.status, second.body.created, second.body.existing]).toEqual([
      200,
      [],
      [first.body.created[0], first.body.existing[0]],
    ])
    expect(second.body.existing[1].status).toBe('disabled')
  })

  it('shows what a dry run would create, without identity, and writes nothing', async () => {
    const before = await list()
    const { status, body } = await post({
      prompts: [
        { text: 'New?', category: 'Brand' },
        { text: known, category: 'Brand' },
      ],
      dry_run: true,
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        dry_run: true,
        created: [
          {
            id: null,
            text: 'New?',
            category: 'Brand',
            market: null,
            status: 'active',
            created_at: null,
            updated_at: null,
          },
        ],
        existing: [before.body.data[1]],
      },
    })
    expect((await list()).body).toEqual(before.body)
  })

  it.each([false, true])('refuses the whole request beyond the cap, dry run %s', async (dry_run) => {
    service.app.catalog.organizations.set(world.organizationId, { promptLimit: 3 })
    const prompts = ['A?', 'B?', known].map((text) => ({ text, category: 'Brand' }))
    const { status, body } = await post({ prompts, dry_run })
    expect([status, body.error.code]).toEqual([422, 'prompt_limit_reached'])
    expect(body.error.message).toMatch(/allows 3 .* 2 are active .* add 2/)
    expect((await list()).body.info.count).toBe(3)
    expect((await post({ prompts: prompts.slice(1), dry_run })).status).toBe(dry_run ? 200 : 201)
  })

  it('never lets parallel requests create a text twice or exceed the cap together', async () => {
    service.app.catalog.organizations.set(world.organizationId, { promptLimit: 7 })
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => post({ prompts: [{ text: `Q ${i >> 1}?`, category: 'Brand' }] })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    const { body } = await list('?status=active')
    expect(new Set(body.data.map(({ text }: { text: string }) => text)).size).toBe(7)
  })

  it.each([
    ['a blank text', [{ text: ' \n', category: 'Brand' }], 'prompts.0.text'],
    ['a text that is too long', [{ text: 'x'.repeat(4_001), category: 'Brand' }], 'prompts.0.text'],
    ['a text that is too long once composed', [{ text: '\u0958'.repeat(2_001), category: 'Brand' }], 'prompts.0.text'],
    ['no category', [{ text: 'A?' }], 'prompts.0.category'],
    ['a blank market', [{ text: 'A?', category: 'Brand', market: ' ' }], 'prompts.0.market'],
    ['a market that is too long', [{ text: 'A?', category: 'Brand', market: 'x'.repeat(201) }], 'prompts.0.market'],
    [
      'a text twice',
      [
        { text: 'A?', category: 'Brand' },
        { text: 'B?', category: 'Brand' },
        { text: 'A? ', category: 'Pricing' },
      ],
      'prompts.2.text',
    ],
    ['an unknown field', [{ text: 'A?', category: 'Brand', id: 'prm_1' }], 'prompts.0.id'],
    ['no prompt', [], 'prompts'],
  ])('refuses %s', async (_name, prompts, place) => {
    const { status, body } = await post({ prompts })
    expect([status, body.error.code]).toEqual([400, 'invalid_request'])
    expect(body.error.details.map((detail: { path: string }) => detail.path)).toEqual([place])
    expect((await list()).body.info.count).toBe(3)
  })

  it('takes 100 texts of the greatest length and refuses 101', async () => {
    const prompts = Array.from({ length: 101 }, (_, i) => ({ text: '\u{1F600}'.repeat(1_000) + i, category: 'Brand' }))
    expect((await post({ prompts })).body.error.details).toEqual([{ path: 'prompts', message: 'Name at most 100.' }])
    expect(
      (
        await post({
          prompts: [{ text: '\u{1F600}'.repeat(4_000), category: 'Brand', market: '\u{1F600}'.repeat(200) }],
        })
      ).status,
    ).toBe(201)
    expect((await post({ prompts: prompts.slice(1) })).body.created).toHaveLength(100)
  })

  it('writes nothing for a key that may only read', async () => {
    const { status, body } = await post({ prompts: [{ text: 'A?', category: 'Brand' }] }, world.readKey)
    expect([status, body.error.code]).toEqual([403, 'insufficient_permission'])
    expect((await list()).body.info.count).toBe(3)
  })
})
