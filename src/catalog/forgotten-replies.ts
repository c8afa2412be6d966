import type { ForgottenReplies as Forgotten, ForgottenWhat } from '../domain/forgotten-replies.ts'
import type { Store } from './store.ts'

/** What was deleted from the lake, and is to go from the raw replies too, which the next collection does. */
export interface ForgottenReplies {
  /** Notes it where the site has ever been scanned; inside the transaction that deletes. */
  add(siteId: string, what: Exclude<ForgottenWhat, { runs: unknown }>): void
  /** Notes all runs of a site; before it is deleted. */
  addRuns(siteId: string): void
  /** Whether the site has ever been scanned. */
  concerns(siteId: string): boolean
  list(): Forgotten[]
  /** Once it is done. */
  remove(numbers: readonly number[]): void
}

interface Row {
  readonly forgotten_no: number
  readonly site_id: string
  readonly at_ms: number
  readonly what: string
}

export function openForgottenReplies(store: Store): ForgottenReplies {
  const { db } = store
  const insert = db.prepare<[object]>(`
    INSERT INTO forgotten_replies (site_id, at_ms, what)
    SELECT @siteId, @atMs, @what WHERE EXISTS (SELECT 1 FROM scan_runs WHERE site_id = @siteId)`)
  const insertRuns = db.prepare<[object]>(`
    INSERT INTO forgotten_replies (site_id, at_ms, what)
    SELECT site_id, @atMs, json_object('runs', json_group_array(id)) FROM scan_runs WHERE site_id = @siteId GROUP BY site_id`)
  const selectRun = db.prepare<[string]>('SELECT 1 FROM scan_runs WHERE site_id = ? LIMIT 1')
  const selectAll = db.prepare<[], Row>('SELECT * FROM forgotten_replies ORDER BY forgotten_no')
  const remove = db.prepare<[number]>('DELETE FROM forgotten_replies WHERE forgotten_no = ?')
  const atMs = (): number => store.clock.now()
  return {
    add: (siteId, what) => {
      store.write(() => insert.run({ siteId, atMs: atMs(), what: JSON.stringify(what) }))
    },
    addRuns: (siteId) => {
      store.write(() => insertRuns.run({ siteId, atMs: atMs() }))
    },
    concerns: (siteId) => store.read(() => selectRun.get(siteId) !== undefined),
    list: () =>
      store
        .read(() => selectAll.all())
        .map((row) => ({
          no: row.forgotten_no,
          siteId: row.site_id,
          atMs: row.at_ms,
          what: JSON.parse(row.what) as ForgottenWhat,
        })),
    remove: (numbers) => {
      store.write(() => {
        for (const no of numbers) remove.run(no)
      })
    },
  }
}
