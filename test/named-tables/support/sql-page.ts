import { NAMED_TABLES } from '../../../src/named-tables/tables.ts'
import type { Question } from './questions.ts'

/** A question with the rows that its SQL gave over the demo. */
export interface Answered {
  readonly question: Question
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** The text of docs/sql.md. */
export function renderSqlPage(answered: readonly Answered[]): string {
  return [GUIDE, ...NAMED_TABLES.map(renderTable), QUESTIONS_GUIDE, ...answered.map(renderQuestion), ''].join('\n\n')
}

const GUIDE = `# SQL on the stored data

Everything that answerlake stores is Parquet, which DuckDB, pandas, Polars, Spark and most BI tools read. Inside the lake the
files hold numbers instead of names, and which of them count is known to the catalog alone. Two commands make both plain.

**Views** read the lake's files in place, exactly those of one snapshot:

\`\`\`sh
answerlake lake views --site acme.com --database acme.duckdb
duckdb acme.duckdb "SELECT engine, count(*) FROM answers GROUP BY engine"
\`\`\`

Without \`--database\` the command prints the SQL. Imports and maintenance replace files, and replaced ones are deleted after
\`snapshot_grace\` (an hour unless set): make the views anew after each import, in the same cron line. The new database takes
the place of the old one, with all that was added to it. Views read the data directory, so they need its user's rights. Never read the lake by a pattern such as \`lake/answers/**/*.parquet\`: replaced
files stay for a while beside those that took their place, and every row in them would count twice.

**Exports** are plain files that stay as they are, for notebooks, BI tools and other machines:

\`\`\`sh
answerlake lake export --site acme.com --to /srv/exports/acme-2026-11-22
answerlake lake export --site acme.com --to /srv/exports/acme-csv --format csv
\`\`\`

The directory must not be there yet; it gets its name when all files are whole, so a reader never sees half an export. CSV
files have texts as they are, and a spreadsheet runs one that begins with \`=\` as a formula: for spreadsheets take
[\`answerlake report\`](export.md), which guards them. In Python:

\`\`\`python
import duckdb
duckdb.sql("SELECT engine, count(*) FROM '/srv/exports/acme-2026-11-22/answers.parquet' GROUP BY engine")

import pandas
pandas.read_parquet('/srv/exports/acme-2026-11-22/answers.parquet').groupby('engine').size()
\`\`\`

Tried on 22 November 2026 with the Python packages \`duckdb\` 2.0.0, which gave the rows of all twelve questions below over a
database of views and over exported Parquet, and \`pandas\` 3.1.1, which gave those of the second.

[Metabase](metabase.md) reads exports step by step, by DuckDB or Postgres; [Grafana](grafana.md) asks the API.

What was decided is as it is when the command runs: a prompt's category, which competitors are confirmed, whose domain is
whose. All times are UTC.

## Tables`

function renderTable({ name, description, columns }: (typeof NAMED_TABLES)[number]): string {
  const rows = Object.entries(columns).map(([column, { description: text }]) => `| \`${column}\` | ${text} |`)
  return [`### ${name}`, '', description, '', '| column | |', '| --- | --- |', ...rows].join('\n')
}

const QUESTIONS_GUIDE = `## Twelve questions

Each runs over the views or over an export's files, here over the demo (\`npm start\`). Each gives the same numbers as the
request of the API that stands under it; a test holds both against each other. Rates of DuckDB's \`/\` are never whole
numbers: other databases need a cast there.`

function renderQuestion({ question: { title, sql, path, body }, rows }: Answered, index: number): string {
  const request = JSON.stringify(body)
  return [
    `### ${index + 1}. ${title}`,
    `\`\`\`sql\n${sql}\n\`\`\``,
    renderRows(rows),
    `The same by the API: \`POST ${path}\` with \`${request}\`.`,
  ].join('\n\n')
}

const SHOWN_ROWS = 7

function renderRows(rows: Answered['rows']): string {
  const names = Object.keys(rows[0] ?? {})
  const shown = rows.slice(0, SHOWN_ROWS).map((row) => `| ${names.map((name) => renderCell(row[name])).join(' | ')} |`)
  const more = rows.length > SHOWN_ROWS ? [`\nand ${rows.length - SHOWN_ROWS} more rows.`] : []
  return [`| ${names.join(' | ')} |`, `|${' --- |'.repeat(names.length)}`, ...shown, ...more].join('\n')
}

function renderCell(value: unknown): string {
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value)
  return value.toFixed(4)
}
