import { expect, test } from 'vitest'
import { CARD_STATUSES, canMoveCard } from '../../src/domain/action-card.ts'

test('a card moves from open to done or dismissed and back, and nowhere else', () => {
  const moves = CARD_STATUSES.flatMap((from) => CARD_STATUSES.map((to) => [from, to] as const)).filter(([from, to]) =>
    canMoveCard(from, to),
  )
  expect(moves).toEqual([
    ['open', 'done'],
    ['open', 'dismissed'],
    ['done', 'open'],
    ['dismissed', 'open'],
  ])
})
