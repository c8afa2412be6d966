import { toTimestamp } from '../clock.ts'
import type { Store } from './store.ts'

/** An address range that a provider's document listed, in CIDR notation, with the first and last time it did. */
export interface BotRange {
  readonly documentUrl: string
  readonly prefix: string
  readonly firstSeen: string
  readonly lastSeen: string
}

/** When a provider's document was first and last loaded. */
export interface BotDocument {
  readonly documentUrl: string
  readonly firstLoadedAt: string
  readonly lastLoadedAt: string
}

/** Published address ranges of bots. A range once seen is kept: an address published then still verifies (contract/api 5.9). */
export interface BotRanges {
  /** Records what the document lists at the moment (milliseconds since 1970); what it lists no longer stays. */
  replaceDocument(documentUrl: string, prefixes: readonly string[], seenAtMs: number): void
  /** Forgets a document and all its ranges: a mistaken one would verify for ever. Gives how many ranges it had. */
  forgetDocument(documentUrl: string): number
  list(): BotRange[]
  listDocuments(): BotDocument[]
}

export function openBotRanges(store: Store): BotRanges {
  const { db } = store
  const upsertDocument = db.prepare<[object]>(`
    INSERT INTO bot_documents (document_url, first_loaded_at, last_loaded_at) VALUES (@documentUrl, @seenAt, @seenAt)
    ON CONFLICT (document_url) DO UPDATE SET
      first_loaded_at = min(first_loaded_at, excluded.first_loaded_at),
      last_loaded_at = max(last_loaded_at, excluded.last_loaded_at)`)
  const upsertRange = db.prepare<[object]>(`
    INSERT INTO bot_ranges (document_url, prefix, first_seen, last_seen)
    VALUES (@documentUrl, @prefix, @seenAt, @seenAt)
    ON CONFLICT (document_url, prefix) DO UPDATE SET
      first_seen = min(first_seen, excluded.first_seen), last_seen = max(last_seen, excluded.last_seen)`)
  const deleteRanges = db.prepare<[string]>('DELETE FROM bot_ranges WHERE document_url = ?')
  const deleteDocument = db.prepare<[string]>('DELETE FROM bot_documents WHERE document_url = ?')
  const selectRanges = db.prepare<[], BotRange>(`
    SELECT document_url AS documentUrl, prefix, first_seen AS firstSeen, last_seen AS lastSeen
    FROM bot_ranges ORDER BY document_url, prefix`)
  const selectDocuments = db.prepare<[], BotDocument>(`
    SELECT document_url AS documentUrl, first_loaded_at AS firstLoadedAt, last_loaded_at AS lastLoadedAt
    FROM bot_documents ORDER BY document_url`)
  return {
    replaceDocument: (documentUrl, prefixes, seenAtMs) => {
      store.write(() => {
        const seenAt = toTimestamp(seenAtMs)
        upsertDocument.run({ documentUrl, seenAt })
        for (const prefix of prefixes) upsertRange.run({ documentUrl, prefix, seenAt })
      })
    },
    forgetDocument: (documentUrl) =>
      store.write(() => {
        const { changes } = deleteRanges.run(documentUrl)
        deleteDocument.run(documentUrl)
        return changes
      }),
    list: () => store.read(() => selectRanges.all()),
    listDocuments: () => store.read(() => selectDocuments.all()),
  }
}
