import type { Dataset, LakeFile } from '../domain/manifest.ts'
import { type Sql, sql } from './sql.ts'

/** Types of columns, as DuckDB names them. */
export type ColumnType = 'BOOLEAN' | 'SMALLINT' | 'INTEGER' | 'BIGINT' | 'DATE' | 'VARCHAR'

interface Column {
  readonly name: string
  /** DuckDB type in Parquet, never an unsigned one: open table formats have none. */
  readonly type: ColumnType
  /** Version of the data set that brought the column; 1 unless given. */
  readonly since?: number
  /** What files of an older version are read with, as SQL over their columns; NULL unless given. */
  readonly whenAbsent?: Sql
}

interface DatasetDefinition {
  /** Raised when the columns change; files keep the version they were written with. */
  readonly version: number
  readonly columns: readonly Column[]
  /** Order of the rows in a file, so that a report over some days reads few row groups. */
  readonly sortedBy: Sql
  /** Rows in a row group: small where rows are long, since a writer holds a whole group in memory. */
  readonly rowGroupRows: number
}

const SLICE = [
  { name: 'day', type: 'DATE' },
  { name: 'platform_no', type: 'SMALLINT' },
  { name: 'prompt_no', type: 'INTEGER' },
] as const

/** UTC; in `bot_months` the first of the month. */
const DAY = { name: 'day', type: 'DATE' } as const
const PATH = { name: 'path_no', type: 'INTEGER' } as const
/** Place in PAGE_TYPES, from 1. */
const PAGE_TYPE = { name: 'page_type_no', type: 'SMALLINT' } as const
/** The catalogue's number of the bot, and the place in VERIFICATIONS, from 0. */
const BOT = [
  { name: 'bot_no', type: 'SMALLINT' },
  { name: 'verification_no', type: 'SMALLINT' },
] as const
/** Of an hour within its UTC day, from 0: the finest that a time zone's borders need. */
const QUARTER = { name: 'quarter', type: 'SMALLINT' } as const
/** Rows of the same keys add up: sums of these, the greatest last second. */
const HITS = [
  { name: 'hits', type: 'INTEGER' },
  { name: 'error_hits', type: 'INTEGER' },
] as const
/** Number of the import that counted the row, given under the site's lease of logs: an undo takes its rows out. */
const IMPORT = { name: 'import_no', type: 'INTEGER', since: 2 } as const
/** Of the newest hit or visit in the row, within its quarter of an hour. */
const LAST_SECOND = { name: 'last_second', type: 'SMALLINT' } as const

/**
 * The columns of every data set, declared once. `answers` and `citations.url`, `title`, `given_domain` are raw input;
 * `mentions` and the rest of `citations` are derived and can be derived again.
 *
 * Of the logs, `bot_hits` and `visits` are what was observed; `bot_rollup`, `bot_page_types` and `bot_months` are sums
 * over `bot_hits` for reports that need no path, or no day. Each change writes them all, so they always agree.
 *
 * `judgements` has a row for each sentiment that a later import changed, with the places in SENTIMENTS from 1, 0 for not
 * judged, before and after, and who judged, null where nobody said: no report reads it, an undo does.
 */
export const DATASET: Readonly<Record<Dataset, DatasetDefinition>> = {
  answers: {
    version: 2,
    columns: [
      { name: 'answer_no', type: 'BIGINT' },
      { name: 'id', type: 'VARCHAR' },
      ...SLICE,
      { name: 'asked_at_ms', type: 'BIGINT' },
      { name: 'market', type: 'VARCHAR' },
      { name: 'text', type: 'VARCHAR' },
      { name: 'sentiment_no', type: 'SMALLINT' },
      { name: 'provider', type: 'VARCHAR' },
      { name: 'model', type: 'VARCHAR' },
      { name: 'search_queries', type: 'VARCHAR' },
      { name: 'given_mentions', type: 'VARCHAR' },
      { name: 'consulted', type: 'VARCHAR' },
    ],
    sortedBy: sql`day, platform_no, prompt_no, answer_no`,
    rowGroupRows: 8_192,
  },
  no_answers: {
    version: 3,
    columns: [
      { name: 'id', type: 'VARCHAR' },
      ...SLICE,
      { name: 'asked_at_ms', type: 'BIGINT' },
      { name: 'market', type: 'VARCHAR' },
      { name: 'answer_no', type: 'BIGINT', since: 2 },
    ],
    sortedBy: sql`day, platform_no, prompt_no, id`,
    rowGroupRows: 122_880,
  },
  mentions: {
    version: 2,
    columns: [
      { name: 'answer_no', type: 'BIGINT' },
      ...SLICE,
      { name: 'brand_no', type: 'INTEGER' },
      { name: 'position', type: 'INTEGER' },
    ],
    sortedBy: sql`day, brand_no, platform_no, prompt_no, answer_no`,
    rowGroupRows: 122_880,
  },
  citations: {
    version: 2,
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
    sortedBy: sql`day, platform_no, prompt_no, answer_no, position`,
    rowGroupRows: 122_880,
  },
  hosts: {
    version: 1,
    columns: [
      { name: 'host_no', type: 'INTEGER' },
      { name: 'host', type: 'VARCHAR' },
      { name: 'domain', type: 'VARCHAR' },
    ],
    sortedBy: sql`host_no`,
    rowGroupRows: 122_880,
  },
  pages: {
    version: 1,
    columns: [
      { name: 'page_no', type: 'INTEGER' },
      { name: 'host_no', type: 'INTEGER' },
      { name: 'page', type: 'VARCHAR' },
    ],
    sortedBy: sql`page_no`,
    rowGroupRows: 122_880,
  },
  judgements: {
    version: 2,
    columns: [
      { name: 'import_no', type: 'INTEGER' },
      { name: 'day', type: 'DATE' },
      { name: 'answer_no', type: 'BIGINT' },
      { name: 'before_no', type: 'SMALLINT' },
      { name: 'after_no', type: 'SMALLINT' },
      { name: 'judge', type: 'VARCHAR', since: 2 },
    ],
    sortedBy: sql`import_no, answer_no`,
    rowGroupRows: 122_880,
  },
  bot_hits: {
    version: 3,
    columns: [DAY, PATH, ...BOT, QUARTER, ...HITS, LAST_SECOND, IMPORT],
    sortedBy: sql`day, path_no, bot_no, verification_no, quarter`,
    rowGroupRows: 122_880,
  },
  bot_rollup: {
    version: 2,
    columns: [DAY, ...BOT, QUARTER, ...HITS, LAST_SECOND],
    sortedBy: sql`day, bot_no, verification_no, quarter`,
    rowGroupRows: 122_880,
  },
  bot_page_types: {
    version: 2,
    columns: [DAY, PAGE_TYPE, ...BOT, QUARTER, ...HITS, LAST_SECOND],
    sortedBy: sql`day, page_type_no, bot_no, verification_no, quarter`,
    rowGroupRows: 122_880,
  },
  bot_months: {
    version: 2,
    columns: [DAY, PATH, ...BOT, ...HITS, { name: 'last_epoch', type: 'BIGINT' }],
    sortedBy: sql`day, path_no, bot_no, verification_no`,
    rowGroupRows: 122_880,
  },
  visits: {
    version: 3,
    columns: [
      DAY,
      PATH,
      { name: 'source', type: 'VARCHAR' },
      QUARTER,
      { name: 'visits', type: 'INTEGER' },
      LAST_SECOND,
      IMPORT,
    ],
    sortedBy: sql`day, path_no, source, quarter`,
    rowGroupRows: 122_880,
  },
  paths: {
    version: 2,
    columns: [PATH, { name: 'path', type: 'VARCHAR' }, PAGE_TYPE],
    sortedBy: sql`path_no`,
    rowGroupRows: 8_192,
  },
}

/** Whether a file has columns of an older version: it is read all the same, and written anew by a thorough compaction. */
export function isOutdated({ dataset, schemaVersion }: Pick<LakeFile, 'dataset' | 'schemaVersion'>): boolean {
  return schemaVersion < DATASET[dataset].version
}
