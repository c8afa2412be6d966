import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeWorld, type WorldRecord } from '../../support/oracle/world.ts'
import { type ServedWorld, serveWorld } from '../support/served-world.ts'

const FIRST = { compare_start_date: '2026-09-07', compare_end_date: '2026-09-10' }
const LAST = { start_date: '2026-09-14', end_date: '2026-09-17' }
const DAYS = [7, 8, 9, 10, 14, 15, 16, 17].map((day) => `2026-09-${String(day).padStart(2, '0')}`)
const isLast = (day: string): boolean => day >= LAST.start_date

/** Answers to two prompts on every day, by the model that the engine has on it. */
const answer = (
  platform: WorldRecord['platform'],
  modelOf: (day: string, prompt: string) => string | undefined,
): WorldRecord[] =>
  DAYS.flatMap((date) =>
    ['how', 'price'].map((prompt_id) => {
      const model = modelOf(date, prompt_id)
      return { date, platform, prompt_id, text: `Acme ${date}`, ...(model !== undefined && { model }) }
    }),
  )

const world = {
  ...makeWorld('notes', { share: 0 }),
  imports: [
    [
      [
        ...answer('chatgpt', (day) => (isLast(day) ? 'gpt-5.1' : 'gpt-5')),
        // A model that is unknown on one side, one that is there on both, and one that only one prompt got.
        ...answer('claude', (day) => (isLast(day) ? 'opus' : undefined)),
        ...answer('gemini', () => 'flash'),
        ...answer('perplexity', (day, prompt) => (isLast(day) && prompt === 'price' ? 'sonar-2' : 'sonar')),
        ...answer('ai_mode', (day) => `build ${day.slice(8)}`),
        ...answer('copilot', () => 'm').filter(
          ({ date = '' }) => !['2026-09-08', '2026-09-14', '2026-09-15'].includes(date),
        ),
        ...answer('ai_overviews', () => 'm').filter(({ date = '' }) => !isLast(date)),
      ],
    ],
  ],
}

let served: ServedWorld
beforeAll(async () => {
  served = await serveWorld(world)
})
afterAll(() => served.close())

async function readNotes(more: object = {}): Promise<unknown> {
  const { body } = await served.ask('/v1/reports/changes', { ...FIRST, ...LAST, metric: 'mention_rate', ...more })
  return (body.info as { readonly notes?: unknown }).notes
}

it('names engines without answers on some days, and engines whose model changed', async () => {
  expect(await readNotes()).toEqual([
    'ai_overviews: no answers from 2026-09-14 to 2026-09-17.',
    'ai_mode: the model changed, from build 07, build 08, build 09, build 10 (2026-09-07 to 2026-09-10) ' +
      'to build 14, build 15, build 16, build 17 (2026-09-14 to 2026-09-17).',
    'chatgpt: the model changed, from gpt-5 (2026-09-07 to 2026-09-10) to gpt-5.1 (2026-09-14 to 2026-09-17).',
    'perplexity: the model changed, from sonar (2026-09-07 to 2026-09-10) to sonar, sonar-2 (2026-09-14 to 2026-09-17).',
    'copilot: no answers on 1 of 4 days from 2026-09-07 to 2026-09-10: 2026-09-08.',
    'copilot: no answers on 2 of 4 days from 2026-09-14 to 2026-09-17: 2026-09-14 to 2026-09-15.',
  ])
})

it('speaks of what the filter leaves', async () => {
  expect(await readNotes({ filter: { field: 'prompt', op: 'is', value: 'how' } })).not.toContainEqual(
    expect.stringContaining('perplexity'),
  )
  expect(await readNotes({ filter: { field: 'platform', op: 'in', value: ['claude', 'gemini'] } })).toEqual([])
})

it('names five models at most, and says how many there are besides', async () => {
  const notes = await readNotes({
    compare_start_date: '2026-09-01',
    compare_end_date: '2026-09-15',
    start_date: '2026-09-16',
    filter: { field: 'platform', op: 'is', value: 'ai_mode' },
  })
  expect(notes).toContainEqual(
    'ai_mode: the model changed, from build 07, build 08, build 09, build 10, build 14, 1 more ' +
      '(2026-09-01 to 2026-09-15) to build 16, build 17 (2026-09-16 to 2026-09-17).',
  )
})

it('has a row for each brand where there is no answer at all, and none where rows are of groups', async () => {
  const empty = { start_date: '2030-01-01', end_date: '2030-01-02', metric: 'share_of_voice' }
  const compared = { compare_start_date: '2029-01-01', compare_end_date: '2029-01-02' }
  const none = { value: null, previous: null, change: null, low: null, high: null, p: null, q: null }
  const { body } = await served.ask('/v1/reports/changes', { ...empty, ...compared, brands: ['Zeta 3', 'Acme'] })
  expect(body.data).toEqual(
    ['Acme Cloud', 'Zeta 3'].map((name) => ({
      brand: { name, owned: name === 'Acme Cloud' },
      ...none,
      verdict: 'not_enough_data',
      cells: 0,
      excluded: 0,
    })),
  )
  expect(body.info).toMatchObject({ total_results: 2, excluded_cells: 0, notes: [] })
  const grouped = await served.ask('/v1/reports/changes', { ...empty, ...compared, group_by: ['platform'] })
  expect(grouped.body).toMatchObject({ info: { total_results: 0, excluded_cells: 0, notes: [] }, data: [] })
})

it('refuses a brand that the site does not have', async () => {
  const { status, body } = await served.ask('/v1/reports/changes', {
    ...FIRST,
    ...LAST,
    metric: 'mention_rate',
    brands: ['Acme', 'No such brand'],
  })
  expect([status, body.error]).toMatchObject([400, { code: 'invalid_request', details: [{ path: 'brands.1' }] }])
})
