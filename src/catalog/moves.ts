import { toTimestamp } from '../clock.ts'
import { CommandError } from '../errors.ts'
import type { Deletions } from './deletions.ts'
import type { Organizations } from './organizations.ts'
import { findReferences } from './references.ts'
import type { ScanRuns } from './scan-runs.ts'
import type { Sessions } from './sessions.ts'
import type { Sites } from './sites.ts'
import { toStopped } from './sqlite-failures.ts'
import type { Store } from './store.ts'

/** What an organization brought into a data directory. */
export interface MovedOrganization {
  readonly organization_id: string
  readonly name: string
  readonly sites: readonly string[]
  readonly prompts: number
  readonly keys: number
  readonly users: number
}

/** Organizations on their way from one data directory to another: the catalog's part (docs/scale.md). */
export interface Moves {
  /**
   * From now on nothing of the organization is changed by any process, but for its deletion and `resume`; reading goes on.
   * False when that was so already. Throws CommandError for an unknown id, and while a scan of it runs.
   */
  stop(organizationId: string): boolean
  /** Allows changes again; false when they were allowed. */
  resume(organizationId: string): boolean
  /** Whether changes of a site are refused. */
  isStopped(siteId: string): boolean
  /** Throws what a refused change of the site throws, for work whose first change comes late. */
  refuseStopped(siteId: string): void
  /** Leaves the organization alone in this catalog, which must be a copy: with a secret of its own, changes allowed, nobody signed in. */
  keepOnly(organizationId: string): void
  /** Throws CommandError where an id of another catalog's organization, or a file of its lake, is here already. */
  refuseTaken(path: string): void
  /**
   * Takes over the one organization of another catalog, a file of the same schema, in one transaction; `within` is called at
   * its end. The files of its lake must be in their place. Ids stay; snapshots begin anew. Throws as `refuseTaken`.
   */
  takeIn(path: string, within: (moved: MovedOrganization) => void): MovedOrganization
}

/** Tables of sites whose rows begin anew: what they say of snapshots holds for the catalog that they come from. */
const BEGUN_ANEW: ReadonlySet<string> = new Set(['snapshots', 'files', 'deleted_through'])

interface Parts {
  readonly organizations: Organizations
  readonly sites: Sites
  readonly scanRuns: ScanRuns
  readonly deletions: Deletions
  readonly sessions: Sessions
}

export function openMoves(store: Store, { organizations, sites, scanRuns, deletions, sessions }: Parts): Moves {
  const { db } = store
  const setStopped = db.prepare<[string, string]>(
    'UPDATE organizations SET stopped_at = ? WHERE id = ? AND stopped_at IS NULL',
  )
  const setResumed = db.prepare<[string]>(
    'UPDATE organizations SET stopped_at = NULL WHERE id = ? AND stopped_at IS NOT NULL',
  )
  const selectStopped = db.prepare<[string]>(`
    SELECT 1 FROM sites JOIN organizations ON organizations.id = sites.organization_id
    WHERE sites.id = ? AND stopped_at IS NOT NULL`)

  /** What a run has paid for must get into the lake, and its calls into the copy. */
  function refuseScanning(organizationId: string): void {
    for (const { id, domain } of sites.list(organizationId)) {
      const run = (['answer', 'judgement'] as const).map((kind) => scanRuns.findAlive(id, kind)).find(Boolean)
      if (!run) continue
      throw new CommandError(`${run.id} asks for ${domain} at this moment. Repeat the command when it is done.`)
    }
  }

  const isStopped = (siteId: string): boolean => store.read(() => selectStopped.get(siteId)) !== undefined

  function keepOnly(organizationId: string): void {
    setResumed.run(organizationId)
    for (const { id } of organizations.list()) if (id !== organizationId) deletions.deleteOrganization(id)
    sessions.endAll()
    db.prepare('DELETE FROM audit WHERE organization_id IS NULL').run()
    db.prepare('DELETE FROM recorded_changes WHERE site_id IS NULL OR site_id NOT IN (SELECT id FROM sites)').run()
    for (const table of ['deleted_site_files', 'pins', 'leases']) db.prepare(`DELETE FROM ${table}`).run()
    db.prepare('DELETE FROM spend WHERE organization_id <> ?').run(organizationId)
    db.prepare('UPDATE meta SET cursor_secret = ?').run(store.random.bytes(32))
  }

  /** Names of a table's columns, without that of a row's number where SQLite gives one. */
  const listColumns = (table: string): string[] =>
    db
      .prepare<[string], string>(
        `SELECT '"' || name || '"' FROM pragma_table_info(?) WHERE NOT (pk = 1 AND type = 'INTEGER') ORDER BY cid`,
      )
      .pluck()
      .all(table)

  function copyRows(): void {
    const referring = ['organizations', 'sites'].flatMap((table) => findReferences(db, table))
    for (const table of new Set(['organizations', ...referring.map(({ name }) => name)])) {
      if (BEGUN_ANEW.has(table)) continue
      const columns = listColumns(table).join(', ')
      db.prepare(`INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM moved."${table}"`).run()
    }
    // An organization that was here before has left what it spent then.
    db.prepare(
      `INSERT INTO main.spend SELECT * FROM moved.spend WHERE true
       ON CONFLICT DO UPDATE SET micros = max(micros, excluded.micros)`,
    ).run()
    const at = toTimestamp(store.clock.now())
    const recorded = listColumns('recorded_changes').filter((name) => name !== '"snapshot"')
    db.prepare(
      `INSERT INTO main.recorded_changes (${recorded.join(', ')}) SELECT ${recorded.join(', ')} FROM moved.recorded_changes ORDER BY seq`,
    ).run()
    db.prepare<[string]>(
      `INSERT INTO main.snapshots (kind, site_id, created_at) SELECT 'import_organization', id, ? FROM moved.sites ORDER BY id`,
    ).run(at)
    const columns = listColumns('files').filter((name) => name !== '"added_in"')
    db.prepare(
      `INSERT INTO main.files (${columns.join(', ')}, added_in)
       SELECT ${columns.join(', ')}, (SELECT max(id) FROM main.snapshots WHERE snapshots.site_id = of_site.site_id)
       FROM moved.files AS of_site WHERE state = 'live'`,
    ).run()
  }

  function takeIn(within: (moved: MovedOrganization) => void): MovedOrganization {
    const organization = refuseTaken()
    db.pragma('defer_foreign_keys = ON')
    copyRows()
    const count = (table: string): number =>
      db.prepare<[], number>(`SELECT count(*) FROM moved.${table}`).pluck().get() ?? 0
    const moved = {
      organization_id: organization.id,
      name: organization.name,
      sites: db.prepare<[], string>('SELECT id FROM moved.sites ORDER BY created_at, id').pluck().all(),
      prompts: count('prompts'),
      keys: count('api_keys'),
      users: count('users'),
    }
    within(moved)
    return moved
  }

  function refuseTaken(): { readonly id: string; readonly name: string } {
    const [organization, ...others] = db
      .prepare<[], { id: string; name: string }>('SELECT id, name FROM moved.organizations')
      .all()
    if (!organization || others.length > 0) throw new CommandError('This is not the export of one organization.')
    if (organizations.find(organization.id)) {
      throw new CommandError(
        `The organization ${organization.id} is in this data directory already. Nothing was changed.`,
      )
    }
    for (const table of ['sites', 'prompts', 'competitors', 'api_keys', 'cards', 'users']) {
      const taken = db
        .prepare<[], string>(`SELECT id FROM moved.${table} WHERE id IN (SELECT id FROM main.${table})`)
        .pluck()
        .get()
      if (taken === undefined) continue
      throw new CommandError(`The id ${taken} (${table}) is taken by another organization here. Nothing was changed.`)
    }
    const mail = db
      .prepare<[], string>(
        `SELECT mail FROM moved.users WHERE revoked_at IS NULL
         AND mail IN (SELECT mail FROM main.users WHERE revoked_at IS NULL)`,
      )
      .pluck()
      .get()
    if (mail !== undefined) {
      throw new CommandError(
        `${mail} is a user of another organization here. Revoke one of the two (\`answerlake users revoke\`). Nothing was changed.`,
      )
    }
    const waiting = db
      .prepare<[], string>('SELECT path FROM moved.files WHERE path IN (SELECT path FROM main.deleted_site_files)')
      .pluck()
      .get()
    if (waiting !== undefined) {
      throw new CommandError(
        'The organization was deleted here not long ago, and its files wait for their collection. Run `answerlake lake gc --grace 0`, then repeat the command.',
      )
    }
    return organization
  }

  function withMoved<T>(path: string, work: () => T): T {
    store.guard(() => db.prepare('ATTACH ? AS moved').run(path))
    try {
      return store.write(work)
    } finally {
      store.guard(() => db.prepare('DETACH moved').run())
    }
  }

  return {
    stop: (organizationId) =>
      store.write(() => {
        const { id } = organizations.get(organizationId)
        refuseScanning(id)
        return setStopped.run(toTimestamp(store.clock.now()), id).changes > 0
      }),
    resume: (organizationId) => store.write(() => setResumed.run(organizations.get(organizationId).id).changes > 0),
    isStopped,
    refuseStopped(siteId) {
      if (isStopped(siteId)) throw toStopped(store.mode)
    },
    keepOnly: (organizationId) => store.write(() => keepOnly(organizationId)),
    refuseTaken: (path) => void withMoved(path, refuseTaken),
    takeIn: (path, within) => withMoved(path, () => takeIn(within)),
  }
}
