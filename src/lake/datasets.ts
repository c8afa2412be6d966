import type { Dataset } from '../domain/manifest.ts'

interface Column {
  readonly name: string
  /** DuckDB type in Parquet. */
  readonly type: string
  /** Version of the data set that brought the column; 1 unless given. */
  readonly since?: number
  /** What files of an older version are read with, as SQL over their columns; NULL unless given. */
  readonly whenAbsent?: string
}

interface DatasetDefinition {
  /** Raised when the columns change; files keep the version they were written with. */
  readonly version: number
  readonly columns: readonly Column[]
  /** Order of the rows in a file, so that a report over some days reads few row groups. */
  readonly sortedBy: string
  /** Rows in a row group: small where rows are long, since a writer holds a whole group in memory. */
  readonly rowGroupRows: number
}

const SLICE = [
  { name: 'day', type: 'DATE' },
  { name: 'platform_no', type: 'UTINYINT' },
  { name: 'prompt_no', type: 'INTEGER' },
] as const

/**
 * The columns of every data set, declared once. `answers` and `citations.url`, `title`, `given_domain` are raw input;
 * `mentions` and the rest of `citations` are derived and can be derived again.
 */
export const DATASET: Readonly<Record<Dataset, DatasetDefinition>> = {
  answers: {
    version: 1,
    columns: [
      { name: 'answer_no', type: 'BIGINT' },
      { name: 'id', type: 'VARCHAR' },
      ...SLICE,
      { name: 'asked_at_ms', type: 'BIGINT' },
      { name: 'market', type: 'VARCHAR' },
      { name: 'text', type: 'VARCHAR' },
      { name: 'sentiment_no', type: 'UTINYINT' },
      { name: 'provider', type: 'VARCHAR' },
      { name: 'model', type: 'VARCHAR' },
      { name: 'search_queries', type: 'VARCHAR' },
      { name: 'given_mentions', type: 'VARCHAR' },
      { name: 'consulted', type: 'VARCHAR' },
    ],
    sortedBy: 'day, platform_no, prompt_no, answer_no',
    rowGroupRows: 8_192,
  },
  no_answers: {
    version: 1,
    columns: [
      { name: 'id', type: 'VARCHAR' },
      ...SLICE,
      { name: 'asked_at_ms', type: 'BIGINT' },
      { name: 'market', type: 'VARCHAR' },
    ],
    sortedBy: 'day, platform_no, prompt_no, id',
    rowGroupRows: 122_880,
  },
  mentions: {
    version: 1,
    columns: [
      { name: 'answer_no', type: 'BIGINT' },
      ...SLICE,
      { name: 'brand_no', type: 'INTEGER' },
      { name: 'position', type: 'INTEGER' },
    ],
    sortedBy: 'day, brand_no, platform_no, prompt_no, answer_no',
    rowGroupRows: 122_880,
  },
  citations: {
    version: 1,
    columns: [
      { name: 'answer_no', type: 'BIGINT' },
      ...SLICE,
      { name: 'position', type: 'INTEGER' },
      { name: 'host_no', type: 'INTEGER' },
      { name: 'page_no', type: 'INTEGER' },
      { name: 'first_of_domain', type: 'BOOLEAN' },
      { name: 'first_of_page', type: 'BOOLEAN' },
      { name: 'url', type: 'VARCHAR' },
      { name: 'title', type: 'VARCHAR' },
      { name: 'given_domain', type: 'VARCHAR' },
    ],
    sortedBy: 'day, platform_no, prompt_no, answer_no, position',
    rowGroupRows: 122_880,
  },
  hosts: {
    version: 1,
    columns: [
      { name: 'host_no', type: 'INTEGER' },
      { name: 'host', type: 'VARCHAR' },
      { name: 'domain', type: 'VARCHAR' },
    ],
    sortedBy: 'host_no',
    rowGroupRows: 122_880,
  },
  pages: {
    version: 1,
    columns: [
      { name: 'page_no', type: 'INTEGER' },
      { name: 'host_no', type: 'INTEGER' },
      { name: 'page', type: 'VARCHAR' },
    ],
    sortedBy: 'page_no',
    rowGroupRows: 122_880,
  },
  bot_hits: { version: 1, columns: [], sortedBy: '', rowGroupRows: 122_880 },
  bot_rollup: { version: 1, columns: [], sortedBy: '', rowGroupRows: 122_880 },
  visits: { version: 1, columns: [], sortedBy: '', rowGroupRows: 122_880 },
  paths: { version: 1, columns: [], sortedBy: '', rowGroupRows: 122_880 },
}
