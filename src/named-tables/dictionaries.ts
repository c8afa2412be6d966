import { toRegistrableDomain } from '../derive/citations.ts'
import { OWN_BRAND } from '../domain/brand.ts'
import { ENGINE_IDS } from '../domain/enums.ts'
import { join, type Sql, sql } from '../lake/sql.ts'
import { listBots } from '../reference/bots.ts'
import { engineNo } from '../reference/engines.ts'
import { listHostingKinds } from '../reference/source-kinds.ts'
import type { SiteFacts } from '../reports/site-facts.ts'
import { listBrandDomains } from '../reports/site-hosts.ts'
import { listSiteSourceKinds } from '../reports/site-source-kinds.ts'

type Value = string | number | boolean | null

/**
 * What was decided and what is bundled, as statements that make tables of it: `sites`, and those with a leading `_` by which
 * the named tables turn numbers into names. Values stand in the text.
 */
export function toDictionaries(facts: SiteFacts): Sql[] {
  const { site, prompts, competitors } = facts
  const domains = [
    { brandNo: OWN_BRAND, domain: site.domain },
    ...competitors.flatMap(({ brandNo, domains: all }) => all.map((domain) => ({ brandNo, domain }))),
  ]
  return [
    ...toTable('sites', ['site_id VARCHAR', 'site VARCHAR', 'name VARCHAR'], [[site.id, site.domain, site.name]]),
    ...toTable(
      '_engines',
      ['platform_no INTEGER', 'engine VARCHAR'],
      ENGINE_IDS.map((engine) => [engineNo(engine), engine]),
    ),
    ...toTable(
      '_prompts',
      [
        'prompt_no INTEGER',
        'prompt_id VARCHAR',
        'prompt VARCHAR',
        'category VARCHAR',
        'market VARCHAR',
        'status VARCHAR',
        'created_at TIMESTAMP',
      ],
      prompts.map((prompt) => [
        prompt.promptNo,
        prompt.id,
        prompt.text,
        prompt.category,
        prompt.market,
        prompt.status,
        prompt.createdAt,
      ]),
    ),
    ...toTable(
      '_brands',
      ['brand_no INTEGER', 'brand VARCHAR', 'owned BOOLEAN', 'confirmed BOOLEAN'],
      [
        [OWN_BRAND, site.name, true, true],
        ...competitors.map(({ brandNo, name, confirmed }) => [brandNo, name, false, confirmed]),
      ],
    ),
    ...toTable(
      '_brand_domains',
      ['brand_no INTEGER', 'brand_domain VARCHAR', 'domain VARCHAR'],
      domains.map(({ brandNo, domain }) => [brandNo, domain, toRegistrableDomain(domain)]),
    ),
    ...toTable(
      '_source_kinds',
      ['domain VARCHAR', 'kind VARCHAR'],
      [...listSiteSourceKinds(site, listBrandDomains(facts))],
    ),
    ...toTable('_hosting_kinds', ['hosted_under VARCHAR', 'hosted_kind VARCHAR'], [...listHostingKinds()]),
    ...toTable(
      '_bots',
      ['bot_no SMALLINT', 'bot_name VARCHAR', 'bot_provider VARCHAR', 'bot_type VARCHAR'],
      listBots().flatMap(({ botNo, name, provider, type }) => (type === null ? [] : [[botNo, name, provider, type]])),
    ),
  ]
}

/** `columns` are names with types. */
function toTable(name: string, columns: readonly string[], rows: readonly (readonly Value[])[]): Sql[] {
  const table = sql.identifier(name)
  const declared = columns.map((column) => {
    const [column_name = '', type = ''] = column.split(' ')
    return sql`${sql.identifier(column_name)} ${sql.identifier(type)}`
  })
  const made = sql`CREATE TABLE ${table} (${join(declared, sql`, `)})`
  if (rows.length === 0) return [made]
  const values = rows.map((row) => sql`(${join(row.map(sql.literal), sql`, `)})`)
  return [made, sql`INSERT INTO ${table} VALUES\n  ${join(values, sql`,\n  `)}`]
}
