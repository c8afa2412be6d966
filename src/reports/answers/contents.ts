import { OWN_BRAND } from '../../domain/brand.ts'
import type { Row } from '../../lake/cells.ts'
import type { Lake } from '../../lake/lake.ts'
import { day, empty, integer, integers, join, type Sql, sql, text, texts } from '../../lake/sql.ts'
import { ANSWERS_PAGE_BYTES_MAX } from '../../limits.ts'
import { namesOf } from '../contract.ts'
import type { AnswerField } from './contract.ts'
import type { SiteState } from '../run.ts'

/**
 * The answers of a page with their texts, mentions and citations as `include` asks for them, in slices; lists as JSON text.
 * Gives as many, from the first on, as fit into ANSWERS_PAGE_BYTES_MAX, one at least. `answers` are in the order of the
 * report, newest first, with `answer_no` and `date`.
 */
export async function readContents(
  lake: Lake,
  state: SiteState,
  include: readonly AnswerField[],
  answers: readonly Row[],
): Promise<Iterable<readonly Row[]>> {
  const sizes = answers.length > 1 ? toSizes(state, include, answers) : undefined
  const fitting = sizes === undefined ? answers : takeFitting(answers, await lake.select(sizes))
  const query = toContents(state, include, fitting)
  if (fitting.length === 0 || query === undefined) return [fitting]
  return joinInOrder(fitting, await lake.selectTexts(query, fitting.length))
}

/** Each answer with what `slices` hold in its place. */
function* joinInOrder(answers: readonly Row[], slices: Iterable<readonly Row[]>): Generator<readonly Row[], void> {
  let place = 0
  for (const contents of slices) yield contents.map((content) => ({ ...answers[place++], ...content }))
}

function takeFitting(answers: readonly Row[], sizes: readonly Row[]): readonly Row[] {
  const bytesOf = new Map(sizes.map((row) => [row['answer_no'], Number(row['bytes'])]))
  let bytes = 0
  const end = answers.findIndex((answer, index) => {
    bytes += bytesOf.get(answer['answer_no']) ?? 0
    return bytes > ANSWERS_PAGE_BYTES_MAX && index > 0
  })
  return end < 0 ? answers : answers.slice(0, end)
}

/**
 * The bytes of each answer's text, links and lists; undefined where neither is asked for. They are counted below the join, which
 * would gather the texts themselves.
 */
function toSizes(state: SiteState, include: readonly AnswerField[], answers: readonly Row[]): Sql | undefined {
  const sizeOf = (dataset: 'answers' | 'citations', bytes: Sql): Sql => sql`
    SELECT answer_no, bytes
    FROM (SELECT answer_no, ${bytes} AS bytes FROM ${state.filesOf(dataset)} WHERE ${toDays(answers)})
    SEMI JOIN page USING (answer_no)`
  const sizes = [
    ...(['text', 'search_queries', 'consulted'] as const).flatMap((field) =>
      include.includes(field) ? [sizeOf('answers', sql`coalesce(strlen(${sql.identifier(field)}), 0)`)] : [],
    ),
    ...(include.includes('citations') ? [sizeOf('citations', sql`strlen(url) + strlen(title)`)] : []),
  ]
  if (sizes.length === 0) return undefined
  return sql`
WITH
  page AS (${toNumbers(answers)}),
  sizes AS (${join(
    sizes,
    sql`
    UNION ALL`,
  )}
  )
SELECT answer_no, sum(bytes)::DOUBLE AS bytes
FROM sizes
GROUP BY answer_no`
}

/** What `include` asks for of these answers; undefined where that is nothing. */
function toContents(state: SiteState, include: readonly AnswerField[], answers: readonly Row[]): Sql | undefined {
  const has = (field: AnswerField): boolean => include.includes(field)
  const days = toDays(answers)
  const recorded = namesOf(RECORDED).filter(has)
  const parts = [
    ...(recorded.length > 0
      ? [
          {
            name: sql`page_recorded`,
            columns: join(recorded.map(sql.identifier), sql`, `),
            cte: toRecorded(state, days, recorded),
          },
        ]
      : []),
    ...(has('brand_mentioned') || has('brand_position') || has('mentions')
      ? [{ name: sql`page_mentions`, columns: sql`brand_position, mentions`, cte: toMentions(state, days) }]
      : []),
    ...(has('citations')
      ? [{ name: sql`page_citations`, columns: sql`citations`, cte: toCitations(state, days) }]
      : []),
  ]
  if (parts.length === 0) return undefined
  return sql`
WITH
  page AS (${toNumbers(answers)})${join(
    parts.map(({ cte }) => cte),
    empty,
  )}
SELECT ${join(
    parts.map(({ columns }) => columns),
    sql`, `,
  )}
FROM page
${join(
  parts.map(({ name }) => sql`LEFT JOIN ${name} USING (answer_no)`),
  sql`
`,
)}
ORDER BY place`
}

/** As one text, which is bound faster than a list of as many numbers. */
function toNumbers(answers: readonly Row[]): Sql {
  const numbers = answers.map((answer) => String(answer['answer_no'])).join(',')
  return sql`
    SELECT unnest(numbers)::BIGINT AS answer_no, generate_subscripts(numbers, 1) AS place
    FROM (SELECT string_split(${text(numbers)}, ',') AS numbers)`
}

/** The days that the answers are of, newest first: what belongs to an answer has its day. */
function toDays(answers: readonly Row[]): Sql {
  const [newest, oldest] = [answers[0], answers.at(-1)].map((answer) => String(answer?.['date']))
  if (newest === undefined || oldest === undefined) return sql`false`
  return sql`day BETWEEN ${day(oldest)} AND ${day(newest)}`
}

/** What a page reads of the answers themselves. */
const RECORDED = {
  text: sql`text`,
  model: sql`model`,
  provider: sql`provider`,
  market: sql`market`,
  asked_at: sql`strftime(make_timestamp_ms(asked_at_ms), '%Y-%m-%dT%H:%M:%SZ') AS asked_at`,
  search_queries: sql`search_queries`,
  consulted: sql`consulted`,
} as const

function toRecorded(state: SiteState, days: Sql, fields: readonly (keyof typeof RECORDED)[]): Sql {
  return sql`,
  page_recorded AS (
    SELECT ${join([sql`answer_no`, ...fields.map((field) => RECORDED[field])], sql`, `)}
    FROM ${state.filesOf('answers')} SEMI JOIN page USING (answer_no)
    WHERE ${days}
  )`
}

function toMentions(state: SiteState, days: Sql): Sql {
  const brands = [{ brandNo: OWN_BRAND, name: state.site.name }, ...state.competitors]
  return sql`,
  brands AS (
    SELECT
      unnest(${integers(brands.map((brand) => brand.brandNo))}) AS brand_no,
      unnest(${texts(brands.map((brand) => brand.name))}) AS brand_name
  ),
  page_mentions AS (
    SELECT
      answer_no,
      to_json(list_transform(list_sort(list({'position': position, 'name': brand_name})), lambda named: named.name))::VARCHAR AS mentions,
      min(position) FILTER (brand_no = ${integer(OWN_BRAND)}) AS brand_position
    FROM ${state.filesOf('mentions')} JOIN brands USING (brand_no) SEMI JOIN page USING (answer_no)
    WHERE ${days}
    GROUP BY answer_no
  )`
}

function toCitations(state: SiteState, days: Sql): Sql {
  const own = text(state.site.domain)
  return sql`,
  page_citations AS (
    SELECT
      answer_no,
      to_json(list_transform(list_sort(list({
        'position': position,
        'cited': {
          'url': url,
          'domain': domain,
          'title': title,
          'position': position,
          'own_site': host = ${own} OR suffix(host, '.' || ${own})
        }
      })), lambda citation: citation.cited))::VARCHAR AS citations
    FROM ${state.filesOf('citations')} JOIN ${state.filesOf('hosts')} USING (host_no) SEMI JOIN page USING (answer_no)
    WHERE ${days}
    GROUP BY answer_no
  )`
}
