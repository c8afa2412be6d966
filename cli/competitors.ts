import type { Catalog } from '../src/catalog/catalog.ts'
import type { Competitor } from '../src/domain/competitor.ts'
import type { Site } from '../src/domain/site.ts'
import {
  defineCommand,
  defineGroup,
  JSON_FLAG,
  OPTIONAL_SITE_FLAG,
  SITE_FLAG,
  type Context,
  type Values,
} from './command.ts'
import { DOMAIN_FORM, ID_FORM, refusePublicSuffixes, requireChange, toList } from './flags.ts'
import { printJson, type Io } from './io.ts'
import { changeNoted } from './noted-change.ts'
import { noteOlderAnswers } from './stale-derivation.ts'
import { toCompetitorJson, toEvidence } from './resources.ts'
import { toShownDomain } from './shown-domain.ts'
import { NO_EXACT_FLAG, noteOrdinaryWords, SPELLING_FLAGS, toSpellings } from './spellings.ts'
import { printTable } from './table.ts'
import { withCatalog, withSite } from './with-catalog.ts'

const BRAND_FLAGS = {
  domain: {
    type: 'string',
    multiple: true,
    mayBeEmpty: true,
    valueHint: 'DOMAIN',
    form: DOMAIN_FORM,
    description: 'a domain of the competitor',
  },
  ...SPELLING_FLAGS,
} as const

const ONE = {
  ...SITE_FLAG,
  competitor: { type: 'positional', required: true, valueHint: 'COMPETITOR', description: 'its id, name or alias' },
  ...JSON_FLAG,
} as const

const add = defineCommand({
  summary: 'Add a competitor, confirmed unless told otherwise',
  args: {
    ...SITE_FLAG,
    name: { type: 'string', required: true, valueHint: 'NAME', description: 'name of the competitor' },
    ...BRAND_FLAGS,
    id: { type: 'string', valueHint: 'ID', form: ID_FORM, description: 'an id of your own' },
    unconfirmed: { type: 'boolean', description: 'measure it without ranking it' },
    ...JSON_FLAG,
  },
  examples: ['competitors add --site acme.com --name Globex --domain globex.com --alias "Globex Corp"'],
  async run(context) {
    const { args, io } = context
    await refusePublicSuffixes(...args.domain)
    await withSite(context, args.site, (catalog, site) => {
      const competitor = note(catalog, site, 'competitor.add', () =>
        catalog.competitors.add(site.id, {
          id: args.id,
          name: args.name,
          domains: toList(args.domain),
          ...toSpellings(args),
          confirmed: !args.unconfirmed,
        }),
      )
      printOne(io, competitor, args.json)
      noteOrdinaryWords(io, competitor)
      noteOlderAnswers(io, catalog, site)
    })
  },
})

const list = defineCommand({
  summary: 'List the competitors of a site, or of all sites',
  notes: ['ANSWERS counts the imported answers that named a discovered competitor.'],
  args: { ...OPTIONAL_SITE_FLAG, ...JSON_FLAG },
  examples: ['competitors list --site acme.com', 'competitors list --json'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const { args, io } = context
      const sites = args.site === undefined ? catalog.sites.list() : [catalog.sites.get(args.site)]
      const competitors = sites.flatMap((site) => catalog.competitors.list(site.id))
      if (args.json) printJson(io, { data: competitors.map(toCompetitorJson) })
      else printAll(io, competitors)
    }),
})

const confirm = defineCommand({
  summary: 'Rank a competitor from the next report on',
  args: ONE,
  examples: ['competitors confirm --site acme.com Globex'],
  run: (context) =>
    change(context, 'competitor.confirm', (catalog, siteId, given) => catalog.competitors.confirm(siteId, given)),
})

const unconfirm = defineCommand({
  summary: 'Measure a competitor without ranking it',
  args: ONE,
  examples: ['competitors unconfirm --site acme.com Globex'],
  run: (context) =>
    change(context, 'competitor.unconfirm', (catalog, siteId, given) => catalog.competitors.unconfirm(siteId, given)),
})

const remove = defineCommand({
  summary: 'Remove a competitor; it is named in no further report',
  notes: [
    'An answer that lists the name in its own `mentions` makes it an unconfirmed competitor again, when it is imported or derived anew: `sites set SITE --discover off` leaves such names out.',
  ],
  args: ONE,
  examples: ['competitors remove --site acme.com Globex'],
  run: (context) =>
    withSite(context, context.args.site, (catalog, site) => {
      const { args, io } = context
      const removed = note(catalog, site, 'competitor.remove', () =>
        catalog.competitors.remove(site.id, args.competitor),
      )
      printOne(io, removed, args.json)
      noteOlderAnswers(io, catalog, site)
    }),
})

const set = defineCommand({
  summary: "Change a competitor's name, domains or aliases",
  notes: ["--domain replaces the whole list, --alias and --exact-alias together too; --alias '' empties it."],
  args: {
    ...ONE,
    name: { type: 'string', valueHint: 'NAME', description: 'name of the competitor' },
    ...BRAND_FLAGS,
    ...NO_EXACT_FLAG,
  },
  examples: ['competitors set --site acme.com Globex --name "Globex International" --alias Globex'],
  async run(context) {
    const { args, io } = context
    await refusePublicSuffixes(...args.domain)
    await withSite(context, args.site, (catalog, site) => {
      const before = catalog.competitors.get(site.id, args.competitor)
      const given = { name: args.name, domains: toList(args.domain), ...toSpellings(args, before) }
      requireChange(given, '--name, --domain, --alias, --exact-alias, --exact, --no-exact')
      const changed = note(catalog, site, 'competitor.set', () =>
        catalog.competitors.set(site.id, args.competitor, given),
      )
      printOne(io, changed, args.json)
      if (given.name !== undefined || given.exact !== undefined) noteOlderAnswers(io, catalog, site)
    })
  },
})

export const competitors = defineGroup({
  summary: 'The brands a site is compared with',
  commands: { add, list, confirm, unconfirm, remove, set },
  examples: [
    'competitors add --site acme.com --name Globex --domain globex.com',
    'competitors confirm --site acme.com Initech',
  ],
})

function change(
  context: Context & { readonly args: Values<typeof ONE> },
  action: string,
  work: (catalog: Catalog, siteId: string, given: string) => Competitor,
): Promise<void> {
  const { args, io } = context
  return withSite(context, args.site, (catalog, site) =>
    printOne(
      io,
      note(catalog, site, action, () => work(catalog, site.id, args.competitor)),
      args.json,
    ),
  )
}

function note(catalog: Catalog, site: Site, action: string, work: () => Competitor): Competitor {
  return changeNoted(catalog, work, ({ id, name }) => ({
    organizationId: site.organizationId,
    action,
    subject: id,
    detail: { site_id: site.id, name },
  }))
}

function printOne(io: Io, competitor: Competitor, json: boolean): void {
  if (json) printJson(io, toCompetitorJson(competitor))
  else printAll(io, [competitor])
}

function printAll(io: Io, competitors: readonly Competitor[]): void {
  printTable(
    io,
    ['id', 'name', 'confirmed', 'source', 'answers', 'domains', 'aliases', 'exact'],
    competitors.map((competitor) => [
      competitor.id,
      competitor.name,
      competitor.confirmed,
      competitor.source,
      toEvidence(competitor),
      competitor.domains.map(toShownDomain).join(', '),
      competitor.aliases.join(', '),
      competitor.exact.join(', '),
    ]),
  )
}
