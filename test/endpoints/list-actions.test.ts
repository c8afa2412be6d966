import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestService, type TestService } from '../support/http.ts'
import { createWorld, type World } from '../support/world.ts'

const clock = { nowMs: Date.parse('2026-11-20T12:00:00Z'), now: () => clock.nowMs }
let service: TestService
let world: World
beforeAll(async () => {
  service = await openTestService({ clock })
  world = createWorld(service)
  const { cards } = service.app.catalog
  const create = (identity: string, impact: 'High' | 'Medium' | 'Low') => {
    clock.nowMs += 1
    return cards.create(world.site.id, {
      rule: 'test',
      identity,
      period: null,
      title: `Title ${identity}`,
      why: 'Named in 4 of 62 answers.',
      detail: 'Publish a page.',
      category: 'content',
      impact,
      effort: 'low',
      targetMetric: 'mention',
      kind: 'one_off',
      cadence: null,
      targetPrompts: [{ id: world.promptIds[0] ?? '', text: 'What is the best tool for small teams?' }],
      targetPlatforms: ['chatgpt'],
      targetUrl: 'https://acme.com/',
      foundFrom: '2026-10-19',
      foundTo: '2026-11-15',
    })
  }
  create('low', 'Low')
  create('high', 'High')
  cards.markDone(world.site.id, create('done', 'Medium').id, {
    markedDoneAt: '2026-11-20T10:00:00.000Z',
    resultDue: '2026-12-18T10:00:00.000Z',
    windowDays: 28,
    before: { hits: 4, total: 62 },
    summary: 'Measuring until 2026-12-18.',
  })
  cards.dismiss(world.site.id, create('dismissed', 'Low').id)
})
afterAll(() => service.close())

const list = async (query: string) => {
  const { status, body } = await service.send({
    path: `/v1/sites/${world.site.id}/actions${query}`,
    key: world.readKey,
  })
  expect(status).toBe(200)
  return body.data
}

it.each([
  ['', ['Title high', 'Title low']],
  ['?status=open', ['Title high', 'Title low']],
  ['?status=done', ['Title done']],
  ['?status=all', ['Title high', 'Title done', 'Title dismissed', 'Title low']],
])('lists %s by impact, then newest first', async (query, titles) => {
  expect((await list(query)).map((card: { title: string }) => card.title)).toEqual(titles)
})

it('shows a card whole, with its outcome once it is done', async () => {
  const [card] = await list('?status=done')
  expect(card).toEqual({
    id: expect.stringMatching(/^act_/),
    title: 'Title done',
    why: 'Named in 4 of 62 answers.',
    detail: 'Publish a page.',
    category: 'content',
    impact: 'Medium',
    effort: 'low',
    target_metric: 'mention',
    kind: 'one_off',
    cadence: null,
    period: null,
    status: 'done',
    target_prompts: [{ id: world.promptIds[0], text: 'What is the best tool for small teams?' }],
    target_platforms: ['chatgpt'],
    target_url: 'https://acme.com/',
    created_at: expect.any(String),
    outcome: {
      marked_done_at: '2026-11-20T10:00:00.000Z',
      result_due: '2026-12-18T10:00:00.000Z',
      verdict: null,
      summary: 'Measuring until 2026-12-18.',
    },
  })
  expect((await list(''))[0].outcome).toBeNull()
})

it('shows a result as soon as it is due', async () => {
  clock.nowMs = Date.parse('2026-12-18T10:00:00Z')
  const [card] = await list('?status=done')
  expect(card.outcome).toEqual({
    marked_done_at: '2026-11-20T10:00:00.000Z',
    result_due: '2026-12-18T10:00:00.000Z',
    verdict: 'not_enough_data',
    summary: 'Not enough data, 30 answers on each side are needed: named in 0 of 0 answers after, 0 of 0 before.',
  })
})
