import { toTimestamp } from '../clock.ts'
import type { ForgottenReplies } from './forgotten-replies.ts'
import { FILE_COLUMNS } from './manifest-rows.ts'
import type { Organizations } from './organizations.ts'
import type { RecordedChanges } from './recorded-changes.ts'
import { findReferences } from './references.ts'
import type { Sites } from './sites.ts'
import type { Store } from './store.ts'

/** What goes with a site. */
export interface SiteBelongings {
  readonly site_id: string
  readonly domain: string
  readonly answers: number
  readonly no_answers: number
  /** Rows of hits and visits; each stands for those of a quarter of an hour. */
  readonly log_rows: number
  readonly prompts: number
  readonly competitors: number
  readonly cards: number
  /** Of the lake, with those that were replaced and wait for their collection. */
  readonly lake_files: number
  readonly bytes: number
}

/** What goes with an organization. */
export interface OrganizationBelongings {
  readonly organization_id: string
  readonly name: string
  readonly sites: readonly SiteBelongings[]
  readonly keys: number
  readonly users: number
}

/**
 * Deletes whole sites and organizations, each in one transaction: afterwards they are unknown everywhere, whatever was
 * under way. Files of the lake and raw replies are left to the collection. Throws CommandError for an unknown id.
 */
export interface Deletions {
  countSite(siteId: string): SiteBelongings
  countOrganization(organizationId: string): OrganizationBelongings
  /** Gives what went. */
  deleteSite(siteId: string): SiteBelongings
  /** Deletes the organization with its sites, keys, users and their audit; gives what went. */
  deleteOrganization(organizationId: string): OrganizationBelongings
  /** Ids of sites that were deleted: changes that were under way then may leave files behind. */
  listDeletedSites(): string[]
}

interface Parts {
  readonly sites: Sites
  readonly organizations: Organizations
  readonly recordedChanges: RecordedChanges
  readonly forgottenReplies: ForgottenReplies
}

export function openDeletions(
  store: Store,
  { sites, organizations, recordedChanges, forgottenReplies }: Parts,
): Deletions {
  const { db } = store
  const ofLive = `FROM files WHERE site_id = @siteId AND state = 'live'`
  const selectBelongings = db.prepare<[object], Omit<SiteBelongings, 'site_id' | 'domain'>>(`
    SELECT
      (SELECT coalesce(sum(row_count), 0) ${ofLive} AND dataset = 'answers') AS answers,
      (SELECT coalesce(sum(row_count), 0) ${ofLive} AND dataset = 'no_answers') AS no_answers,
      (SELECT coalesce(sum(row_count), 0) ${ofLive} AND dataset IN ('bot_hits', 'visits')) AS log_rows,
      (SELECT count(*) FROM prompts WHERE site_id = @siteId) AS prompts,
      (SELECT count(*) FROM competitors WHERE site_id = @siteId) AS competitors,
      (SELECT count(*) FROM cards WHERE site_id = @siteId) AS cards,
      (SELECT count(*) FROM files WHERE site_id = @siteId) AS lake_files,
      (SELECT coalesce(sum(bytes), 0) FROM files WHERE site_id = @siteId) AS bytes`)
  const insertSnapshot = db.prepare<[string, string]>(
    `INSERT INTO snapshots (kind, site_id, created_at) VALUES ('delete_site', ?, ?)`,
  )
  const moveFiles = db.prepare<[object]>(`
    INSERT INTO deleted_site_files (${FILE_COLUMNS}, state)
    SELECT file_id, dataset, site_id, month, path, row_count, bytes, sha256, min_day, max_day, schema_version, added_in,
      coalesce(removed_in, @snapshot), coalesce(retired_at, @at), iif(state = 'deleting', 'deleting', 'retired')
    FROM files WHERE site_id = @siteId`)
  const allowChanges = db.prepare<[string]>(
    'UPDATE organizations SET stopped_at = NULL WHERE id = ? AND stopped_at IS NOT NULL',
  )
  const countKeys = db.prepare<[string], number>('SELECT count(*) FROM api_keys WHERE organization_id = ?').pluck()
  const countUsers = db.prepare<[string], number>('SELECT count(*) FROM users WHERE organization_id = ?').pluck()
  const selectDeleted = db
    .prepare<[], string>(`SELECT DISTINCT site_id FROM recorded_changes WHERE kind = 'delete_site' ORDER BY site_id`)
    .pluck()

  const countSite = (idOrDomain: string): SiteBelongings => {
    const { id, domain } = sites.get(idOrDomain)
    const counted = selectBelongings.get({ siteId: id })
    if (!counted) throw new Error('a query of sums gave no row')
    return { site_id: id, domain, ...counted }
  }
  const countOrganization = (id: string): OrganizationBelongings => ({
    organization_id: id,
    name: organizations.get(id).name,
    sites: sites.list(id).map((site) => countSite(site.id)),
    keys: countKeys.get(id) ?? 0,
    users: countUsers.get(id) ?? 0,
  })

  /** Deletes a row with those of every table that refers to it; those may refer to each other. */
  function deleteWithReferring(table: 'sites' | 'organizations', id: string): void {
    db.pragma('defer_foreign_keys = ON')
    for (const { name, column } of findReferences(db, table)) {
      db.prepare<[string]>(`DELETE FROM "${name}" WHERE "${column}" = ?`).run(id)
    }
    db.prepare<[string]>(`DELETE FROM ${table} WHERE id = ?`).run(id)
  }

  function deleteSite(siteId: string): SiteBelongings {
    const result = countSite(siteId)
    const at = toTimestamp(store.clock.now())
    // A snapshot of its own, which nobody has pinned: whoever pinned an older one may still need the files.
    const snapshot = Number(insertSnapshot.run(siteId, at).lastInsertRowid)
    moveFiles.run({ siteId, snapshot, at })
    forgottenReplies.addRuns(siteId)
    deleteWithReferring('sites', siteId)
    recordedChanges.removeSite(siteId)
    recordedChanges.record({ siteId, kind: 'delete_site', snapshot: null, result })
    return result
  }

  return {
    countSite: (siteId) => store.read(() => countSite(siteId)),
    countOrganization: (organizationId) => store.read(() => countOrganization(organizationId)),
    deleteSite: (siteId) => store.write(() => deleteSite(siteId)),
    deleteOrganization: (organizationId) =>
      store.write(() => {
        const result = countOrganization(organizationId)
        allowChanges.run(organizationId)
        for (const site of result.sites) deleteSite(site.site_id)
        deleteWithReferring('organizations', organizationId)
        recordedChanges.record({ siteId: null, kind: 'delete_organization', snapshot: null, result })
        return result
      }),
    listDeletedSites: () => store.read(() => selectDeleted.all()),
  }
}
