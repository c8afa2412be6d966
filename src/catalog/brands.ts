import { CommandError } from '../errors.ts'
import { toBrandKey } from '../derive/brand-key.ts'
import { toName } from './operator-input.ts'
import type { Store } from './store.ts'

/** One brand of a site with every spelling; `competitorId` is null for the own brand. */
export interface BrandRow {
  readonly competitorId: string | null
  readonly name: string
  readonly aliases: string
  readonly confirmed: number
}

export interface BrandTable {
  /** The own brand first, then the competitors. */
  list(siteId: string): BrandRow[]
  /** Marks that reports of older data of the site may have changed (contract/api 6). */
  bumpRev(siteId: string): void
}

export function openBrandTable(store: Store): BrandTable {
  const selectAll = store.db.prepare<[string, string], BrandRow>(`
    SELECT NULL AS competitorId, name, aliases, 1 AS confirmed FROM sites WHERE id = ?
    UNION ALL
    SELECT id, name, aliases, confirmed FROM competitors WHERE site_id = ?`)
  const bump = store.db.prepare<[string]>('UPDATE sites SET rev = rev + 1 WHERE id = ?')
  return {
    list: (siteId) => selectAll.all(siteId, siteId),
    bumpRev: (siteId) => {
      bump.run(siteId)
    },
  }
}

/** No two brands of a site may share a spelling: a mention could not be told apart. `competitorId` null is the own brand. */
export function refuseTakenSpellings(
  table: BrandTable,
  wanted: { siteId: string; competitorId: string | null; spellings: readonly string[] },
): void {
  const owners = new Map<string, BrandRow>()
  for (const brand of table.list(wanted.siteId)) {
    if (brand.competitorId === wanted.competitorId) continue
    for (const spelling of spellingsOf(brand)) owners.set(toBrandKey(spelling), brand)
  }
  for (const spelling of wanted.spellings) {
    const key = toBrandKey(spelling)
    if (key === '') throw new CommandError(`"${spelling}" has no letter by which a brand could be found in a text.`)
    const owner = owners.get(key)
    if (owner) throw new CommandError(describeClash(spelling, owner))
  }
}

export function spellingsOf(brand: { readonly name: string; readonly aliases: string }): string[] {
  return [brand.name, ...(JSON.parse(brand.aliases) as string[])]
}

/** The spellings that are to be exact: those of the given ones that the brand has. */
export function toExact(
  { name, aliases }: { readonly name: string; readonly aliases: readonly string[] },
  given: readonly string[],
): string[] {
  const wanted = new Set(given.map(toName))
  return [name, ...aliases].filter((spelling) => wanted.has(spelling))
}

/** The exact spellings of a brand that gets the name: a name that was exact is so under its new form. */
export function exactAfter(
  before: { readonly name: string; readonly exact: readonly string[] },
  name: string,
): readonly string[] {
  return before.exact.map((spelling) => (spelling === before.name ? name : spelling))
}

function describeClash(spelling: string, owner: BrandRow): string {
  if (owner.competitorId === null) return `"${spelling}" already names the site's own brand, ${owner.name}.`
  const hint = owner.confirmed === 1 ? '' : ' It was found in answers; confirm or remove that one first.'
  return `"${spelling}" already names the competitor ${owner.name} (${owner.competitorId}).${hint}`
}
