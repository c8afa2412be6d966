/**
 * The reports as SQL that DuckDB, ClickHouse, Spark, Sail and Trino read alike, over the tables of a publication
 * (docs/scale.md). Every name is plain; the one function that differs is the number of a day.
 */
export interface Dialect {
  /** Days since 1970 of a DATE. */
  dayNumber(column: string): string
  /** A text that may be NULL. */
  readonly text: string
}

/** A column of the result, in the order of the SELECT. */
export interface PortableQuery {
  readonly columns: readonly string[]
  readonly sql: string
}

export type Condition =
  | { readonly field: string; readonly op: 'is' | 'not_is'; readonly value: string | boolean }
  | { readonly field: string; readonly op: 'in' | 'not_in'; readonly value: readonly string[] }

export interface Question {
  readonly siteId: string
  readonly start_date: string
  readonly end_date: string
  readonly group_by?: readonly string[]
  /** All of them must hold. */
  readonly filter?: readonly Condition[]
}

const quote = (value: string): string => `'${value.replaceAll("'", "''")}'`
const day = (value: string): string => `DATE ${quote(value)}`
const range = (row: string, { siteId, start_date, end_date }: Question): string =>
  `${row}.site_id = ${quote(siteId)} AND ${row}.day BETWEEN ${day(start_date)} AND ${day(end_date)}`

function where(filter: readonly Condition[] = [], columns: Readonly<Record<string, readonly string[]>>): string {
  const conditions = filter.map(({ field, op, value }) => {
    const all = columns[field]
    if (!all) throw new Error(`no portable column for ${field}`)
    const compare = (column: string): string => {
      if (typeof value === 'boolean') return `${column} = ${value}`
      return typeof value === 'string' ? `${column} = ${quote(value)}` : `${column} IN (${value.map(quote).join(', ')})`
    }
    const found = all.map(compare).join(' OR ')
    return op === 'is' || op === 'in' ? `(${found})` : `NOT (${found})`
  })
  return conditions.length === 0 ? '' : ` AND ${conditions.join(' AND ')}`
}

const ANSWER_FIELDS = { platform: ['f.platform'], prompt: ['p.prompt', 'p.prompt_id'], category: ['p.category'] }
const isOfAnswers = ({ field }: Condition): boolean => Object.hasOwn(ANSWER_FIELDS, field)

/** Every pair of prompt and engine that the filter keeps. */
const selected = ({ siteId, filter = [] }: Question): string => `selected AS (
  SELECT p.prompt_no AS prompt_no, p.prompt_id AS prompt_id, p.category AS category, f.platform_no AS platform_no, f.platform AS platform
  FROM prompts p CROSS JOIN platforms f
  WHERE p.site_id = ${quote(siteId)}${where(filter.filter(isOfAnswers), ANSWER_FIELDS)}
)`

const ANSWER_GROUPS: Readonly<Record<string, string>> = {
  date: 'r.day',
  week: `CAST(date_trunc('week', r.day) AS DATE)`,
  month: `CAST(date_trunc('month', r.day) AS DATE)`,
  platform: 's.platform',
  prompt: 's.prompt_id',
  category: 's.category',
}

/** How rows of answers are put together: columns `k0`, `k1` … of the groups. */
function groupsOf({ group_by = [] }: Question) {
  const names = group_by.map((_, index) => `k${index}`)
  const lead = names.map((name) => `${name}, `).join('')
  return {
    /** `k0, k1, ` */
    lead,
    leadOf: (row: string): string => names.map((name) => `${row}.${name} AS ${name}, `).join(''),
    made: group_by.map((name, index) => `${ANSWER_GROUPS[name]} AS k${index}, `).join(''),
    by: names.length === 0 ? '' : `GROUP BY ${names.join(', ')}`,
    byAnd: (...more: string[]): string => `GROUP BY ${[...names, ...more].join(', ')}`,
    partition: names.length === 0 ? '' : `PARTITION BY ${names.join(', ')} `,
    same: (one: string, other: string): string =>
      names.map((name) => ` AND ${one}.${name} = ${other}.${name}`).join(''),
    /** As the first columns of the result. */
    shown: group_by
      .map((name, index) =>
        ['date', 'week', 'month'].includes(name)
          ? `CAST(k${index} AS VARCHAR(10)) AS c${index}, `
          : `k${index} AS c${index}, `,
      )
      .join(''),
  }
}

/** Rows of a data set in the range and of what the filter keeps, with the columns of their groups. */
const rowsOf = (dataset: string, columns: string, question: Question): string => `
  SELECT ${groupsOf(question).made}${columns}
  FROM ${dataset} r JOIN selected s ON s.prompt_no = r.prompt_no AND s.platform_no = r.platform_no
  WHERE ${range('r', question)}`

/** Hosts of brands: equal to one of their domains, or under it. */
const isUnder = (host: string, domain: string): string =>
  `(${host} = ${domain} OR substr(${host}, -(length(${domain}) + 1)) = concat('.', ${domain}))`

export function toVisibility(question: Question & { readonly brands: 'all' | 'owned' }): PortableQuery {
  const { siteId, group_by = [], brands } = question
  const g = groupsOf(question)
  const shown = [
    'rank',
    'visibility_score',
    'mention_rate',
    'citation_rate',
    'prompt_coverage',
    'average_position',
    'share_of_voice',
    'answers',
  ]
  return {
    columns: [...group_by, 'brand', 'owned', ...shown],
    sql: `WITH ${selected(question)},
brand_hosts AS (
  SELECT DISTINCT h.host_no AS host_no, d.brand_no AS brand_no
  FROM hosts h JOIN brand_domains d ON h.site_id = d.site_id AND h.domain = d.domain
  WHERE h.site_id = ${quote(siteId)} AND ${isUnder('h.host', 'd.brand_domain')}
),
answer_rows AS (${rowsOf('answers', 'r.prompt_no AS prompt_no', question)}
),
mention_rows AS (${rowsOf('mentions', 'r.prompt_no AS prompt_no, r.brand_no AS brand_no, r.position AS place_in_answer', question)}
),
citation_rows AS (${rowsOf('citations', 'r.answer_no AS answer_no, r.host_no AS host_no', question)}
),
counted AS (
  SELECT ${g.lead}CAST(count(*) AS DOUBLE) AS answers_n, CAST(count(DISTINCT prompt_no) AS DOUBLE) AS prompts_n
  FROM answer_rows ${g.by}
),
named AS (
  SELECT ${g.lead}brand_no, CAST(count(*) AS DOUBLE) AS named_n, CAST(sum(place_in_answer) AS DOUBLE) AS places,
    CAST(count(DISTINCT prompt_no) AS DOUBLE) AS covered_n
  FROM mention_rows ${g.byAnd('brand_no')}
),
cited AS (
  SELECT ${g.lead}brand_no, CAST(count(DISTINCT answer_no) AS DOUBLE) AS cited_n
  FROM (SELECT c.*, b.brand_no AS brand_no FROM citation_rows c JOIN brand_hosts b ON c.host_no = b.host_no) x
  ${g.byAnd('brand_no')}
),
measured AS (
  SELECT ${g.leadOf('a')}a.answers_n AS answers_n, b.brand_no AS brand_no, b.brand_name AS brand_name, b.owned AS owned,
    coalesce(n.named_n, 0e0) AS named_n, n.places / n.named_n AS average_position,
    CASE WHEN a.answers_n = 0 THEN 0e0 ELSE coalesce(n.named_n, 0e0) / a.answers_n END AS mention_rate,
    CASE WHEN a.answers_n = 0 THEN 0e0 ELSE coalesce(c.cited_n, 0e0) / a.answers_n END AS citation_rate,
    CASE WHEN a.prompts_n = 0 THEN 0e0 ELSE coalesce(n.covered_n, 0e0) / a.prompts_n END AS prompt_coverage
  FROM counted a CROSS JOIN (SELECT * FROM brands WHERE site_id = ${quote(siteId)} AND ranked) b
  LEFT JOIN named n ON n.brand_no = b.brand_no${g.same('n', 'a')}
  LEFT JOIN cited c ON c.brand_no = b.brand_no${g.same('c', 'a')}
),
scored AS (
  SELECT ${g.lead}answers_n, brand_name, owned, named_n, average_position, mention_rate, citation_rate, prompt_coverage,
    45 * mention_rate + 35 * citation_rate + 20 * prompt_coverage AS visibility_score,
    sum(named_n) OVER (${g.partition}) AS voices
  FROM measured
),
placed AS (
  SELECT ${g.lead}brand_name, owned, rank() OVER (${g.partition}ORDER BY round(visibility_score, 9) DESC) AS place,
    visibility_score, mention_rate, citation_rate, prompt_coverage, average_position,
    CASE WHEN voices = 0 THEN 0e0 ELSE named_n / voices END AS share_of_voice, answers_n
  FROM scored
)
SELECT ${g.shown}brand_name, owned, place, visibility_score, mention_rate, citation_rate, prompt_coverage, average_position, share_of_voice, answers_n
FROM placed${brands === 'owned' ? ' WHERE owned' : ''}`,
  }
}

const owner = (column: string): string =>
  `CASE ${column} WHEN 1 THEN 'own' WHEN 2 THEN 'competitor' ELSE 'third_party' END`

const CITATION_FIELDS = { domain: ['j.domain'], owner: [owner('j.owner_no')], source_kind: ['j.source_kind'] }

export function toCitations(question: Question & { readonly entity: 'domain' | 'page' }): PortableQuery {
  const { siteId, group_by = [], entity, filter = [] } = question
  const g = groupsOf(question)
  const key = entity === 'domain' ? 'domain' : 'page_no'
  const first = entity === 'domain' ? 'first_of_domain' : 'first_of_page'
  const ofPage = entity === 'page'
  return {
    columns: [...group_by, entity, 'owner', 'source_kind', 'rank', 'answers', 'citations', 'citation_share'],
    sql: `WITH ${selected(question)},
host_owners AS (
  SELECT h.host_no AS host_no, min(CASE WHEN b.owned THEN 1 ELSE 2 END) AS owner_no
  FROM hosts h JOIN brand_domains d ON h.site_id = d.site_id AND h.domain = d.domain
  JOIN brands b ON b.site_id = d.site_id AND b.brand_no = d.brand_no
  WHERE h.site_id = ${quote(siteId)} AND b.ranked AND ${isUnder('h.host', 'd.brand_domain')}
  GROUP BY h.host_no
),
host_kinds AS (
  SELECT h.host_no AS host_no, h.domain AS domain, coalesce(s.source_kind, k.source_kind, u.source_kind, 'unknown') AS source_kind
  FROM (SELECT host_no, domain, substr(domain, position('.' IN domain) + 1) AS rest FROM hosts WHERE site_id = ${quote(siteId)}) h
  LEFT JOIN (SELECT domain, source_kind FROM site_source_kinds WHERE site_id = ${quote(siteId)}) s ON s.domain = h.domain
  LEFT JOIN source_kinds k ON k.domain = h.domain
  LEFT JOIN hosting_kinds u ON u.suffix = h.rest
),
cited AS (${rowsOf('citations', `r.answer_no AS answer_no, r.host_no AS host_no, r.page_no AS page_no, r.${first} AS is_first`, question)}${ofPage ? ' AND r.page_no IS NOT NULL' : ''}
),
judged AS (
  SELECT ${g.leadOf('c')}c.answer_no AS answer_no, c.page_no AS page_no, c.is_first AS is_first, h.domain AS domain,
    h.source_kind AS source_kind, coalesce(o.owner_no, 3) AS owner_no
  FROM cited c JOIN host_kinds h ON h.host_no = c.host_no
  LEFT JOIN host_owners o ON o.host_no = c.host_no
),
passing AS (
  SELECT j.*, CASE WHEN 1 = 1${where(
    filter.filter((one) => !isOfAnswers(one)),
    CITATION_FIELDS,
  )} THEN 1 ELSE 0 END AS passes
  FROM judged j
),
counted AS (
  SELECT ${g.lead}${key}, min(CASE WHEN passes = 1 THEN owner_no END) AS owner_of, min(source_kind) AS kind_of,
    sum(CASE WHEN is_first THEN 1 ELSE 0 END) AS true_answers, count(*) AS true_citations,
    count(DISTINCT CASE WHEN passes = 1 THEN answer_no END) AS answers_n, sum(passes) AS citations_n
  FROM passing ${g.byAnd(key)}
),
placed AS (
  SELECT ${g.lead}${key}, owner_of, kind_of, rank() OVER (${g.partition}ORDER BY true_answers DESC) AS place, answers_n, citations_n,
    CAST(true_citations AS DOUBLE) / CAST(sum(true_citations) OVER (${g.partition}) AS DOUBLE) AS citation_share
  FROM counted
)
SELECT ${g.shown}${ofPage ? 'n.page AS page' : 'domain'}, ${owner('owner_of')} AS owner_name, kind_of, place, answers_n, citations_n, citation_share
FROM placed${ofPage ? ` l JOIN (SELECT page_no, page FROM pages WHERE site_id = ${quote(siteId)}) n ON n.page_no = l.page_no` : ''}
WHERE citations_n > 0`,
  }
}

export function toSentiment(question: Question): PortableQuery {
  const { group_by = [] } = question
  const g = groupsOf(question)
  const share = (count: string): string => `CASE WHEN mentioning = 0 THEN 0e0 ELSE ${count} / mentioning END`
  const count = (condition: string): string =>
    `CAST(coalesce(sum(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0) AS DOUBLE)`
  return {
    columns: [...group_by, 'positive', 'neutral', 'negative', 'answers_mentioning', 'answers', 'judged_answers'],
    sql: `WITH ${selected(question)},
own AS (
  SELECT DISTINCT m.answer_no AS answer_no
  FROM mentions m JOIN brands b ON b.site_id = m.site_id AND b.brand_no = m.brand_no
  WHERE ${range('m', question)} AND b.owned
),
judged AS (
  SELECT a.*, CASE WHEN o.answer_no IS NULL THEN 0 ELSE 1 END AS names_us
  FROM (${rowsOf('answers', 'r.answer_no AS answer_no, coalesce(r.sentiment_no, 0) AS tone', question)}
  ) a LEFT JOIN own o ON o.answer_no = a.answer_no
),
counted AS (
  SELECT ${g.lead}CAST(count(*) AS DOUBLE) AS answers_n, ${count('names_us = 1')} AS mentioning,
    ${count('names_us = 1 AND tone = 1')} AS positives, ${count('names_us = 1 AND tone = 3')} AS negatives,
    ${count('names_us = 1 AND tone > 0')} AS judged_n
  FROM judged ${g.by}
)
SELECT ${g.shown}${share('positives')} AS positive, ${share('(mentioning - positives - negatives)')} AS neutral,
  ${share('negatives')} AS negative, mentioning, answers_n, judged_n
FROM counted`,
  }
}

/** Quarters of an hour by which a zone's clock is ahead of UTC, from a quarter since 1970 on; the first from the beginning. */
export type Offsets = readonly { readonly from: number; readonly offset: number }[]

interface LogQuestion extends Question {
  readonly offsets: Offsets
  /** Days since 1970. */
  readonly firstDay: number
  readonly lastDay: number
}

const LOG_GROUPS: Readonly<Record<string, string>> = {
  date: 'CAST(floor(r.slot / 96e0) AS INTEGER)',
  hour: 'CAST(floor(r.slot / 4e0) AS INTEGER)',
  bot_name: 'b.bot_name',
  bot_provider: 'b.bot_provider',
  bot_type: 'b.bot_type',
  referral_source: 'r.source',
  path: 'p.path',
  page_type: 't.page_type',
}

const LOG_FIELDS = {
  bot_name: ['b.bot_name'],
  bot_provider: ['b.bot_provider'],
  bot_type: ['b.bot_type'],
  verified: ['(r.verification_no = 0)'],
  referral_source: ['r.source'],
  path: ['p.path'],
  page_type: ['t.page_type'],
}

/** Rows of a log by the clock of the zone: `slot` is a quarter of an hour since 1970, `last_time` seconds of UTC. */
function observed(dataset: string, columns: string, question: LogQuestion, { dayNumber }: Dialect): string {
  const { siteId, offsets, firstDay, lastDay } = question
  const utc = `(${dayNumber('day')} * 96 + quarter)`
  const [first, ...changes] = offsets
  const cases = changes.toReversed().map(({ from, offset }) => `WHEN ${utc} >= ${from} THEN ${offset}`)
  const offset = cases.length === 0 ? `${first?.offset ?? 0}` : `CASE ${cases.join(' ')} ELSE ${first?.offset ?? 0} END`
  return `moved AS (
  SELECT ${columns}, path_no, ${utc} + ${offset} AS slot, ${utc} * CAST(900 AS BIGINT) + last_second AS last_time
  FROM ${dataset}
  WHERE site_id = ${quote(siteId)}
),
r AS (SELECT * FROM moved WHERE slot BETWEEN ${firstDay * 96} AND ${(lastDay + 1) * 96 - 1})`
}

function toLogGroups({ group_by = [] }: Question) {
  const names = group_by.map((_, index) => `k${index}`)
  return {
    made: group_by.map((name, index) => `${LOG_GROUPS[name]} AS k${index}, `).join(''),
    shown: names.map((name) => `${name}, `).join(''),
    // Without groups there is one row, and none when nothing was counted.
    by: names.length === 0 ? 'HAVING count(*) > 0' : `GROUP BY ${names.join(', ')}`,
  }
}

const ofPaths = (
  siteId: string,
): string => `JOIN (SELECT path_no, path, page_type_no FROM paths WHERE site_id = ${quote(siteId)}) p ON p.path_no = r.path_no
  JOIN page_types t ON t.page_type_no = p.page_type_no`

export function toBots(question: LogQuestion, dialect: Dialect): PortableQuery {
  const { siteId, group_by = [], filter = [] } = question
  const g = toLogGroups(question)
  const spoofed = filter.some(({ field }) => field === 'verified') ? '1 = 1' : 'r.verification_no <> 1'
  return {
    columns: [...group_by, 'hits', 'pages', 'verified_share', 'error_hits', 'last_visit'],
    sql: `WITH ${observed('bot_hits', 'bot_no, verification_no, hits, error_hits', question, dialect)},
kept AS (
  SELECT ${g.made}r.path_no AS path_no, r.hits AS hits_r, r.error_hits AS errors_r, r.last_time AS last_time,
    CASE WHEN r.verification_no = 0 THEN r.hits ELSE 0 END AS verified_r
  FROM r JOIN bots b ON b.bot_no = r.bot_no
  ${ofPaths(siteId)}
  WHERE ${spoofed}${where(filter, LOG_FIELDS)}
)
SELECT ${g.shown}sum(hits_r) AS hits_n, count(DISTINCT path_no) AS pages_n,
  CAST(sum(verified_r) AS DOUBLE) / CAST(sum(hits_r) AS DOUBLE) AS verified_share, sum(errors_r) AS errors_n, max(last_time) AS last_seen
FROM kept ${g.by}`,
  }
}

export function toReferrals(question: LogQuestion, dialect: Dialect): PortableQuery {
  const { siteId, group_by = [], filter = [] } = question
  const g = toLogGroups(question)
  return {
    columns: [...group_by, 'visits', 'landing_pages', 'last_visit'],
    sql: `WITH ${observed('visits', 'source, visits', question, dialect)},
kept AS (
  SELECT ${g.made}r.path_no AS path_no, r.visits AS visits_r, r.last_time AS last_time
  FROM r
  ${ofPaths(siteId)}
  WHERE t.page_type <> 'technical_infra'${where(filter, LOG_FIELDS)}
)
SELECT ${g.shown}sum(visits_r) AS visits_n, count(DISTINCT path_no) AS pages_n, max(last_time) AS last_seen
FROM kept ${g.by}`,
  }
}

/** Stored answers without what is long; brands and links come by queries of their own, since lists have no common form. */
export function toAnswers(question: Question, { text }: Dialect): PortableQuery {
  return {
    columns: [
      'id',
      'date',
      'platform',
      'prompt',
      'brand_position',
      'sentiment_no',
      'provider',
      'model',
      'market',
      'asked_at',
    ],
    sql: `WITH ${selected(question)},
own AS (
  SELECT m.answer_no AS answer_no, min(m.position) AS place
  FROM mentions m JOIN brands b ON b.site_id = m.site_id AND b.brand_no = m.brand_no
  WHERE ${range('m', question)} AND b.owned
  GROUP BY m.answer_no
)
SELECT r.id AS id, CAST(r.day AS VARCHAR(10)) AS date_text, s.platform AS platform, s.prompt_id AS prompt_id, o.place AS place,
  r.sentiment_no AS sentiment_no, CAST(r.provider AS ${text}) AS provider, CAST(r.model AS ${text}) AS model,
  CAST(r.market AS ${text}) AS market, floor(r.asked_at_ms / 1000e0) AS asked_second
FROM answers r JOIN selected s ON s.prompt_no = r.prompt_no AND s.platform_no = r.platform_no
LEFT JOIN own o ON o.answer_no = r.answer_no
WHERE ${range('r', question)}`,
  }
}

export function toAnswerMentions(question: Question): PortableQuery {
  return {
    columns: ['id', 'position', 'brand'],
    sql: `WITH ${selected(question)}
SELECT a.id AS id, m.position AS place, b.brand_name AS brand_name
FROM (SELECT r.answer_no AS answer_no, r.id AS id FROM answers r JOIN selected s ON s.prompt_no = r.prompt_no AND s.platform_no = r.platform_no
  WHERE ${range('r', question)}) a
JOIN (SELECT * FROM mentions r WHERE ${range('r', question)}) m ON m.answer_no = a.answer_no
JOIN brands b ON b.site_id = m.site_id AND b.brand_no = m.brand_no`,
  }
}

export function toAnswerCitations(question: Question): PortableQuery {
  return {
    columns: ['id', 'position', 'url', 'title', 'domain', 'own_site'],
    sql: `WITH ${selected(question)},
own_hosts AS (
  SELECT DISTINCT h.host_no AS host_no
  FROM hosts h JOIN brand_domains d ON h.site_id = d.site_id AND h.domain = d.domain
  JOIN brands b ON b.site_id = d.site_id AND b.brand_no = d.brand_no
  WHERE h.site_id = ${quote(question.siteId)} AND b.owned AND ${isUnder('h.host', 'd.brand_domain')}
)
SELECT a.id AS id, c.position AS place, c.url AS url, c.title AS title, h.domain AS domain,
  CASE WHEN o.host_no IS NULL THEN 0 ELSE 1 END AS own_site
FROM (SELECT r.answer_no AS answer_no, r.id AS id FROM answers r JOIN selected s ON s.prompt_no = r.prompt_no AND s.platform_no = r.platform_no
  WHERE ${range('r', question)}) a
JOIN (SELECT * FROM citations r WHERE ${range('r', question)}) c ON c.answer_no = a.answer_no
JOIN (SELECT host_no, domain FROM hosts WHERE site_id = ${quote(question.siteId)}) h ON h.host_no = c.host_no
LEFT JOIN own_hosts o ON o.host_no = c.host_no`,
  }
}
