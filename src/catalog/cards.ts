import { toTimestamp } from '../clock.ts'
import {
  canMoveCard,
  type ActionCard,
  type CardFilter,
  type CardFinding,
  type CardOutcome,
  type CardStatus,
} from '../domain/action-card.ts'
import { CommandError } from '../errors.ts'
import { newId } from '../ids.ts'
import { type CardNotes, openCardNotes } from './card-notes.ts'
import { CARD_COLUMNS, toCard, toCardRow, type CardRow } from './card-rows.ts'
import type { Store } from './store.ts'

/** Action Center cards (contract/api 9 and 11.6). */
export interface Cards {
  readonly notes: CardNotes
  /**
   * `open` and `done` alone or `all`, dismissed ones too; by impact, then newest; those of one `upsert` in the order of its
   * findings.
   */
  list(siteId: string, filter: CardFilter): ActionCard[]
  find(siteId: string, id: string): ActionCard | undefined
  get(siteId: string, id: string): ActionCard
  /** The card of a finding's identity and period, in any status. */
  findByIdentity(siteId: string, identity: string, period: string | null): ActionCard | undefined
  /** A new open card. The same identity in the same period is a CommandError. */
  create(siteId: string, finding: CardFinding): ActionCard
  /**
   * Brings findings in, in one transaction: a new identity makes an open card, an open card gets the new evidence, a done
   * or dismissed one stays as it is. An ongoing card that is still open when another period begins is carried into it.
   */
  upsert(siteId: string, findings: readonly CardFinding[]): { created: number; updated: number; unchanged: number }
  /** Open to done, with the measurement before. */
  markDone(siteId: string, id: string, outcome: Omit<CardOutcome, 'after' | 'verdict'>): ActionCard
  /** Open to dismissed. */
  dismiss(siteId: string, id: string): ActionCard
  /** Done or dismissed to open; an outcome is dropped. */
  reopen(siteId: string, id: string): ActionCard
  /** The measurement of a done card, now or again. A card that isn't done any more is passed over. */
  saveOutcome(siteId: string, id: string, outcome: Pick<CardOutcome, 'before' | 'after' | 'verdict' | 'summary'>): void
}

export function openCards(store: Store): Cards {
  const { db } = store
  const select = `SELECT ${CARD_COLUMNS.join(', ')} FROM cards`
  const selectList = db.prepare<[object], CardRow>(`
    ${select}
    WHERE site_id = @siteId AND (@filter = 'all' OR status = @filter)
    ORDER BY CASE impact WHEN 'High' THEN 1 WHEN 'Medium' THEN 2 ELSE 3 END, created_at DESC, rowid`)
  const selectOne = db.prepare<[string, string], CardRow>(`${select} WHERE site_id = ? AND id = ?`)
  const selectByIdentity = db.prepare<[string, string, string], CardRow>(
    `${select} WHERE site_id = ? AND identity = ? AND coalesce(period, '') = ?`,
  )
  const selectOpen = db.prepare<[string, string], CardRow>(
    `${select} WHERE site_id = ? AND identity = ? AND status = 'open' AND kind = 'ongoing' ORDER BY period DESC LIMIT 1`,
  )
  const replace = db.prepare<[CardRow]>(`
    INSERT INTO cards (${CARD_COLUMNS.join(', ')}) VALUES (${CARD_COLUMNS.map((name) => `@${name}`).join(', ')})
    ON CONFLICT (id) DO UPDATE SET ${CARD_COLUMNS.slice(1)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`)

  const find = (siteId: string, id: string) => {
    const row = store.read(() => selectOne.get(siteId, id))
    return row && toCard(row)
  }
  const get = (siteId: string, id: string) => {
    const card = find(siteId, id)
    if (!card) throw new CommandError(`The site has no card "${id}". \`answerlake actions list\` shows them.`)
    return card
  }
  const findByIdentity = (siteId: string, identity: string, period: string | null) => {
    const row = store.read(() => selectByIdentity.get(siteId, identity, period ?? ''))
    return row && toCard(row)
  }
  const findStillOpen = (siteId: string, identity: string) => {
    const row = store.read(() => selectOpen.get(siteId, identity))
    return row && toCard(row)
  }
  const keep = (card: ActionCard): ActionCard => {
    const kept = { ...card, updatedAt: toTimestamp(store.clock.now()) }
    replace.run(toCardRow(kept))
    return kept
  }
  const create = (siteId: string, finding: CardFinding, nowMs: number): ActionCard => {
    if (findByIdentity(siteId, finding.identity, finding.period)) {
      throw new CommandError(`There is already a card for "${finding.identity}".`)
    }
    const id = newId('act', nowMs, store.random)
    const createdAt = toTimestamp(nowMs)
    return keep({ ...finding, id, siteId, status: 'open', createdAt, updatedAt: createdAt, outcome: null })
  }
  const move = (siteId: string, id: string, to: CardStatus, outcome: CardOutcome | null): ActionCard =>
    store.write(() => {
      const card = get(siteId, id)
      if (!canMoveCard(card.status, to)) throw new CommandError(describeMove(card, to))
      return keep({ ...card, status: to, outcome })
    })

  return {
    notes: openCardNotes(store),
    list: (siteId, filter) => store.read(() => selectList.all({ siteId, filter })).map(toCard),
    find,
    get,
    findByIdentity,
    create: (siteId, finding) => store.write(() => create(siteId, finding, store.clock.now())),
    upsert: (siteId, findings) =>
      store.write(() => {
        const counts = { created: 0, updated: 0, unchanged: 0 }
        // One for all: how long the work takes must not decide the order of the list.
        const nowMs = store.clock.now()
        for (const finding of findings) {
          const { identity, period } = finding
          const card = findByIdentity(siteId, identity, period) ?? findStillOpen(siteId, identity)
          if (!card) {
            create(siteId, finding, nowMs)
            counts.created += 1
          } else if (card.status === 'open' && !hasSameEvidence(card, withDaysOf(card, finding))) {
            keep({ ...card, ...withDaysOf(card, finding) })
            counts.updated += 1
          } else {
            counts.unchanged += 1
          }
        }
        return counts
      }),
    markDone: (siteId, id, outcome) => move(siteId, id, 'done', { ...outcome, after: null, verdict: null }),
    dismiss: (siteId, id) => move(siteId, id, 'dismissed', null),
    reopen: (siteId, id) => move(siteId, id, 'open', null),
    saveOutcome: (siteId, id, outcome) => {
      store.write(() => {
        const card = get(siteId, id)
        if (card.outcome) keep({ ...card, outcome: { ...card.outcome, ...outcome } })
      })
    },
  }
}

function describeMove(card: ActionCard, to: CardStatus): string {
  if (card.status === to) return `The card ${card.id} is already ${to}.`
  return `The card ${card.id} is ${card.status}; reopen it first: \`answerlake actions reopen\`.`
}

/** A finding made again: the days in which its card was found begin as they did, and last until its targets were last changed. */
function withDaysOf(card: ActionCard, finding: CardFinding): CardFinding {
  const toTargets = ({ targetPrompts, targetPlatforms }: CardFinding): string =>
    JSON.stringify([targetPrompts.map(({ id }) => id).toSorted(), targetPlatforms])
  const isSame = toTargets(card) === toTargets(finding)
  return { ...finding, foundFrom: card.foundFrom, foundTo: isSame ? card.foundTo : finding.foundTo }
}

function hasSameEvidence(card: ActionCard, finding: CardFinding): boolean {
  return JSON.stringify(toCardRow(card)) === JSON.stringify(toCardRow({ ...card, ...finding }))
}
