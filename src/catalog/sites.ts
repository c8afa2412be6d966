import { toTimestamp } from '../clock.ts'
import type { BrandNo } from '../domain/brand.ts'
import { ENGINE_IDS, type EngineId } from '../domain/enums.ts'
import { toDomain, type Site } from '../domain/site.ts'
import { CommandError, UsageError } from '../errors.ts'
import { newId } from '../ids.ts'
import { exactAfter, refuseTakenSpellings, toExact, type BrandTable } from './brands.ts'
import { parseId, toHost, toMarket, toName, toNames } from './operator-input.ts'
import type { Organizations } from './organizations.ts'
import type { Store } from './store.ts'

/** What `sites set` may change; what is absent stays. Rules are JSON values that the caller has validated; null removes them. */
export interface SiteChange {
  readonly name?: string | undefined
  readonly domain?: string | undefined
  readonly aliases?: readonly string[] | undefined
  /** The spellings whose case counts, of the name and aliases there are then. Absent: those that were and still are. */
  readonly exact?: readonly string[] | undefined
  readonly market?: string | null | undefined
  readonly platforms?: readonly EngineId[] | undefined
  readonly discover?: boolean | undefined
  readonly pageTypeRules?: unknown
  readonly sourceKinds?: unknown
}

export interface NewSite extends SiteChange {
  readonly id?: string | undefined
  readonly organizationId?: string | undefined
  readonly name: string
  readonly domain: string
}

export interface Sites {
  /**
   * A new site, on all engines unless told. Without an organization it goes to the only one there is, or to a new one
   * named after the site when there is none; with several it is a UsageError.
   */
  create(given: NewSite): Site
  /** In the order of creation, of one organization or of all. */
  list(organizationId?: string): Site[]
  /** By id or, when no id matches, by domain; several sites with that domain are a CommandError that names their ids. */
  find(idOrDomain: string): Site | undefined
  /** As `find`; refuses an unknown one with a CommandError. */
  get(idOrDomain: string): Site
  /** By id alone, and only when it is the organization's. */
  findOf(organizationId: string, id: string): Site | undefined
  set(id: string, change: SiteChange): Site
  /** The site's revision alone (see `Site.rev`). */
  rev(id: string): number
  /** Takes the next numbers of prompts and brands, for an import that must know them before it commits. Unused ones stay unused. */
  reserve(id: string, count: { prompts?: number; brands?: number }): { firstPromptNo: number; firstBrandNo: BrandNo }
  /** The next free value of a named counter of the lake (`answer_no`, `host_no`, …), `first` when it was never set. */
  counter(id: string, name: string, first?: number): number
  /** Sets the next free value; it never goes back. */
  setCounter(id: string, name: string, next: number): void
}

interface SiteRow {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly domain: string
  readonly aliases: string
  readonly exact: string
  readonly market: string | null
  readonly platforms: string
  readonly discover: number
  readonly page_type_rules: string | null
  readonly source_kinds: string | null
  readonly rev: number
  readonly created_at: string
}

const COLUMNS =
  'id, organization_id, name, domain, aliases, exact, market, platforms, discover, page_type_rules, source_kinds, rev, created_at'

export function openSites(store: Store, organizations: Organizations, brands: BrandTable): Sites {
  const { db } = store
  const selectById = db.prepare<[string], SiteRow>(`SELECT ${COLUMNS} FROM sites WHERE id = ?`)
  const selectByDomain = db.prepare<[string], SiteRow>(
    `SELECT ${COLUMNS} FROM sites WHERE domain = ? ORDER BY created_at, id`,
  )
  const selectAll = db.prepare<[], SiteRow>(`SELECT ${COLUMNS} FROM sites ORDER BY created_at, id`)
  const selectOf = db.prepare<[string], SiteRow>(
    `SELECT ${COLUMNS} FROM sites WHERE organization_id = ? ORDER BY created_at, id`,
  )
  const selectRev = db.prepare<[string], number>('SELECT rev FROM sites WHERE id = ?').pluck()
  const upsert = db.prepare<[SiteRow]>(`
    INSERT INTO sites (${COLUMNS})
    VALUES (@id, @organization_id, @name, @domain, @aliases, @exact, @market, @platforms, @discover, @page_type_rules,
      @source_kinds, @rev, @created_at)
    ON CONFLICT (id) DO UPDATE SET
      name = excluded.name, domain = excluded.domain, aliases = excluded.aliases, exact = excluded.exact, market = excluded.market,
      platforms = excluded.platforms, discover = excluded.discover, page_type_rules = excluded.page_type_rules,
      source_kinds = excluded.source_kinds, rev = excluded.rev`)
  const takeNumbers = db.prepare<[number, number, string], { next_prompt_no: number; next_brand_no: number }>(`
    UPDATE sites SET next_prompt_no = next_prompt_no + ?, next_brand_no = next_brand_no + ? WHERE id = ?
    RETURNING next_prompt_no, next_brand_no`)
  const selectCounter = db
    .prepare<[string, string], number>('SELECT next_value FROM site_counters WHERE site_id = ? AND name = ?')
    .pluck()
  const upsertCounter = db.prepare<[string, string, number]>(`
    INSERT INTO site_counters (site_id, name, next_value) VALUES (?, ?, ?)
    ON CONFLICT (site_id, name) DO UPDATE SET next_value = max(next_value, excluded.next_value)`)

  const find = (idOrDomain: string): Site | undefined =>
    store.read(() => {
      const byId = selectById.get(idOrDomain)
      if (byId) return toSite(byId)
      const [first, ...others] = selectByDomain.all(toDomain(idOrDomain) ?? '')
      if (others.length > 0 && first) {
        const ids = [first, ...others].map((row) => row.id).join(', ')
        throw new CommandError(`Several sites have the domain "${idOrDomain}". Name one by its id: ${ids}`)
      }
      return first && toSite(first)
    })
  const get = (idOrDomain: string): Site => {
    const site = find(idOrDomain)
    if (!site) throw new CommandError(`There is no site "${idOrDomain}". \`answerlake sites list\` shows them.`)
    return site
  }
  const keep = (site: Site): Site => {
    const other = selectByDomain
      .all(site.domain)
      .find((row) => row.organization_id === site.organizationId && row.id !== site.id)
    if (other) throw new CommandError(`The organization already has a site for ${site.domain}: ${other.id}`)
    refuseTakenSpellings(brands, { siteId: site.id, competitorId: null, spellings: [site.name, ...site.aliases] })
    upsert.run(toRow(site))
    return site
  }

  return {
    create: (given) =>
      store.write(() => {
        const id = given.id === undefined ? newId('site', store.clock.now(), store.random) : parseId(given.id)
        if (selectById.get(id)) throw new CommandError(`The id "${id}" is taken by another site.`)
        const created: Site = {
          id,
          organizationId: toOrganizationId(organizations, given),
          name: '',
          domain: '',
          aliases: [],
          exact: [],
          market: null,
          platforms: ENGINE_IDS,
          discover: true,
          pageTypeRules: null,
          sourceKinds: null,
          rev: 0,
          createdAt: toTimestamp(store.clock.now()),
        }
        return keep(withChange(created, given))
      }),
    list: (organizationId) =>
      store.read(() => (organizationId === undefined ? selectAll.all() : selectOf.all(organizationId))).map(toSite),
    find,
    get,
    findOf: (organizationId, id) => {
      const row = store.read(() => selectById.get(id))
      return row?.organization_id === organizationId ? toSite(row) : undefined
    },
    set: (id, change) =>
      store.write(() => {
        const before = get(id)
        const after = withChange(before, change)
        return keep(showsInReports(before) === showsInReports(after) ? after : { ...after, rev: before.rev + 1 })
      }),
    rev: (id) => store.read(() => selectRev.get(id)) ?? 0,
    reserve: (id, { prompts = 0, brands: brandCount = 0 }) =>
      store.write(() => {
        const next = takeNumbers.get(prompts, brandCount, id)
        if (!next) throw new CommandError(`There is no site "${id}".`)
        return { firstPromptNo: next.next_prompt_no - prompts, firstBrandNo: next.next_brand_no - brandCount }
      }),
    counter: (id, name, first = 0) => store.read(() => selectCounter.get(id, name)) ?? first,
    setCounter: (id, name, next) => {
      store.write(() => upsertCounter.run(id, name, next))
    },
  }
}

function toOrganizationId(organizations: Organizations, given: NewSite): string {
  if (given.organizationId !== undefined) return organizations.get(given.organizationId).id
  const [first, ...others] = organizations.list()
  if (others.length > 0) throw new UsageError('There are several organizations. Name one with --org ORG_ID.')
  return (first ?? organizations.create({ name: given.name })).id
}

function withChange(before: Site, change: SiteChange): Site {
  const name = change.name === undefined ? before.name : toName(change.name)
  const aliases = (change.aliases === undefined ? before.aliases : toNames(change.aliases)).filter(
    (alias) => alias !== name,
  )
  return {
    ...before,
    name,
    domain: change.domain === undefined ? before.domain : toHost(change.domain),
    aliases,
    exact: toExact({ name, aliases }, change.exact ?? exactAfter(before, name)),
    market: change.market === undefined ? before.market : toMarket(change.market),
    platforms: change.platforms === undefined ? before.platforms : toPlatforms(change.platforms),
    discover: change.discover ?? before.discover,
    pageTypeRules: change.pageTypeRules === undefined ? before.pageTypeRules : change.pageTypeRules,
    sourceKinds: change.sourceKinds === undefined ? before.sourceKinds : change.sourceKinds,
  }
}

function toPlatforms(given: readonly EngineId[]): EngineId[] {
  if (given.length === 0) throw new CommandError('A site needs at least one platform.')
  return ENGINE_IDS.filter((engine) => given.includes(engine))
}

/** What of a site a report of stored answers depends on. */
function showsInReports({ name, aliases, domain, sourceKinds }: Site): string {
  return JSON.stringify([name, aliases, domain, sourceKinds])
}

function toSite(row: SiteRow): Site {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    domain: row.domain,
    aliases: JSON.parse(row.aliases) as string[],
    exact: JSON.parse(row.exact) as string[],
    market: row.market,
    platforms: JSON.parse(row.platforms) as EngineId[],
    discover: row.discover === 1,
    pageTypeRules: row.page_type_rules === null ? null : JSON.parse(row.page_type_rules),
    sourceKinds: row.source_kinds === null ? null : JSON.parse(row.source_kinds),
    rev: row.rev,
    createdAt: row.created_at,
  }
}

function toRow(site: Site): SiteRow {
  return {
    id: site.id,
    organization_id: site.organizationId,
    name: site.name,
    domain: site.domain,
    aliases: JSON.stringify(site.aliases),
    exact: JSON.stringify(site.exact),
    market: site.market,
    platforms: JSON.stringify(site.platforms),
    discover: site.discover ? 1 : 0,
    page_type_rules: site.pageTypeRules === null ? null : JSON.stringify(site.pageTypeRules),
    source_kinds: site.sourceKinds === null ? null : JSON.stringify(site.sourceKinds),
    rev: site.rev,
    created_at: site.createdAt,
  }
}
