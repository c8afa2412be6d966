/** A question of docs/sql.md: the SQL over the named tables and the request of the API that gives the same rows. */
export interface Question {
  readonly title: string
  readonly sql: string
  readonly path: string
  /** Without `site_id` and the range, which all share. */
  readonly body: Readonly<Record<string, unknown>>
  /** What a column of the SQL is in a row of the API, dotted. */
  readonly fields: Readonly<Record<string, string>>
}

export const RANGE = { start_date: '2026-10-19', end_date: '2026-11-15' }
const DAYS = `date BETWEEN '${RANGE.start_date}' AND '${RANGE.end_date}'`

export const QUESTIONS: readonly Question[] = [
  {
    title: 'In how many of all answers is each brand named?',
    path: '/v1/reports/visibility',
    body: { group_by: [], metrics: ['mention_rate', 'answers'], brands: 'all', limit: 100 },
    fields: { brand: 'brand.name', mention_rate: 'mention_rate', answers: 'answers' },
    sql: `WITH total AS (SELECT count(*) AS answers FROM answers WHERE ${DAYS})
SELECT brand, count(answer_no) / answers AS mention_rate, answers
FROM total CROSS JOIN brands
LEFT JOIN (SELECT brand, answer_no FROM mentions WHERE ${DAYS}) USING (brand)
WHERE confirmed
GROUP BY brand, answers
ORDER BY mention_rate DESC, brand`,
  },
  {
    title: 'How often does each engine name us?',
    path: '/v1/reports/visibility',
    body: { group_by: ['platform'], metrics: ['mention_rate', 'average_position'] },
    fields: {
      engine: 'platform',
      mention_rate: 'mention_rate',
      average_position: 'average_position',
    },
    sql: `SELECT
  answers.engine,
  count(mentions.answer_no) / count(*) AS mention_rate,
  avg(mentions.position) AS average_position
FROM answers
LEFT JOIN mentions ON mentions.answer_no = answers.answer_no AND mentions.owned
WHERE answers.${DAYS}
GROUP BY answers.engine
ORDER BY mention_rate DESC`,
  },
  {
    title: 'Does it change from day to day?',
    path: '/v1/reports/visibility',
    body: { group_by: ['date'], metrics: ['mention_rate', 'answers'], limit: 100 },
    fields: { date: 'date', mention_rate: 'mention_rate', answers: 'answers' },
    sql: `SELECT answers.date, count(mentions.answer_no) / count(*) AS mention_rate, count(*) AS answers
FROM answers
LEFT JOIN mentions ON mentions.answer_no = answers.answer_no AND mentions.owned
WHERE answers.${DAYS}
GROUP BY answers.date
ORDER BY answers.date`,
  },
  {
    title: 'Whose voice is how loud?',
    path: '/v1/reports/visibility',
    body: { group_by: [], metrics: ['share_of_voice'], brands: 'all', limit: 100 },
    fields: { brand: 'brand.name', share_of_voice: 'share_of_voice' },
    sql: `SELECT brand, count(*) / sum(count(*)) OVER () AS share_of_voice
FROM mentions
WHERE confirmed AND ${DAYS}
GROUP BY brand
ORDER BY share_of_voice DESC`,
  },
  {
    title: 'On how many prompts of each category are we named at all?',
    path: '/v1/reports/visibility',
    body: { group_by: ['category'], metrics: ['prompt_coverage'] },
    fields: { category: 'category', prompt_coverage: 'prompt_coverage' },
    sql: `SELECT
  answers.category,
  count(DISTINCT mentions.prompt_id) / count(DISTINCT answers.prompt_id) AS prompt_coverage
FROM answers
LEFT JOIN mentions ON mentions.answer_no = answers.answer_no AND mentions.owned
WHERE answers.${DAYS}
GROUP BY answers.category
ORDER BY prompt_coverage DESC, category`,
  },
  {
    title: 'What is the Visibility Score of each brand?',
    path: '/v1/reports/visibility',
    body: { group_by: [], metrics: ['visibility_score'], brands: 'all', limit: 100 },
    fields: { brand: 'brand.name', visibility_score: 'visibility_score' },
    sql: `WITH
  total AS (
    SELECT count(*) AS answers, count(DISTINCT prompt_id) AS prompts FROM answers WHERE ${DAYS}
  ),
  named AS (
    SELECT brand, count(*) AS answers, count(DISTINCT prompt_id) AS prompts FROM mentions WHERE ${DAYS} GROUP BY brand
  ),
  cited AS (
    SELECT brand, count(DISTINCT answer_no) AS answers
    FROM citations JOIN brand_domains AS own ON host = own.domain OR suffix(host, '.' || own.domain)
    WHERE ${DAYS}
    GROUP BY brand
  )
SELECT
  brand,
  45 * coalesce(named.answers, 0) / total.answers
    + 35 * coalesce(cited.answers, 0) / total.answers
    + 20 * coalesce(named.prompts, 0) / total.prompts AS visibility_score
FROM brands CROSS JOIN total LEFT JOIN named USING (brand) LEFT JOIN cited USING (brand)
WHERE confirmed
ORDER BY visibility_score DESC`,
  },
  {
    title: 'Which domains do the answers rest on?',
    path: '/v1/reports/citations',
    body: { entity: 'domain', group_by: [], metrics: ['answers', 'citations', 'citation_share'], limit: 10 },
    fields: {
      domain: 'domain',
      owner: 'owner',
      source_kind: 'source_kind',
      answers: 'answers',
      citations: 'citations',
      citation_share: 'citation_share',
    },
    sql: `SELECT
  domain,
  min_by(owner, ['own', 'competitor', 'third_party'].list_position(owner)) AS owner,
  any_value(source_kind) AS source_kind,
  count_if(first_of_domain) AS answers,
  count(*) AS citations,
  count(*) / sum(count(*)) OVER () AS citation_share
FROM citations
WHERE ${DAYS}
GROUP BY domain
ORDER BY answers DESC, citations DESC, domain
LIMIT 10`,
  },
  {
    title: 'Which pages of others does Perplexity cite most?',
    path: '/v1/reports/citations',
    body: {
      entity: 'page',
      group_by: [],
      metrics: ['answers', 'citations'],
      filter: {
        and: [
          { field: 'platform', op: 'is', value: 'perplexity' },
          { field: 'owner', op: 'is', value: 'third_party' },
        ],
      },
      limit: 10,
    },
    fields: { page: 'page', answers: 'answers', citations: 'citations' },
    sql: `SELECT page, count_if(first_of_page) AS answers, count(*) AS citations
FROM citations
WHERE ${DAYS} AND engine = 'perplexity' AND owner = 'third_party' AND page IS NOT NULL
GROUP BY page
ORDER BY answers DESC, citations DESC, page
LIMIT 10`,
  },
  {
    title: 'In what tone does each engine speak of us?',
    path: '/v1/reports/sentiment',
    body: { group_by: ['platform'], metrics: ['judged_answers'] },
    fields: {
      engine: 'platform',
      positive: 'positive',
      negative: 'negative',
      judged_answers: 'judged_answers',
      answers_mentioning: 'answers_mentioning',
    },
    sql: `SELECT
  answers.engine,
  count_if(sentiment = 'positive') / count(*) AS positive,
  count_if(sentiment = 'negative') / count(*) AS negative,
  count(sentiment) AS judged_answers,
  count(*) AS answers_mentioning
FROM answers JOIN mentions ON mentions.answer_no = answers.answer_no AND mentions.owned
WHERE answers.${DAYS}
GROUP BY answers.engine
ORDER BY answers_mentioning DESC, engine`,
  },
  {
    title: 'Which AI bots read our site?',
    path: '/v1/reports/bots',
    body: { group_by: ['bot_name'], metrics: ['hits', 'pages', 'verified_share', 'last_visit'], limit: 100 },
    fields: {
      bot_name: 'bot_name',
      hits: 'hits',
      pages: 'pages',
      verified_share: 'verified_share',
      last_visit: 'last_visit',
    },
    sql: `SELECT
  bot_name,
  sum(hits)::BIGINT AS hits,
  count(DISTINCT path) AS pages,
  sum(CASE WHEN verification = 'verified' THEN hits ELSE 0 END) / sum(hits) AS verified_share,
  strftime(max(last_visit), '%Y-%m-%dT%H:%M:%SZ') AS last_visit
FROM bot_hits
WHERE ${DAYS} AND verification <> 'spoofed'
GROUP BY bot_name
ORDER BY hits DESC, bot_name`,
  },
  {
    title: 'Where do AI crawlers meet errors?',
    path: '/v1/reports/bots',
    body: {
      group_by: ['path'],
      metrics: ['error_hits', 'hits'],
      sort: { field: 'error_hits', dir: 'desc' },
      limit: 5,
    },
    fields: { path: 'path', error_hits: 'error_hits', hits: 'hits' },
    sql: `SELECT path, sum(error_hits)::BIGINT AS error_hits, sum(hits)::BIGINT AS hits
FROM bot_hits
WHERE ${DAYS} AND verification <> 'spoofed'
GROUP BY path
ORDER BY error_hits DESC, path
LIMIT 5`,
  },
  {
    title: 'Which engines send people, and to how many pages?',
    path: '/v1/reports/referrals',
    body: { group_by: ['referral_source'], metrics: ['visits', 'landing_pages'], limit: 100 },
    fields: {
      referral_source: 'referral_source',
      visits: 'visits',
      landing_pages: 'landing_pages',
    },
    sql: `SELECT referral_source, sum(visits)::BIGINT AS visits, count(DISTINCT path) AS landing_pages
FROM visits
WHERE ${DAYS}
GROUP BY referral_source
ORDER BY visits DESC, referral_source`,
  },
]
