import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ActionCard } from '../../src/domain/action-card.ts'
import { type ActionWorld, type ActionWorlds, answers, openActionWorlds } from './support/action-world.ts'

let worlds: ActionWorlds
beforeAll(async () => {
  worlds = await openActionWorlds()
})
afterAll(() => worlds.close())

const START = '2026-11-20T07:03:09.120Z'
/** Prompts that no card is about: with `other` they are the 20 untouched ones. */
const CALM = Array.from({ length: 19 }, (_, index) => `calm ${index + 1}`)
let world: ActionWorld
beforeEach(() => {
  world = worlds.create({
    prompts: {
      best: 'Discovery',
      other: 'Pricing',
      ...Object.fromEntries(CALM.map((text) => [text, 'Brand'] as const)),
    },
    competitors: [{ name: 'Bolt' }],
  })
  moveTo(START)
})

function moveTo(moment: string): void {
  world.clock.nowMs = Date.parse(moment)
}

/** How every summary here ends: the card was found in some of the days before. */
const BEFORE =
  ' Before are the 28 days to 2026-11-19, in which the card was found: that may flatter it, since what is picked for being low rises by itself.'

const refresh = () => world.actions.refresh(world.site.id)
const listAll = () => world.actions.list(world.site.id, 'all')

/** The only card about the competitor, as the list shows it. */
async function getCard(): Promise<ActionCard> {
  const cards = (await listAll()).filter(({ rule }) => rule === 'competitors_named')
  expect(cards).toHaveLength(1)
  return withoutIntervals(cards[0]!)
}

/** test/actions/measure.test.ts holds the intervals. */
function withoutIntervals(card: ActionCard): ActionCard {
  const strip = (text: string): string => text.replaceAll(/ \(\d+–\d+ %\)/g, '')
  const { outcome, why } = card
  const plain = { ...card, why: strip(why) }
  return outcome === null ? plain : { ...plain, outcome: { ...outcome, summary: strip(outcome.summary) } }
}

/** Answers that make one card: the brand is in none of 120 from 2026-11-01 to 2026-11-15. */
const importFinding = () =>
  world.import(answers({ prompt: 'best', count: 120, named: { Bolt: 60 }, lastDay: '2026-11-15', days: 15 }))

/** Marks the card of the finding done on 2026-11-20, with 12 of 180 answers in the 28 days before. */
async function markDone(): Promise<ActionCard> {
  await importFinding()
  await refresh()
  await world.import(
    answers({ prompt: 'best', count: 60, named: { Acme: 12 }, lastDay: '2026-11-19', days: 4 }),
    // Another engine and the day before the window count for nothing, another prompt for itself.
    answers({ prompt: 'best', platform: 'gemini', count: 40, named: { Acme: 40 }, lastDay: '2026-11-19', days: 4 }),
    answers({ prompt: 'other', count: 40, named: { Acme: 40 }, lastDay: '2026-11-19', days: 4 }),
    answers({ prompt: 'best', count: 40, named: { Acme: 40 }, lastDay: '2026-10-22', days: 1 }),
    ...CALM.map((prompt) => answers({ prompt, count: 20, named: { Acme: 10 }, lastDay: '2026-11-19', days: 4 })),
  )
  return withoutIntervals(await world.actions.markDone(world.site.id, (await getCard()).id))
}

/** Answers of the 28 days from 2026-11-20 to 2026-12-17, and some of the day after. */
const importAfter = (count: number, named: number) =>
  world.import(
    answers({ prompt: 'best', count, named: { Acme: named }, lastDay: '2026-12-17', days: 28 }),
    answers({ prompt: 'best', count: 50, named: { Acme: 50 }, lastDay: '2026-12-18', days: 1 }),
    answers({ prompt: 'other', count: 40, named: { Acme: 39 }, lastDay: '2026-12-17', days: 28 }),
    // They change by −5, 0 and +5 points.
    ...CALM.map((prompt, index) =>
      answers({ prompt, count: 20, named: { Acme: 9 + (index % 3) }, lastDay: '2026-12-17', days: 20 }),
    ),
  )

test('a card is found once, gets new evidence while it is open, and stays when the finding goes', async () => {
  await importFinding()
  expect(await refresh()).toEqual({ created: 2, updated: 0, unchanged: 0, measured: 0 })
  const found = await getCard()
  expect(found).toMatchObject({ rule: 'competitors_named', status: 'open', createdAt: START, outcome: null })
  expect(found.why).toBe('In the 28 days to 2026-11-15, Acme was named in 0 of 120 answers to this prompt, Bolt in 60.')
  expect(await refresh()).toEqual({ created: 0, updated: 0, unchanged: 2, measured: 0 })

  moveTo('2026-11-21T07:00:00.000Z')
  await world.import(answers({ prompt: 'best', count: 30, named: { Bolt: 15 }, lastDay: '2026-11-20', days: 5 }))
  expect(await refresh()).toMatchObject({ created: 0, updated: 2 })
  expect(await getCard()).toEqual({
    ...found,
    why: 'In the 28 days to 2026-11-20, Acme was named in 0 of 150 answers to this prompt, Bolt in 75.',
    updatedAt: '2026-11-21T07:00:00.000Z',
  })

  await world.import(answers({ prompt: 'best', count: 30, named: { Acme: 30 }, lastDay: '2026-11-21', days: 1 }))
  await refresh()
  expect(await getCard()).toMatchObject({ id: found.id, status: 'open', why: expect.stringContaining('0 of 150') })
})

test('a dismissed card stays dismissed, and goes on when it is opened again', async () => {
  await importFinding()
  await refresh()
  const { id } = await getCard()
  world.actions.dismiss(world.site.id, id)
  await world.import(answers({ prompt: 'best', count: 30, named: { Bolt: 15 }, lastDay: '2026-11-16', days: 1 }))
  await refresh()
  expect(await getCard()).toMatchObject({ id, status: 'dismissed', why: expect.stringContaining('0 of 120') })
  expect(await world.actions.list(world.site.id, 'open')).not.toContainEqual(expect.objectContaining({ id }))
  world.actions.reopen(world.site.id, id)
  await refresh()
  expect(await getCard()).toMatchObject({ id, status: 'open', why: expect.stringContaining('0 of 150') })
})

test('a done card is measured for 28 days, improved, and is measured again when answers come late', async () => {
  const done = await markDone()
  expect(done).toMatchObject({
    status: 'done',
    outcome: {
      markedDoneAt: START,
      resultDue: '2026-12-18T07:03:09.120Z',
      windowDays: 28,
      before: { hits: 12, total: 180 },
      after: null,
      verdict: null,
      summary: 'Measuring until 2026-12-18: named in 12 of 180 answers before.' + BEFORE,
    },
  })
  await importAfter(176, 41)
  moveTo('2026-12-18T07:03:09.119Z')
  await refresh()
  expect((await getCard()).outcome).toEqual(done.outcome)

  moveTo('2026-12-18T07:03:09.120Z')
  const improved = {
    ...done.outcome,
    after: { hits: 41, total: 176 },
    verdict: 'improved',
    summary:
      'Improved: named in 41 of 176 answers after, 12 of 180 before; 20 untouched prompts changed by 0 points (median).' +
      BEFORE,
  }
  // The list measures what is due by itself, and leaves the writing to the next refresh.
  expect((await getCard()).outcome).toEqual(improved)
  expect(withoutIntervals(world.app.catalog.cards.get(world.site.id, done.id)).outcome).toEqual(done.outcome)
  expect(await refresh()).toMatchObject({ measured: 1 })
  expect(withoutIntervals(world.app.catalog.cards.get(world.site.id, done.id)).outcome).toEqual(improved)

  await world.import(answers({ prompt: 'best', count: 30, named: { Acme: 30 }, lastDay: '2027-02-01', days: 1 }))
  expect(await refresh()).toMatchObject({ measured: 0 })
  expect((await getCard()).outcome).toEqual(improved)

  await world.import(answers({ prompt: 'best', count: 200, lastDay: '2026-12-10', days: 10 }))
  expect(await refresh()).toMatchObject({ measured: 1 })
  expect((await getCard()).outcome).toEqual({
    ...done.outcome,
    after: { hits: 41, total: 376 },
    verdict: 'no_change',
    summary:
      'No significant change: named in 41 of 376 answers after, 12 of 180 before; 20 untouched prompts changed by 0 points (median).' +
      BEFORE,
  })

  await world.import(answers({ prompt: 'best', count: 40, named: { Acme: 40 }, lastDay: '2026-10-23', days: 1 }))
  expect(await refresh()).toMatchObject({ measured: 1 })
  expect((await getCard()).outcome).toEqual({
    ...done.outcome,
    before: { hits: 52, total: 220 },
    after: { hits: 41, total: 376 },
    verdict: 'declined',
    summary:
      'Declined: named in 41 of 376 answers after, 52 of 220 before; 20 untouched prompts changed by 0 points (median).' +
      BEFORE,
  })
})

test.each([
  [
    180,
    24,
    'improved',
    'Improved: named in 24 of 180 answers after, 12 of 180 before; 20 untouched prompts changed by 0 points (median).' +
      BEFORE,
  ],
  [
    180,
    20,
    'no_change',
    'No significant change: named in 20 of 180 answers after, 12 of 180 before; 20 untouched prompts changed by 0 points (median).' +
      BEFORE,
  ],
  [
    180,
    0,
    'declined',
    'Declined: named in 0 of 180 answers after, 12 of 180 before; 20 untouched prompts changed by 0 points (median).' +
      BEFORE,
  ],
  [
    29,
    29,
    'not_enough_data',
    'Not enough data, 30 answers on each side are needed: named in 29 of 29 answers after, 12 of 180 before; 20 untouched prompts changed by 0 points (median).' +
      BEFORE,
  ],
])('of %i answers after, %i with a mention are %s', async (count, named, verdict, summary) => {
  await markDone()
  await importAfter(count, named)
  moveTo('2026-12-18T08:00:00.000Z')
  await refresh()
  expect((await getCard()).outcome).toMatchObject({ verdict, summary, after: { hits: named, total: count } })
})

test('answers that come late change the measurement before while the card is measured', async () => {
  await markDone()
  await world.import(answers({ prompt: 'best', count: 20, named: { Acme: 20 }, lastDay: '2026-11-01', days: 1 }))
  expect(await refresh()).toMatchObject({ measured: 1 })
  expect((await getCard()).outcome).toMatchObject({
    before: { hits: 32, total: 200 },
    verdict: null,
    summary: 'Measuring until 2026-12-18: named in 32 of 200 answers before.' + BEFORE,
  })
})

test('a decision that changes older answers is followed', async () => {
  await markDone()
  world.app.catalog.competitors.add(world.site.id, { name: 'Late', domains: ['late.example'] })
  expect(await refresh()).toMatchObject({ measured: 1 })
  expect(await refresh()).toMatchObject({ measured: 0 })
})

test('a reopened card has no outcome, and begins anew when it is marked done again', async () => {
  const { id } = await markDone()
  expect(world.actions.reopen(world.site.id, id)).toMatchObject({ status: 'open', outcome: null })
  moveTo('2026-11-25T00:00:00.000Z')
  expect((await world.actions.markDone(world.site.id, id)).outcome).toMatchObject({
    markedDoneAt: '2026-11-25T00:00:00.000Z',
    resultDue: '2026-12-23T00:00:00.000Z',
    // From 2026-10-28 on.
    before: { hits: 12, total: 180 },
  })
  await expect(world.actions.markDone(world.site.id, id)).rejects.toThrow(`The card ${id} is already done.`)
})
