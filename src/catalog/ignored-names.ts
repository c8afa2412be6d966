import { toTimestamp } from '../clock.ts'
import { toBrandKey } from '../derive/brand-key.ts'
import type { Store } from './store.ts'

/** Names that somebody said are no competitors of a site. Compared as brands are. */
export interface IgnoredNames {
  add(siteId: string, names: readonly string[]): void
  /** A name that isn't there is passed over. */
  remove(siteId: string, names: readonly string[]): void
  /** The forms in which the names are compared (derive/brand-key.ts). */
  listKeys(siteId: string): ReadonlySet<string>
}

export function openIgnoredNames({ db, clock }: Store): IgnoredNames {
  const insert = db.prepare<[string, string, string, string]>(
    'INSERT INTO ignored_names (site_id, name_key, name, ignored_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const deleteOne = db.prepare<[string, string]>('DELETE FROM ignored_names WHERE site_id = ? AND name_key = ?')
  const selectKeys = db
    .prepare<[string], string>('SELECT name_key FROM ignored_names WHERE site_id = ? ORDER BY name_key')
    .pluck()
  return {
    add: (siteId, names) => {
      for (const name of names) insert.run(siteId, toBrandKey(name), name, toTimestamp(clock.now()))
    },
    remove: (siteId, names) => {
      for (const name of names) deleteOne.run(siteId, toBrandKey(name))
    },
    listKeys: (siteId) => new Set(selectKeys.all(siteId)),
  }
}
