import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Category } from '../../src/domain/enums.ts'
import { type ActionWorld, type ActionWorlds, answers, openActionWorlds } from './support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

const TEXTS = ['1', '2', '3', '4', '5', '6', '7']
const PROMPTS: Readonly<Record<string, Category>> = Object.fromEntries(TEXTS.map((text) => [text, 'Discovery']))
let world: ActionWorld
beforeEach(() => {
  world = worlds.create({ prompts: PROMPTS, competitors: [{ name: 'Bolt' }] })
  world.clock.nowMs = Date.parse('2026-11-20T07:03:09.120Z')
})

const refresh = () => world.actions.refresh(world.site.id)
const listOf = (rule: string) => world.app.catalog.cards.list(world.site.id, 'all').filter((card) => card.rule === rule)

test('a site without data has no cards', async () => {
  expect(await refresh()).toEqual({ created: 0, updated: 0, unchanged: 0, measured: 0 })
  expect(await world.actions.list(world.site.id, 'all')).toEqual([])
})

test('a rule has at most five open cards, those with most at stake; more come when these are dealt with', async () => {
  await world.import(...TEXTS.map((prompt, index) => answers({ prompt, count: 40 + index, named: { Bolt: 40 } })))
  await refresh()
  const targetsOf = () => listOf('competitors_named').map(({ targetPrompts }) => targetPrompts[0]?.text)
  expect(new Set(targetsOf())).toEqual(new Set(['3', '4', '5', '6', '7']))
  expect(await refresh()).toMatchObject({ created: 0 })
  const [first, second] = listOf('competitors_named')
  world.actions.dismiss(world.site.id, first!.id)
  expect(await refresh()).toMatchObject({ created: 1 })
  await world.actions.markDone(world.site.id, second!.id)
  expect(await refresh()).toMatchObject({ created: 1 })
  expect(targetsOf()).toHaveLength(TEXTS.length)
  expect(new Set(targetsOf())).toEqual(new Set(TEXTS))
})

test('impact follows the share of the answers at stake', async () => {
  await world.import(
    answers({ prompt: '1', count: 30, named: { Bolt: 30 } }),
    answers({ prompt: '2', count: 100, named: { Bolt: 100 } }),
    answers({ prompt: '3', count: 2_900, named: { Acme: 100 } }),
  )
  await refresh()
  expect(listOf('competitors_named').map(({ targetPrompts: [prompt], impact }) => [prompt?.text, impact])).toEqual(
    expect.arrayContaining([
      ['1', 'Low'],
      ['2', 'Medium'],
    ]),
  )
  expect(listOf('competitors_named')).toHaveLength(2)
})

test('an ongoing card is carried into the next period while it is open, and comes anew when it was done', async () => {
  await world.import(answers({ prompt: '1', count: 40 }))
  await refresh()
  const cards = () => listOf('unnamed_prompts').map(({ id, period, status }) => ({ id, period, status }))
  const [first] = cards()
  expect(cards()).toEqual([{ id: first!.id, period: '2026-W47', status: 'open' }])

  world.clock.nowMs = Date.parse('2026-11-23T00:00:00Z')
  await refresh()
  expect(cards()).toEqual([{ id: first!.id, period: '2026-W48', status: 'open' }])

  await world.actions.markDone(world.site.id, first!.id)
  await refresh()
  expect(cards()).toEqual([{ id: first!.id, period: '2026-W48', status: 'done' }])

  world.clock.nowMs = Date.parse('2026-11-30T00:00:00Z')
  await refresh()
  const second = cards().find(({ id }) => id !== first!.id)
  expect(cards()).toEqual(
    expect.arrayContaining([
      { id: first!.id, period: '2026-W48', status: 'done' },
      { id: second!.id, period: '2026-W49', status: 'open' },
    ]),
  )
  world.actions.dismiss(world.site.id, second!.id)
  await refresh()
  expect(cards()).toHaveLength(2)
})

test('after an import that brought nothing new, nothing is looked at', async () => {
  const ifChanged = () => world.actions.refresh(world.site.id, { onlyWhenChanged: true })
  const group = answers({ prompt: '1', count: 40, named: { Bolt: 30 } })
  await world.import(group)
  expect(await ifChanged()).toEqual({ created: 2, updated: 0, unchanged: 0, measured: 0 })
  expect(await ifChanged()).toEqual({ created: 0, updated: 0, unchanged: 0, measured: 0 })
  await world.import(group)
  expect(await ifChanged()).toEqual({ created: 0, updated: 0, unchanged: 0, measured: 0 })
  await world.import(answers({ prompt: '1', count: 1, lastDay: '2026-11-16' }))
  expect(await ifChanged()).toEqual({ created: 0, updated: 2, unchanged: 0, measured: 0 })
  world.app.catalog.competitors.unconfirm(world.site.id, 'Bolt')
  expect(await ifChanged()).toEqual({ created: 0, updated: 0, unchanged: 1, measured: 0 })
})

test('a stopped refresh writes nothing', async () => {
  await world.import(answers({ prompt: '1', count: 40, named: { Bolt: 30 } }))
  await expect(world.actions.refresh(world.site.id, { signal: AbortSignal.abort() })).rejects.toThrow(
    expect.objectContaining({ name: 'AbortError' }) as Error,
  )
  expect(await world.actions.list(world.site.id, 'all')).toEqual([])
})
