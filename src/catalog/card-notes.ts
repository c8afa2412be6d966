import { toTimestamp } from '../clock.ts'
import type { Store } from './store.ts'

/** Who marked a card done or put it away in the dashboard, and what they wrote about it. */
export interface CardNote {
  readonly cardId: string
  readonly note: string | null
  /** The user's mail address. */
  readonly actor: string
  readonly createdAt: string
}

export interface CardNotes {
  /** Replaces what was noted of the card before. */
  put(siteId: string, cardId: string, given: { note: string | null; actor: string }): void
  /** For a card that is opened again. */
  remove(cardId: string): void
  /** Newest first. */
  list(siteId: string): CardNote[]
}

export function openCardNotes(store: Store): CardNotes {
  const { db } = store
  const upsert = db.prepare<[object]>(`
    INSERT INTO card_notes (card_id, site_id, note, actor, created_at) VALUES (@cardId, @siteId, @note, @actor, @at)
    ON CONFLICT (card_id) DO UPDATE SET note = excluded.note, actor = excluded.actor, created_at = excluded.created_at`)
  const deleteOne = db.prepare<[string]>('DELETE FROM card_notes WHERE card_id = ?')
  const selectAll = db.prepare<[string], CardNote>(`
    SELECT card_id AS cardId, note, actor, created_at AS createdAt FROM card_notes
    WHERE site_id = ? ORDER BY created_at DESC, card_id`)
  return {
    put: (siteId, cardId, given) => {
      const at = toTimestamp(store.clock.now())
      store.write(() => upsert.run({ siteId, cardId, ...given, at }))
    },
    remove: (cardId) => void store.write(() => deleteOne.run(cardId)),
    list: (siteId) => store.read(() => selectAll.all(siteId)),
  }
}
