import { toTimestamp } from '../clock.ts'
import type { BrandNo } from '../domain/brand.ts'
import type { Competitor } from '../domain/competitor.ts'
import type { CompetitorSource } from '../domain/enums.ts'
import { CommandError } from '../errors.ts'
import { newId } from '../ids.ts'
import { toBrandKey } from '../derive/brand-key.ts'
import { exactAfter, refuseTakenSpellings, spellingsOf, toExact, type BrandTable } from './brands.ts'
import { COMPETITOR_COLUMNS, toCompetitor, toCompetitorRow, type CompetitorRow } from './competitor-rows.ts'
import { openIgnoredNames } from './ignored-names.ts'
import { parseId, toHosts, toName, toNames } from './operator-input.ts'
import { WriteConflictError } from './write-conflict.ts'
import type { Sites } from './sites.ts'
import type { Store } from './store.ts'

/** What `competitors set` may change; what is absent stays. */
export interface CompetitorChange {
  readonly name?: string | undefined
  readonly aliases?: readonly string[] | undefined
  /** The spellings whose case counts, of the name and aliases there are then. Absent: those that were and still are. */
  readonly exact?: readonly string[] | undefined
  readonly domains?: readonly string[] | undefined
}

export interface NewCompetitor extends CompetitorChange {
  readonly id?: string | undefined
  readonly name: string
  /** Default true. */
  readonly confirmed?: boolean | undefined
  /** Default `manual`. */
  readonly source?: CompetitorSource | undefined
}

/** A name found in an import's records that no brand has, with its reserved number (`sites.reserve`). */
export interface DiscoveredCompetitor {
  readonly brandNo: BrandNo
  readonly name: string
}

/** How many answers named a brand. */
export interface Evidence {
  readonly brandNo: BrandNo
  readonly answers: number
}

/** All that change something refuse a spelling that another brand of the site has with a CommandError. */
export interface Competitors {
  /** One of a name that was ignored is no longer ignored. */
  add(siteId: string, given: NewCompetitor): Competitor
  /** In the order of creation. */
  list(siteId: string): Competitor[]
  /** By id, else by name or alias compared as brands are. */
  find(siteId: string, idOrName: string): Competitor | undefined
  get(siteId: string, idOrName: string): Competitor
  confirm(siteId: string, idOrName: string): Competitor
  unconfirm(siteId: string, idOrName: string): Competitor
  /** Its number is never used again. */
  remove(siteId: string, idOrName: string): Competitor
  /** Removes it, and leaves its name and aliases out when imports discover competitors. */
  ignore(siteId: string, idOrName: string): Competitor
  /** The names that are left out, in the form in which brands are compared (derive/brand-key.ts). */
  listIgnoredKeys(siteId: string): ReadonlySet<string>
  /**
   * Makes one a part of another, which gets its spellings, domains and evidence, and gives that one. Older answers name the
   * other by them when they are derived anew. Throws CommandError for one and the same.
   */
  merge(siteId: string, idOrName: string, into: string): Competitor
  set(siteId: string, idOrName: string, change: CompetitorChange): Competitor
  /**
   * Creates unconfirmed competitors for an import, inside its commit. A name that another brand has got meanwhile is a
   * WriteConflictError: the import's files name the brand by a number that it will not have.
   */
  createDiscovered(siteId: string, found: readonly DiscoveredCompetitor[]): Competitor[]
  /** Adds answers that named the brands to their evidence. Numbers without a competitor are passed over. */
  addEvidence(siteId: string, evidence: readonly Evidence[]): void
  /** Takes answers that named the brands out of their evidence again. */
  takeEvidence(siteId: string, evidence: readonly Evidence[]): void
  /** Removes those of the brands that were discovered, have no evidence left, and that nobody has confirmed or described. */
  removeUnfounded(siteId: string, brandNos: readonly BrandNo[]): void
}

export function openCompetitors(store: Store, sites: Sites, brands: BrandTable): Competitors {
  const { db } = store
  const ignored = openIgnoredNames(store)
  const selectAll = db.prepare<[string], CompetitorRow>(
    `SELECT ${COMPETITOR_COLUMNS} FROM competitors WHERE site_id = ? ORDER BY created_at, brand_no`,
  )
  const selectById = db.prepare<[string], CompetitorRow>(`SELECT ${COMPETITOR_COLUMNS} FROM competitors WHERE id = ?`)
  const upsert = db.prepare<[CompetitorRow]>(`
    INSERT INTO competitors (${COMPETITOR_COLUMNS})
    VALUES (@id, @site_id, @brand_no, @name, @aliases, @exact, @domains, @confirmed, @source, @answers, @created_at)
    ON CONFLICT (id) DO UPDATE SET
      name = excluded.name, aliases = excluded.aliases, exact = excluded.exact, domains = excluded.domains,
      confirmed = excluded.confirmed`)
  const deleteOne = db.prepare<[string]>('DELETE FROM competitors WHERE id = ?')
  const deleteUnfounded = db.prepare<[string, number]>(`
    DELETE FROM competitors
    WHERE site_id = ? AND brand_no = ? AND source = 'discovered' AND confirmed = 0 AND answers = 0 AND aliases = '[]'
      AND exact = '[]' AND domains = '[]'`)
  const raiseAnswers = db.prepare<[number, string, number]>(
    'UPDATE competitors SET answers = max(0, answers + ?) WHERE site_id = ? AND brand_no = ?',
  )

  const find = (siteId: string, idOrName: string): Competitor | undefined =>
    store.read(() => {
      const byId = selectById.get(idOrName)
      if (byId?.site_id === siteId) return toCompetitor(byId)
      const key = toBrandKey(idOrName)
      const named = selectAll
        .all(siteId)
        .find((row) => spellingsOf(row).some((spelling) => toBrandKey(spelling) === key))
      return named && toCompetitor(named)
    })
  const get = (siteId: string, idOrName: string): Competitor => {
    const competitor = find(siteId, idOrName)
    if (!competitor) {
      throw new CommandError(`The site has no competitor "${idOrName}". \`answerlake competitors list\` shows them.`)
    }
    return competitor
  }
  const keep = (competitor: Competitor): Competitor => {
    const { siteId, id: competitorId, name, aliases } = competitor
    refuseTakenSpellings(brands, { siteId, competitorId, spellings: [name, ...aliases] })
    ignored.remove(siteId, [name, ...aliases])
    upsert.run(toCompetitorRow(competitor))
    return competitor
  }
  const change = (siteId: string, idOrName: string, to: (before: Competitor) => Competitor): Competitor =>
    store.write(() => {
      const before = get(siteId, idOrName)
      const after = to(before)
      if (JSON.stringify(before) === JSON.stringify(after)) return before
      brands.bumpRev(siteId)
      return keep(after)
    })

  const remove = (siteId: string, idOrName: string): Competitor => {
    const competitor = get(siteId, idOrName)
    deleteOne.run(competitor.id)
    brands.bumpRev(siteId)
    return competitor
  }

  return {
    add: (siteId, given) =>
      store.write(() => {
        const id = given.id === undefined ? newId('cmp', store.clock.now(), store.random) : parseId(given.id)
        if (selectById.get(id)) throw new CommandError(`The id "${id}" is taken by another competitor.`)
        const { firstBrandNo } = sites.reserve(siteId, { brands: 1 })
        const name = toName(given.name)
        const aliases = toAliases(given.aliases ?? [], name)
        const competitor: Competitor = {
          id,
          siteId,
          brandNo: firstBrandNo,
          name,
          aliases,
          exact: toExact({ name, aliases }, given.exact ?? []),
          domains: toHosts(given.domains ?? []),
          confirmed: given.confirmed ?? true,
          source: given.source ?? 'manual',
          answers: 0,
          createdAt: toTimestamp(store.clock.now()),
        }
        if (competitor.confirmed) brands.bumpRev(siteId)
        return keep(competitor)
      }),
    list: (siteId) => store.read(() => selectAll.all(siteId)).map(toCompetitor),
    find,
    get,
    confirm: (siteId, idOrName) => change(siteId, idOrName, (before) => ({ ...before, confirmed: true })),
    unconfirm: (siteId, idOrName) => change(siteId, idOrName, (before) => ({ ...before, confirmed: false })),
    remove: (siteId, idOrName) => store.write(() => remove(siteId, idOrName)),
    ignore: (siteId, idOrName) =>
      store.write(() => {
        const competitor = remove(siteId, idOrName)
        ignored.add(siteId, [competitor.name, ...competitor.aliases])
        return competitor
      }),
    listIgnoredKeys: (siteId) => store.read(() => ignored.listKeys(siteId)),
    merge: (siteId, idOrName, into) =>
      store.write(() => {
        const target = get(siteId, into)
        const part = get(siteId, idOrName)
        if (target.id === part.id)
          throw new CommandError(`${part.name} is one competitor. Name another to merge it into.`)
        remove(siteId, part.id)
        raiseAnswers.run(part.answers, siteId, target.brandNo)
        return change(siteId, target.id, (before) => ({
          ...before,
          aliases: toAliases([...before.aliases, part.name, ...part.aliases], before.name),
          exact: [...before.exact, ...part.exact],
          domains: [...new Set([...before.domains, ...part.domains])],
        }))
      }),
    set: (siteId, idOrName, given) =>
      change(siteId, idOrName, (before) => {
        const name = given.name === undefined ? before.name : toName(given.name)
        const aliases = toAliases(given.aliases ?? before.aliases, name)
        return {
          ...before,
          name,
          aliases,
          exact: toExact({ name, aliases }, given.exact ?? exactAfter(before, name)),
          domains: given.domains === undefined ? before.domains : toHosts(given.domains),
        }
      }),
    createDiscovered: (siteId, found) =>
      store.write(() => {
        const taken = new Set(brands.list(siteId).flatMap((brand) => spellingsOf(brand).map(toBrandKey)))
        return found.map(({ brandNo, name: given }) => {
          // An answer named it, so it is kept however long it is: a record's name never stops an import.
          const name = given.normalize('NFC').trim()
          if (taken.has(toBrandKey(name))) {
            throw new WriteConflictError(`The brand "${name}" was added by another process during the import.`)
          }
          taken.add(toBrandKey(name))
          const competitor: Competitor = {
            id: newId('cmp', store.clock.now(), store.random),
            siteId,
            brandNo,
            name,
            aliases: [],
            exact: [],
            domains: [],
            confirmed: false,
            source: 'discovered',
            answers: 0,
            createdAt: toTimestamp(store.clock.now()),
          }
          upsert.run(toCompetitorRow(competitor))
          return competitor
        })
      }),
    addEvidence: (siteId, evidence) => {
      store.write(() => {
        for (const { brandNo, answers } of evidence) raiseAnswers.run(answers, siteId, brandNo)
      })
    },
    takeEvidence: (siteId, evidence) => {
      store.write(() => {
        for (const { brandNo, answers } of evidence) raiseAnswers.run(-answers, siteId, brandNo)
      })
    },
    removeUnfounded: (siteId, brandNos) => {
      store.write(() => {
        const removed = brandNos.filter((brandNo) => deleteUnfounded.run(siteId, brandNo).changes > 0)
        if (removed.length > 0) brands.bumpRev(siteId)
      })
    },
  }
}

function toAliases(given: readonly string[], name: string): string[] {
  return toNames(given).filter((alias) => alias !== name)
}
