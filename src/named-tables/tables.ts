import { VERIFICATIONS } from '../derive/bot-verification.ts'
import { PAGE_TYPES, SENTIMENTS } from '../domain/enums.ts'
import type { Dataset } from '../domain/manifest.ts'
import { join, type Sql, sql } from '../lake/sql.ts'

interface Column {
  /** Over the table's `from`. */
  readonly sql: Sql
  readonly description: string
  /** A list: CSV has no such cells, so that it is written there as JSON. */
  readonly isList?: boolean
}

/** What is stored, under names that need no other table to be understood (docs/sql.md). */
export interface NamedTable {
  readonly name: string
  readonly description: string
  readonly columns: Readonly<Record<string, Column>>
  /** The rows, joined with the dictionaries of `dictionaries.ts`. */
  from(filesOf: (dataset: Dataset) => Sql): Sql
}

const nameOf = (names: readonly string[], index: Sql): Sql => sql`[${join(names.map(sql.literal), sql`, `)}][${index}]`

const SITE: Column = { sql: sql`(SELECT site FROM sites)`, description: 'domain of the site' }

/** Of rows with `day`, `platform_no` and `prompt_no`. */
const SLICE = {
  site: SITE,
  date: { sql: sql`day`, description: 'UTC day of the answer' },
  engine: { sql: sql`engine`, description: 'answer engine, as in the API' },
  prompt_id: { sql: sql`prompt_id`, description: 'id of the prompt' },
  prompt: { sql: sql`prompt`, description: 'text of the prompt' },
  category: { sql: sql`category`, description: 'category of the prompt, as decided today' },
} satisfies Record<string, Column>
const withSlice = (rows: Sql): Sql => sql`${rows} JOIN _engines USING (platform_no) JOIN _prompts USING (prompt_no)`

const ANSWER_NO: Column = {
  sql: sql`answer_no`,
  description: 'number of the answer; joins answers, mentions and citations',
}
const ASKED_AT: Column = {
  sql: sql`make_timestamp_ms(asked_at_ms)`,
  description: 'UTC time of the question; null where none was given',
}
const MARKET: Column = { sql: sql`answered.market`, description: 'market of the answer; null: the market of the site' }

/** Of rows with `day`, `quarter` and `path_no`. */
const REQUESTED = {
  site: SITE,
  date: { sql: sql`day`, description: 'UTC day' },
  time: { sql: sql`day + to_minutes(quarter::INTEGER * 15)`, description: 'UTC, start of the quarter of an hour' },
  path: { sql: sql`path`, description: 'requested path, without query string' },
  page_type: { sql: sql`page_type`, description: 'type of the page' },
} satisfies Record<string, Column>
const LAST: Column = {
  sql: sql`day + to_seconds(quarter::INTEGER * 900 + last_second)`,
  description: 'UTC time of the newest of them',
}
const withPaths = (rows: Sql, paths: Sql): Sql =>
  sql`${rows} JOIN (SELECT path_no, path, ${nameOf(PAGE_TYPES, sql`page_type_no`)} AS page_type FROM ${paths}) USING (path_no)`

/** In the order in which views are made: `citations` stands on `hosts`. */
export const NAMED_TABLES: readonly NamedTable[] = [
  {
    name: 'prompts',
    description: 'The tracked questions.',
    columns: {
      site: SITE,
      prompt_id: { sql: sql`prompt_id`, description: 'id' },
      prompt: { sql: sql`prompt`, description: 'text' },
      category: { sql: sql`category`, description: 'category' },
      market: { sql: sql`market`, description: 'market; null: the market of the site' },
      status: { sql: sql`status`, description: '`active` or `disabled`' },
      created_at: { sql: sql`created_at`, description: 'UTC' },
    },
    from: () => sql`_prompts`,
  },
  {
    name: 'brands',
    description: 'The own brand and the competitors.',
    columns: {
      site: SITE,
      brand: { sql: sql`brand`, description: 'name' },
      owned: { sql: sql`owned`, description: 'whether it is the own brand' },
      confirmed: {
        sql: sql`confirmed`,
        description: 'whether shares and ranks count it: the own brand and confirmed competitors',
      },
    },
    from: () => sql`_brands`,
  },
  {
    name: 'brand_domains',
    description: 'Domains of the own brand and of competitors.',
    columns: {
      site: SITE,
      brand: { sql: sql`brand`, description: 'name of the brand' },
      domain: { sql: sql`brand_domain`, description: 'the domain; hosts under it are of the brand too' },
    },
    from: () => sql`_brand_domains JOIN _brands USING (brand_no)`,
  },
  {
    name: 'answers',
    description: 'A row an answer.',
    columns: {
      ...SLICE,
      answer_no: ANSWER_NO,
      answer_id: { sql: sql`id`, description: 'id, as in the API' },
      asked_at: ASKED_AT,
      market: MARKET,
      text: { sql: sql`text`, description: 'the answer' },
      sentiment: {
        sql: nameOf(SENTIMENTS, sql`sentiment_no`),
        description: 'tone towards the own brand; null where it was not judged',
      },
      provider: { sql: sql`provider`, description: 'who ran the model; null where the record does not say' },
      model: { sql: sql`model`, description: 'model; null where the record does not say' },
      search_queries: {
        sql: sql`from_json(search_queries, '["VARCHAR"]')`,
        description: 'what the engine searched for; null where the record does not say',
        isList: true,
      },
      consulted: {
        sql: sql`from_json(consulted, '[{"url":"VARCHAR","title":"VARCHAR"}]')`,
        description: 'sources that were read and not cited: `url`, `title`',
        isList: true,
      },
    },
    from: (filesOf) => withSlice(sql`${filesOf('answers')} AS answered`),
  },
  {
    name: 'no_answers',
    description: 'A row a question that got no answer. Not counted by any rate.',
    columns: {
      ...SLICE,
      answer_id: { sql: sql`id`, description: 'id of the record' },
      asked_at: ASKED_AT,
      market: MARKET,
    },
    from: (filesOf) => withSlice(sql`${filesOf('no_answers')} AS answered`),
  },
  {
    name: 'mentions',
    description: 'A row a brand that an answer names.',
    columns: {
      ...SLICE,
      answer_no: ANSWER_NO,
      brand: { sql: sql`brand`, description: 'name of the brand' },
      owned: { sql: sql`owned`, description: 'whether it is the own brand' },
      confirmed: { sql: sql`confirmed`, description: 'as in brands' },
      position: { sql: sql`position`, description: 'place among the brands of the answer, from 1' },
    },
    from: (filesOf) => sql`${withSlice(filesOf('mentions'))} JOIN _brands USING (brand_no)`,
  },
  {
    name: 'hosts',
    description: 'A row a host that answers of the site have cited.',
    columns: {
      site: SITE,
      host: { sql: sql`host`, description: 'the host' },
      domain: { sql: sql`domain`, description: 'its registrable domain' },
      owner: {
        sql: sql`coalesce(owner, 'third_party')`,
        description: '`own`, `competitor` or `third_party`, as decided today',
      },
      source_kind: { sql: sql`coalesce(kind, hosted_kind, 'unknown')`, description: 'kind of source' },
      host_no: { sql: sql`host_no`, description: 'its number in this lake' },
    },
    from: (filesOf) => sql`(
    SELECT *, substr(domain, strpos(domain, '.') + 1) AS hosted_under
    FROM ${filesOf('hosts')}
  )
  LEFT JOIN (
    SELECT host_no, CASE WHEN bool_or(owned) THEN 'own' ELSE 'competitor' END AS owner
    FROM ${filesOf('hosts')} JOIN _brand_domains USING (domain) JOIN _brands USING (brand_no)
    WHERE confirmed AND (host = brand_domain OR suffix(host, '.' || brand_domain))
    GROUP BY host_no
  ) USING (host_no)
  LEFT JOIN _source_kinds USING (domain)
  LEFT JOIN _hosting_kinds USING (hosted_under)`,
  },
  {
    name: 'citations',
    description: 'A row a link of an answer.',
    columns: {
      ...SLICE,
      answer_no: ANSWER_NO,
      position: { sql: sql`position`, description: 'place among the links of the answer, from 1' },
      url: { sql: sql`url`, description: 'the link as it was given' },
      title: { sql: sql`title`, description: 'its title' },
      host: { sql: sql`host`, description: 'host of the link' },
      domain: { sql: sql`domain`, description: 'its registrable domain' },
      page: {
        sql: sql`page`,
        description: 'the page, as in the citations report; null where only the domain is known',
      },
      owner: { sql: sql`owner`, description: 'as in hosts' },
      source_kind: { sql: sql`source_kind`, description: 'as in hosts' },
      first_of_domain: {
        sql: sql`first_of_domain`,
        description: 'whether it is the first link of its answer to the domain: their number is that of answers',
      },
      first_of_page: { sql: sql`first_of_page`, description: 'the same for the page' },
    },
    from: (filesOf) => sql`${withSlice(filesOf('citations'))}
  JOIN (SELECT host_no, host, domain, owner, source_kind FROM hosts) USING (host_no)
  LEFT JOIN (SELECT page_no, page FROM ${filesOf('pages')}) USING (page_no)`,
  },
  {
    name: 'bot_hits',
    description: 'Hits of bots by quarter of an hour, path, bot and verification. Rows may be alike: add them up.',
    columns: {
      ...REQUESTED,
      bot_name: { sql: sql`bot_name`, description: 'token that the provider documents' },
      bot_provider: { sql: sql`bot_provider`, description: 'provider' },
      bot_type: { sql: sql`bot_type`, description: 'what the bot is for' },
      verification: {
        sql: nameOf(VERIFICATIONS, sql`verification_no + 1`),
        description: '`verified`, `spoofed` (not counted by the bots report unless the filter asks) or `unverifiable`',
      },
      hits: { sql: sql`hits`, description: 'number of hits' },
      error_hits: { sql: sql`error_hits`, description: 'of them answered with 4xx or 5xx' },
      last_visit: LAST,
    },
    from: (filesOf) => sql`${withPaths(filesOf('bot_hits'), filesOf('paths'))} JOIN _bots USING (bot_no)`,
  },
  {
    name: 'visits',
    description:
      'Visits that came from answer engines, by quarter of an hour, path and engine. Rows may be alike: add them up.',
    columns: {
      ...REQUESTED,
      referral_source: { sql: sql`source`, description: 'where the visit came from, as in the API' },
      visits: { sql: sql`visits`, description: 'number of visits' },
      last_visit: LAST,
    },
    from: (filesOf) => sql`${withPaths(filesOf('visits'), filesOf('paths'))} WHERE page_type <> 'technical_infra'`,
  },
]
