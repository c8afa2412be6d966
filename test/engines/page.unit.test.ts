import { test } from 'vitest'
import { dayNumber } from '../../src/domain/day.ts'
import { expectGolden } from '../support/golden.ts'
import {
  type PortableQuery,
  toAnswerCitations,
  toAnswerMentions,
  toAnswers,
  toBots,
  toCitations,
  toReferrals,
  toSentiment,
  toVisibility,
} from './portable-sql.ts'
import { STANDARD } from './engines.ts'

const RANGE = { siteId: 'site_fernwick', start_date: '2026-10-19', end_date: '2026-11-15' }
const LOGS = {
  ...RANGE,
  offsets: [{ from: 0, offset: 0 }],
  firstDay: dayNumber(RANGE.start_date),
  lastDay: dayNumber(RANGE.end_date),
}

const REPORTS: readonly (readonly [title: string, query: PortableQuery])[] = [
  [
    'Visibility by day and engine, all brands',
    toVisibility({ ...RANGE, group_by: ['date', 'platform'], brands: 'all' }),
  ],
  ['Cited domains', toCitations({ ...RANGE, entity: 'domain' })],
  [
    'Cited pages of one engine, own ones left out',
    toCitations({
      ...RANGE,
      entity: 'page',
      filter: [
        { field: 'platform', op: 'is', value: 'chatgpt' },
        { field: 'owner', op: 'not_is', value: 'own' },
      ],
    }),
  ],
  ['Tone by week', toSentiment({ ...RANGE, group_by: ['week'] })],
  ['Bots by day', toBots({ ...LOGS, group_by: ['date', 'bot_name'] }, STANDARD)],
  [
    'Bots by day in Berlin, where clocks went back on 25 October 2026',
    toBots(
      {
        ...LOGS,
        group_by: ['date', 'bot_type'],
        offsets: [
          { from: 0, offset: 8 },
          { from: Date.parse('2026-10-25T01:00:00Z') / 900_000, offset: 4 },
        ],
      },
      STANDARD,
    ),
  ],
  ['Visitors by source', toReferrals({ ...LOGS, group_by: ['referral_source'] }, STANDARD)],
  ['Stored answers without their texts', toAnswers(RANGE, STANDARD)],
  ['The brands that they name', toAnswerMentions(RANGE)],
  ['The links that they hold', toAnswerCitations(RANGE)],
]

test('docs/scale-sql.md shows the SQL that the engines were held to', () => {
  const parts = REPORTS.map(
    ([title, { columns, sql }]) =>
      `## ${title}\n\nColumns: ${columns.map((name) => `\`${name}\``).join(', ')}.\n\n\`\`\`sql\n${sql}\n\`\`\`\n`,
  )
  expectGolden('docs/scale-sql.md', [INTRODUCTION, ...parts].join('\n'))
})

const INTRODUCTION = `# The reports as SQL for engines

Each report in one form that DuckDB, ClickHouse, Sail, Spark and Trino take, over the tables of [a publication](scale.md). This
page is made by the suite that holds the engines to it (\`npm run test:engines\`): for the demo and a second site with strange
names in the same lake, generated requests of each report are asked of the API, page by page, and of each engine; every row and
every digit must be the same, and SQL with one of fifteen mistakes must be found out.

Table names are plain: make views of them, or name the catalog before. \`site_id\` stands in every condition, since numbers are
numbers of one site. A group is a column more in each step; \`k0\`, \`k1\` are their columns.

| | a table | days since 1970 of a \`DATE\` | besides |
| --- | --- | --- | --- |
| DuckDB 1.5 | \`iceberg_scan('DIR/answers')\`, or \`ATTACH … (TYPE iceberg)\` | \`date_diff('day', DATE '1970-01-01', day)\` | \`SET disabled_optimizers = 'join_filter_pushdown'\`: its Iceberg reader can't take those filters (1.5.5) |
| ClickHouse 26 | \`icebergLocal('DIR/answers')\`, \`icebergS3(…)\` | \`dateDiff('day', toDate32('1970-01-01'), day)\` | \`SETTINGS join_use_nulls = 1\`; texts that may be missing are \`CAST(… AS Nullable(String))\`; an aggregate must not be called like a column that it reads |
| Sail 0.7, Spark 4.1 | a view over \`read.format('iceberg').load('DIR/answers')\`; Spark also \`al.lake.answers\` of a catalog | \`datediff(day, DATE '1970-01-01')\` | \`CAST(… AS STRING)\` |
| Trino 476 | \`al.lake.answers\` of a catalog | as DuckDB | |

What has no common form:

- \`matches\` (RE2): \`match\` of ClickHouse is RE2, \`regexp_like\` of Trino is Java's or RE2J, \`RLIKE\` of Spark is Java's.
- Lists in a row, as \`POST /v1/answers\` has brands and links: two more queries, put together by \`id\`.
- Intervals and the measures of [methods](methods.md) beyond shares and counts: ask the API.
- Names of weeks (\`2026-W47\`) and hours: the SQL gives first days, and hours since 1970.
`
