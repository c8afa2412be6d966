import { describe, expect, test } from 'vitest'
import type { CardFinding, CardStatus } from '../../src/domain/action-card.ts'
import { CommandError } from '../../src/errors.ts'
import { openTestCatalog } from './support/test-catalog.ts'

function openWithSite() {
  const opened = openTestCatalog()
  const siteId = opened.catalog.sites.create({ name: 'Acme', domain: 'acme.com' }).id
  return { ...opened, siteId, cards: opened.catalog.cards }
}

function toFinding(identity: string, overrides: Partial<CardFinding> = {}): CardFinding {
  return {
    rule: 'unnamed_prompts',
    identity,
    period: null,
    title: 'Write about running shoes',
    why: 'Named in 0 of 56 answers, Bolt in 41.',
    detail: 'Publish a page that answers it.',
    category: 'content',
    impact: 'Medium',
    effort: 'medium',
    targetMetric: 'mention',
    kind: 'one_off',
    cadence: null,
    targetPrompts: [{ id: 'p1', text: 'Best shoes?' }],
    targetPlatforms: ['chatgpt', 'claude'],
    targetUrl: 'https://acme.com/',
    foundFrom: '2026-10-19',
    foundTo: '2026-11-15',
    ...overrides,
  }
}

const DONE = {
  markedDoneAt: '2026-11-20T07:03:09.120Z',
  resultDue: '2026-12-18T07:03:09.120Z',
  windowDays: 28,
  before: { hits: 12, total: 180 },
  summary: 'Measured until 18 December: named in 12 of 180 answers before.',
}

describe('create', () => {
  test('makes an open card that reads back whole', () => {
    const { cards, siteId } = openWithSite()
    const card = cards.create(siteId, toFinding('p1'))
    expect(card).toEqual({
      ...toFinding('p1'),
      id: expect.stringMatching(/^act_[0-9a-z]{26}$/),
      siteId,
      status: 'open',
      createdAt: '2026-11-20T07:03:09.120Z',
      updatedAt: '2026-11-20T07:03:09.120Z',
      outcome: null,
    })
    expect(cards.get(siteId, card.id)).toEqual(card)
    expect(cards.findByIdentity(siteId, 'p1', null)).toEqual(card)
  })

  test('the same finding never makes a second card in its period, in any status', () => {
    const { cards, siteId, catalog } = openWithSite()
    const { id } = cards.create(siteId, toFinding('p1'))
    cards.create(siteId, toFinding('p1', { period: '2026-W47' }))
    cards.create(siteId, toFinding('p1', { period: '2026-W48' }))
    cards.dismiss(siteId, id)
    expect(() => cards.create(siteId, toFinding('p1'))).toThrow(new CommandError('There is already a card for "p1".'))
    expect(() => cards.create(siteId, toFinding('p1', { period: '2026-W48' }))).toThrow(CommandError)
    const other = catalog.sites.create({ name: 'Bolt', domain: 'bolt.com' }).id
    expect(cards.create(other, toFinding('p1')).status).toBe('open')
    expect(cards.list(siteId, 'all')).toHaveLength(3)
    expect(cards.find(other, id)).toBeUndefined()
    expect(() => cards.get(other, id)).toThrow(`The site has no card "${id}". \`answerlake actions list\` shows them.`)
  })
})

describe('list', () => {
  test('is by impact, then newest, and leaves dismissed ones out unless all are asked for', () => {
    const { cards, siteId, clock } = openWithSite()
    const make = (identity: string, impact: CardFinding['impact']) => {
      clock.nowMs += 1
      return cards.create(siteId, toFinding(identity, { impact })).id
    }
    make('low', 'Low')
    make('high', 'High')
    const done = make('done', 'High')
    make('medium', 'Medium')
    const dismissed = make('dismissed', 'Low')
    make('newest high', 'High')
    cards.markDone(siteId, done, DONE)
    cards.dismiss(siteId, dismissed)
    const identities = (['open', 'done', 'all'] as const).map((filter) =>
      cards.list(siteId, filter).map(({ identity }) => identity),
    )
    expect(identities).toEqual([
      ['newest high', 'high', 'medium', 'low'],
      ['done'],
      ['newest high', 'done', 'high', 'medium', 'dismissed', 'low'],
    ])
  })

  test('shows the findings of one upsert in their order, however long it took, and after it', () => {
    const { cards, siteId, clock } = openWithSite()
    const identities = Array.from({ length: 20 }, (_, index) => `p${(index * 7) % 20}`)
    clock.now = () => clock.nowMs++
    cards.upsert(siteId, [...identities.map((identity) => toFinding(identity)), toFinding('low', { impact: 'Low' })])
    const renewed = identities.toReversed().map((identity) => toFinding(identity, { why: 'Named in 1 of 57 answers.' }))
    cards.upsert(siteId, renewed)
    cards.upsert(siteId, [toFinding('later')])
    expect(cards.list(siteId, 'open').map(({ identity }) => identity)).toEqual(['later', ...identities, 'low'])
  })
})

describe('upsert', () => {
  test('makes new cards, renews the evidence of open ones and leaves the others as they are', () => {
    const { cards, siteId, clock } = openWithSite()
    const ids = ['open', 'same', 'done', 'dismissed'].map((identity) => cards.create(siteId, toFinding(identity)).id)
    cards.markDone(siteId, ids[2] ?? '', DONE)
    cards.dismiss(siteId, ids[3] ?? '')
    const before = new Map(cards.list(siteId, 'all').map((card) => [card.identity, card]))
    clock.nowMs += 1_000
    const changed = { why: 'Named in 1 of 60 answers.', impact: 'High', targetPlatforms: ['gemini'] } as const
    const findings = [
      toFinding('open', changed),
      toFinding('same'),
      toFinding('done', changed),
      toFinding('dismissed', changed),
      toFinding('new'),
    ]
    expect(cards.upsert(siteId, findings)).toEqual({ created: 1, updated: 1, unchanged: 3 })
    const after = new Map(cards.list(siteId, 'all').map((card) => [card.identity, card]))
    expect(after.get('open')).toEqual({ ...before.get('open'), ...changed, updatedAt: '2026-11-20T07:03:10.120Z' })
    for (const identity of ['same', 'done', 'dismissed']) expect(after.get(identity)).toEqual(before.get(identity))
    expect(after.get('new')?.status).toBe('open')
    expect(cards.upsert(siteId, findings)).toEqual({ created: 0, updated: 0, unchanged: 5 })
  })
})

describe('the days in which a card was found', () => {
  test('begin where they did, and end where its targets were last changed', () => {
    const { cards, siteId } = openWithSite()
    const { id } = cards.create(siteId, toFinding('p1'))
    const later = { foundFrom: '2026-10-25', foundTo: '2026-11-21' }
    cards.upsert(siteId, [toFinding('p1', { ...later, why: 'Named in 1 of 60 answers.' })])
    expect(cards.get(siteId, id)).toMatchObject({ foundFrom: '2026-10-19', foundTo: '2026-11-15' })
    const targetPrompts = [{ id: 'p2', text: 'Good shoes?' }]
    cards.upsert(siteId, [toFinding('p1', { ...later, targetPrompts })])
    expect(cards.get(siteId, id)).toMatchObject({ foundFrom: '2026-10-19', foundTo: '2026-11-21' })
  })
})

describe('status', () => {
  const moves = {
    open: (cards: ReturnType<typeof openWithSite>['cards'], siteId: string, id: string) => cards.reopen(siteId, id),
    done: (cards: ReturnType<typeof openWithSite>['cards'], siteId: string, id: string) =>
      cards.markDone(siteId, id, DONE),
    dismissed: (cards: ReturnType<typeof openWithSite>['cards'], siteId: string, id: string) =>
      cards.dismiss(siteId, id),
  }
  const allowed = new Set(['open done', 'open dismissed', 'done open', 'dismissed open'])
  const statuses: CardStatus[] = ['open', 'done', 'dismissed']

  test.each(statuses.flatMap((from) => statuses.map((to) => ({ from, to }))))('$from to $to', ({ from, to }) => {
    const { cards, siteId } = openWithSite()
    const { id } = cards.create(siteId, toFinding('p1'))
    const before = from === 'open' ? cards.get(siteId, id) : moves[from](cards, siteId, id)
    if (allowed.has(`${from} ${to}`)) {
      expect(moves[to](cards, siteId, id).status).toBe(to)
    } else {
      expect(() => moves[to](cards, siteId, id)).toThrow(CommandError)
      expect(cards.get(siteId, id)).toEqual(before)
    }
  })

  test('a refused move says what to do', () => {
    const { cards, siteId } = openWithSite()
    const { id } = cards.create(siteId, toFinding('p1'))
    cards.dismiss(siteId, id)
    expect(() => cards.dismiss(siteId, id)).toThrow(`The card ${id} is already dismissed.`)
    expect(() => cards.markDone(siteId, id, DONE)).toThrow(
      `The card ${id} is dismissed; reopen it first: \`answerlake actions reopen\`.`,
    )
    expect(() => cards.reopen(siteId, 'act_x')).toThrow('The site has no card "act_x".')
  })
})

describe('outcome', () => {
  test('begins with the measurement before, gets its verdict later, again when needed, and goes with a reopen', () => {
    const { cards, siteId, clock } = openWithSite()
    const { id } = cards.create(siteId, toFinding('p1'))
    expect(cards.markDone(siteId, id, DONE).outcome).toEqual({ ...DONE, after: null, verdict: null })
    clock.nowMs += 1_000
    const measured = {
      before: { hits: 12, total: 180 },
      after: { hits: 41, total: 176 },
      verdict: 'improved' as const,
      summary: 'Named in 41 of 176 answers after, 12 of 180 before.',
    }
    cards.saveOutcome(siteId, id, measured)
    expect(cards.get(siteId, id)).toMatchObject({
      status: 'done',
      outcome: { ...DONE, ...measured },
      updatedAt: '2026-11-20T07:03:10.120Z',
    })
    const again = { ...measured, after: { hits: 13, total: 200 }, verdict: 'no_change' as const }
    cards.saveOutcome(siteId, id, again)
    expect(cards.get(siteId, id).outcome).toEqual({ ...DONE, ...again })
    expect(cards.reopen(siteId, id).outcome).toBeNull()
    cards.saveOutcome(siteId, id, measured)
    expect(cards.get(siteId, id)).toMatchObject({ status: 'open', outcome: null })
  })
})
