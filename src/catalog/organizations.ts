import type { Plan, PlanStatus } from '../domain/enums.ts'
import type { Organization } from '../domain/organization.ts'
import { toTimestamp } from '../clock.ts'
import { CommandError, UsageError } from '../errors.ts'
import { newId } from '../ids.ts'
import { PROMPT_LIMIT_DEFAULT, REQUESTS_PER_MINUTE_DEFAULT, WRITES_PER_MINUTE_DEFAULT } from '../limits.ts'
import { parseId, toName, toWhole } from './operator-input.ts'
import type { Store } from './store.ts'

/** What `orgs set` may change; what is absent stays. */
export interface OrganizationChange {
  readonly name?: string | undefined
  readonly plan?: Plan | undefined
  readonly planStatus?: PlanStatus | undefined
  readonly promptLimit?: number | undefined
  readonly requestsPerMinute?: number | undefined
  readonly writesPerMinute?: number | undefined
}

export interface Organizations {
  /** A new organization; on a live Enterprise plan with the default limits unless said otherwise. */
  create(given: OrganizationChange & { readonly name: string; readonly id?: string | undefined }): Organization
  /** In the order of creation. */
  list(): Organization[]
  find(id: string): Organization | undefined
  /** Refuses an unknown id with a CommandError. */
  get(id: string): Organization
  /** The one named, or the only one. Throws UsageError where there are several, CommandError where there is none. */
  getOnly(id: string | undefined): Organization
  /** Takes effect on the next request of every running server. A limit below what is active already only stops more. */
  set(id: string, change: OrganizationChange): Organization
}

export const ORGANIZATION_COLUMNS = `
  organizations.id AS organization_id, organizations.name AS organization_name, plan, plan_status, prompt_limit,
  requests_per_minute, writes_per_minute, organizations.created_at AS organization_created_at,
  stopped_at`

export interface OrganizationRow {
  readonly organization_id: string
  readonly organization_name: string
  readonly plan: Plan
  readonly plan_status: PlanStatus
  readonly prompt_limit: number
  readonly requests_per_minute: number
  readonly writes_per_minute: number
  readonly organization_created_at: string
  readonly stopped_at: string | null
}

export function openOrganizations(store: Store): Organizations {
  const { db } = store
  const selectOne = db.prepare<[string], OrganizationRow>(
    `SELECT ${ORGANIZATION_COLUMNS} FROM organizations WHERE id = ?`,
  )
  const selectAll = db.prepare<[], OrganizationRow>(
    `SELECT ${ORGANIZATION_COLUMNS} FROM organizations ORDER BY created_at, id`,
  )
  const upsert = db.prepare<[Organization]>(`
    INSERT INTO organizations
      (id, name, plan, plan_status, prompt_limit, requests_per_minute, writes_per_minute, created_at)
    VALUES
      (@id, @name, @plan, @planStatus, @promptLimit, @requestsPerMinute, @writesPerMinute, @createdAt)
    ON CONFLICT (id) DO UPDATE SET
      name = excluded.name, plan = excluded.plan, plan_status = excluded.plan_status,
      prompt_limit = excluded.prompt_limit, requests_per_minute = excluded.requests_per_minute,
      writes_per_minute = excluded.writes_per_minute`)

  const find = (id: string) => store.read(() => selectOne.get(id))
  const get = (id: string) => {
    const row = find(id)
    if (!row) throw new CommandError(`There is no organization "${id}". \`answerlake orgs list\` shows them.`)
    return toOrganization(row)
  }

  return {
    create: (given) =>
      store.write(() => {
        const id = given.id === undefined ? newId('org', store.clock.now(), store.random) : parseId(given.id)
        if (find(id)) throw new CommandError(`The id "${id}" is taken by another organization.`)
        const organization = withChange(
          {
            id,
            name: '',
            plan: 'enterprise',
            planStatus: 'live',
            promptLimit: PROMPT_LIMIT_DEFAULT,
            requestsPerMinute: REQUESTS_PER_MINUTE_DEFAULT,
            writesPerMinute: WRITES_PER_MINUTE_DEFAULT,
            createdAt: toTimestamp(store.clock.now()),
            stoppedAt: null,
          },
          given,
        )
        upsert.run(organization)
        return organization
      }),
    list: () => store.read(() => selectAll.all()).map(toOrganization),
    find: (id) => {
      const row = find(id)
      return row && toOrganization(row)
    },
    get,
    getOnly: (id) => {
      if (id !== undefined) return get(id)
      const [first, ...others] = store.read(() => selectAll.all())
      if (others.length > 0) throw new UsageError('There are several organizations. Name one with --org ORG_ID.')
      if (!first) throw new CommandError('There is no organization yet. Make a site first: `answerlake sites create`.')
      return toOrganization(first)
    },
    set: (id, change) =>
      store.write(() => {
        const organization = withChange(get(id), change)
        upsert.run(organization)
        return organization
      }),
  }
}

export function toOrganization(row: OrganizationRow): Organization {
  return {
    id: row.organization_id,
    name: row.organization_name,
    plan: row.plan,
    planStatus: row.plan_status,
    promptLimit: row.prompt_limit,
    requestsPerMinute: row.requests_per_minute,
    writesPerMinute: row.writes_per_minute,
    createdAt: row.organization_created_at,
    stoppedAt: row.stopped_at,
  }
}

function withChange(before: Organization, change: OrganizationChange): Organization {
  return {
    ...before,
    name: change.name === undefined ? before.name : toName(change.name),
    plan: change.plan ?? before.plan,
    planStatus: change.planStatus ?? before.planStatus,
    promptLimit: toWhole(change.promptLimit ?? before.promptLimit, 0, 'prompt limit'),
    requestsPerMinute: toWhole(change.requestsPerMinute ?? before.requestsPerMinute, 1, 'limit of requests per minute'),
    writesPerMinute: toWhole(change.writesPerMinute ?? before.writesPerMinute, 1, 'limit of writes per minute'),
  }
}
