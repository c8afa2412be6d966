import type { NewAuditEntry } from '../src/catalog/audit.ts'
import type { Catalog } from '../src/catalog/catalog.ts'
import type { Site } from '../src/domain/site.ts'
import { defineCommand, defineGroup, JSON_FLAG } from './command.ts'
import { deleteSite } from './delete-site.ts'
import { DOMAIN_FORM, ID_FORM, parsePlatforms, refusePublicSuffixes, requireChange } from './flags.ts'
import { printJson, type Io } from './io.ts'
import { changeNoted } from './noted-change.ts'
import { noteOlderAnswers } from './stale-derivation.ts'
import { toSiteJson } from './resources.ts'
import { pageTypes, sourceKinds } from './site-rules.ts'
import { toShownDomain } from './shown-domain.ts'
import { NO_EXACT_FLAG, noteOrdinaryWords, SPELLING_FLAGS, toSpellings } from './spellings.ts'
import { printTable } from './table.ts'
import { withCatalog, withSite } from './with-catalog.ts'

const SITE_FLAGS = {
  market: {
    type: 'string',
    mayBeEmpty: true,
    valueHint: 'MARKET',
    description: 'location of prompts that name none themselves',
  },
  platforms: { type: 'string', valueHint: 'LIST', description: 'engines, comma-separated; all by default' },
  ...SPELLING_FLAGS,
  discover: {
    type: 'enum',
    options: ['on', 'off'],
    description: 'whether unknown brands in answers become unconfirmed competitors; on by default',
  },
} as const

const create = defineCommand({
  summary: 'Make a site; on an empty directory its organization too',
  args: {
    name: { type: 'string', required: true, valueHint: 'NAME', description: 'name of the site and of its own brand' },
    domain: { type: 'string', required: true, valueHint: 'DOMAIN', form: DOMAIN_FORM, description: 'its domain' },
    org: {
      type: 'string',
      valueHint: 'ORG_ID',
      description: 'id of the organization; may be left out while there is only one',
    },
    ...SITE_FLAGS,
    id: { type: 'string', valueHint: 'ID', form: ID_FORM, description: 'an id of your own' },
    ...JSON_FLAG,
  },
  examples: [
    'sites create --name Acme --domain acme.com --alias "Acme Cloud"',
    'sites create --name Acme --domain acme.de --market Germany --platforms chatgpt,perplexity,ai_overviews',
  ],
  async run(context) {
    const { args, io } = context
    const platforms = parsePlatforms(args.platforms)
    await refusePublicSuffixes(args.domain)
    await withCatalog(
      context,
      (catalog) => {
        const site = changeNoted(
          catalog,
          () =>
            catalog.sites.create({
              id: args.id,
              organizationId: args.org,
              name: args.name,
              domain: args.domain,
              market: args.market,
              platforms,
              ...toSpellings(args),
              discover: toDiscover(args.discover),
            }),
          (made) => toEntry('site.create', made),
        )
        printOne(io, catalog, site, args.json)
        noteOrdinaryWords(io, site)
      },
      { create: true },
    )
  },
})

const list = defineCommand({
  summary: 'List the sites',
  args: JSON_FLAG,
  examples: ['sites list', 'sites list --json'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const sites = catalog.sites.list()
      if (context.args.json) printJson(context.io, { data: sites.map((site) => toSiteJson(catalog, site)) })
      else printAll(context.io, catalog, sites)
    }),
})

const set = defineCommand({
  summary: "Change a site's name, domain, aliases, market, platforms or discovery",
  notes: [
    "--alias and --exact-alias together replace the whole list; --alias '' empties it. --market '' removes the market.",
  ],
  args: {
    site: { type: 'positional', required: true, valueHint: 'SITE', description: 'site id or domain' },
    name: { type: 'string', valueHint: 'NAME', description: 'name of the site and of its own brand' },
    domain: { type: 'string', valueHint: 'DOMAIN', form: DOMAIN_FORM, description: 'its domain' },
    ...SITE_FLAGS,
    ...NO_EXACT_FLAG,
    ...JSON_FLAG,
  },
  examples: ['sites set acme.com --alias "Acme Cloud" --alias "Acme Inc."', 'sites set acme.com --discover off'],
  async run(context) {
    const { args, io } = context
    const given = {
      name: args.name,
      domain: args.domain,
      market: args.market,
      platforms: parsePlatforms(args.platforms),
      discover: toDiscover(args.discover),
    }
    requireChange(
      { ...given, ...toSpellings(args) },
      '--name, --domain, --market, --platforms, --alias, --exact-alias, --exact, --no-exact, --discover',
    )
    await refusePublicSuffixes(given.domain)
    await withSite(context, args.site, (catalog, site) => {
      const change = { ...given, ...toSpellings(args, site) }
      const changed = changeNoted(
        catalog,
        () => catalog.sites.set(site.id, change),
        (made) => toEntry('site.set', made),
      )
      printOne(io, catalog, changed, args.json)
      const isNamedOtherwise = change.name !== undefined || change.exact !== undefined
      if (isNamedOtherwise || change.domain !== undefined) noteOlderAnswers(io, catalog, changed)
    })
  },
})

export const sites = defineGroup({
  summary: 'Sites: a brand with its domain, engines and rules',
  commands: { create, list, set, delete: deleteSite, 'page-types': pageTypes, 'source-kinds': sourceKinds },
  examples: ['sites create --name Acme --domain acme.com', 'sites page-types acme.com rules.txt'],
})

function toEntry(action: string, { id, name, domain, organizationId }: Site): NewAuditEntry {
  return { organizationId, action, subject: id, detail: { name, domain } }
}

function toDiscover(given: 'on' | 'off' | undefined): boolean | undefined {
  return given === undefined ? undefined : given === 'on'
}

function printOne(io: Io, catalog: Catalog, site: Site, json: boolean): void {
  if (json) printJson(io, toSiteJson(catalog, site))
  else printAll(io, catalog, [site])
}

function printAll(io: Io, catalog: Catalog, sites: readonly Site[]): void {
  printTable(
    io,
    ['id', 'name', 'domain', 'organization', 'market', 'platforms', 'aliases', 'exact', 'last scan'],
    sites.map((site) => {
      const scan = catalog.scans.last(site.id)
      return [
        site.id,
        site.name,
        toShownDomain(site.domain),
        site.organizationId,
        site.market,
        site.platforms.join(', '),
        site.aliases.join(', '),
        site.exact.join(', '),
        scan === null ? null : `${scan.date} ${scan.status}`,
      ]
    }),
  )
}
