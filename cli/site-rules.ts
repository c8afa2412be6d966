import type { Catalog } from '../src/catalog/catalog.ts'
import type { SiteChange } from '../src/catalog/sites.ts'
import type { Site } from '../src/domain/site.ts'
import { defineCommand, JSON_FLAG } from './command.ts'
import { printJson, printNote } from './io.ts'
import { changeNoted } from './noted-change.ts'
import { noteOlderHits } from './stale-derivation.ts'
import { readOperand } from './read-operand.ts'
import { printTable } from './table.ts'
import { toShownDomain } from './shown-domain.ts'
import { withSite } from './with-catalog.ts'

const SITE_AND_FILE = {
  site: { type: 'positional', required: true, valueHint: 'SITE', description: 'site id or domain' },
  file: {
    type: 'positional',
    required: false,
    valueHint: 'FILE',
    description: 'file of new rules, or - for standard input',
  },
  ...JSON_FLAG,
} as const

export const pageTypes = defineCommand({
  summary: "Show or replace a site's own page-type rules, which go before the bundled ones",
  notes: [
    'The file holds lines of PATTERN PAGE_TYPE, or JSON [{"pattern", "page_type"}]; * is any run of characters, the first match wins, an empty file removes the rules. Hits and visits already imported keep their types until `answerlake lake rederive`.',
  ],
  args: SITE_AND_FILE,
  examples: ['sites page-types acme.com', 'sites page-types acme.com rules.txt'],
  async run(context) {
    const { args, io } = context
    const { parsePageTypeRules } = await import('../src/reference/page-types.ts')
    const given = args.file === undefined ? undefined : parsePageTypeRules(await readOperand(args.file, io))
    await withSite(context, args.site, (catalog, site) => {
      const stored = given?.map(({ pattern, pageType }) => ({ pattern, page_type: pageType }))
      const changed = stored === undefined ? site : setNoted(catalog, site, { pageTypeRules: toStored(stored) })
      const rules = parsePageTypeRules(JSON.stringify(changed.pageTypeRules ?? []))
      if (stored !== undefined) noteOlderHits(io, catalog, site)
      if (args.json) {
        const data = rules.map(({ pattern, pageType }) => ({ pattern, page_type: pageType }))
        return printJson(io, { site_id: site.id, data })
      }
      printTable(
        io,
        ['pattern', 'page type'],
        rules.map(({ pattern, pageType }) => [pattern, pageType]),
      )
      if (rules.length === 0) printNote(io, 'The site has no rules of its own.')
    })
  },
})

export const sourceKinds = defineCommand({
  summary: "Show or replace a site's own source kinds, which go before the bundled ones",
  notes: [
    'The file holds lines of DOMAIN SOURCE_KIND, or JSON [{"domain", "source_kind"}]; an empty file removes them. They show in the next report.',
  ],
  args: SITE_AND_FILE,
  examples: ['sites source-kinds acme.com', 'sites source-kinds acme.com kinds.txt'],
  async run(context) {
    const { args, io } = context
    const { parseSourceKinds } = await import('../src/reference/source-kinds.ts')
    const given = args.file === undefined ? undefined : parseSourceKinds(await readOperand(args.file, io))
    await withSite(context, args.site, (catalog, site) => {
      const stored = given && [...given].map(([domain, kind]) => ({ domain, source_kind: kind }))
      const changed = stored === undefined ? site : setNoted(catalog, site, { sourceKinds: toStored(stored) })
      const kinds = [...parseSourceKinds(JSON.stringify(changed.sourceKinds ?? []))]
      if (args.json) {
        return printJson(io, { site_id: site.id, data: kinds.map(([domain, kind]) => ({ domain, source_kind: kind })) })
      }
      printTable(
        io,
        ['domain', 'source kind'],
        kinds.map(([domain, kind]) => [toShownDomain(domain), kind]),
      )
      if (kinds.length === 0) printNote(io, 'The site has no source kinds of its own.')
    })
  },
})

function toStored(entries: readonly object[]): readonly object[] | null {
  return entries.length === 0 ? null : entries
}

function setNoted(catalog: Catalog, site: Site, change: SiteChange): Site {
  return changeNoted(
    catalog,
    () => catalog.sites.set(site.id, change),
    ({ id, organizationId }) => ({
      organizationId,
      action: 'site.set',
      subject: id,
      detail: { changed: Object.keys(change) },
    }),
  )
}
