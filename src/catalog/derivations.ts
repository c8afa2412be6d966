import type { Store } from './store.ts'

/** With which settings (brands, tables) the months of a site were last derived anew; tells a stopped `lake rederive` where to go on. */
export interface Derivations {
  isCurrent(siteId: string, month: string, settings: string): boolean
  record(siteId: string, month: string, settings: string): void
  /** What was imported since was derived with the settings of its own moment. */
  forget(siteId: string, months: readonly string[]): void
}

export function openDerivations(store: Store): Derivations {
  const { db } = store
  const select = db
    .prepare<[string, string], string>('SELECT settings FROM derivations WHERE site_id = ? AND month = ?')
    .pluck()
  const upsert = db.prepare<[string, string, string]>(`
    INSERT INTO derivations (site_id, month, settings) VALUES (?, ?, ?)
    ON CONFLICT (site_id, month) DO UPDATE SET settings = excluded.settings`)
  const remove = db.prepare<[string, string]>('DELETE FROM derivations WHERE site_id = ? AND month = ?')
  return {
    isCurrent: (siteId, month, settings) => store.read(() => select.get(siteId, month)) === settings,
    record: (siteId, month, settings) => {
      store.write(() => upsert.run(siteId, month, settings))
    },
    forget: (siteId, months) => {
      store.write(() => {
        for (const month of months) remove.run(siteId, month)
      })
    },
  }
}
