import { DATASETS, type Dataset } from '../domain/manifest.ts'
import { type ColumnType, DATASET } from '../lake/datasets.ts'

interface PublishedColumn {
  readonly name: string
  readonly type: ColumnType
}

/** A table of a publication. */
export interface PublishedTable {
  readonly name: string
  /** In the order of their field ids, from 1. */
  readonly columns: readonly PublishedColumn[]
  /** Whether a file has rows of one site alone, without the column `site_id`. */
  readonly isBySite: boolean
}

const SITE_ID: PublishedColumn = { name: 'site_id', type: 'VARCHAR' }

/** What is decided or bundled, and written for a publication: numbers of the data sets with what they mean. */
export const DECIDED_COLUMNS = {
  sites: { site_id: 'VARCHAR', organization_id: 'VARCHAR', name: 'VARCHAR', domain: 'VARCHAR', market: 'VARCHAR' },
  prompts: {
    site_id: 'VARCHAR',
    prompt_no: 'INTEGER',
    prompt_id: 'VARCHAR',
    prompt: 'VARCHAR',
    category: 'VARCHAR',
    market: 'VARCHAR',
    status: 'VARCHAR',
  },
  /** `ranked`: whether shares and ranks count it, which are the own brand and confirmed competitors. */
  brands: {
    site_id: 'VARCHAR',
    brand_no: 'INTEGER',
    brand_name: 'VARCHAR',
    owned: 'BOOLEAN',
    ranked: 'BOOLEAN',
  },
  /** `domain` is the registrable domain of `brand_domain`, as in `hosts`. */
  brand_domains: { site_id: 'VARCHAR', brand_no: 'INTEGER', brand_domain: 'VARCHAR', domain: 'VARCHAR' },
  /** Kinds of registrable domains: what holds for a site, else that of all, else that of the suffix right above the domain. */
  site_source_kinds: { site_id: 'VARCHAR', domain: 'VARCHAR', source_kind: 'VARCHAR' },
  source_kinds: { domain: 'VARCHAR', source_kind: 'VARCHAR' },
  hosting_kinds: { suffix: 'VARCHAR', source_kind: 'VARCHAR' },
  bots: { bot_no: 'SMALLINT', bot_name: 'VARCHAR', bot_provider: 'VARCHAR', bot_type: 'VARCHAR' },
  platforms: { platform_no: 'SMALLINT', platform: 'VARCHAR' },
  page_types: { page_type_no: 'SMALLINT', page_type: 'VARCHAR' },
  verifications: { verification_no: 'SMALLINT', verification: 'VARCHAR' },
} as const satisfies Record<string, Record<string, ColumnType>>

export type DecidedName = keyof typeof DECIDED_COLUMNS

/** Every data set, then what is decided. */
export const PUBLISHED_TABLES: readonly PublishedTable[] = [
  ...DATASETS.map((name) => ({
    name,
    columns: [SITE_ID, ...DATASET[name].columns.map((column) => ({ name: column.name, type: column.type }))],
    isBySite: true,
  })),
  ...Object.entries(DECIDED_COLUMNS).map(([name, columns]) => ({
    name,
    columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
    isBySite: false,
  })),
]

export const isDataset = (name: string): name is Dataset => DATASETS.some((dataset) => dataset === name)

const ICEBERG_TYPES: Readonly<Record<ColumnType, string>> = {
  BOOLEAN: 'boolean',
  SMALLINT: 'int',
  INTEGER: 'int',
  BIGINT: 'long',
  DATE: 'date',
  VARCHAR: 'string',
}

/** The table's schema as Iceberg writes it (https://iceberg.apache.org/spec/#appendix-c-json-serialization). */
export function toSchema({ columns }: PublishedTable): object {
  const fields = columns.map(({ name, type }, index) => ({
    id: index + 1,
    name,
    required: false,
    type: ICEBERG_TYPES[type],
  }))
  return { type: 'struct', 'schema-id': 0, fields }
}

/** Which field id a column of a file has, for files that don't say it themselves. */
export function toNameMapping({ columns }: PublishedTable): object[] {
  return columns.map(({ name }, index) => ({ 'field-id': index + 1, names: [name] }))
}

export const FIRST_PARTITION_FIELD_ID = 1_000

/** Fields of the table's partition spec: its files are told apart by `site_id`, or by nothing. */
export function toPartitionFields({ isBySite }: PublishedTable): object[] {
  return isBySite
    ? [{ name: 'site_id', transform: 'identity', 'source-id': 1, 'field-id': FIRST_PARTITION_FIELD_ID }]
    : []
}

/** The field id of the column `day`; undefined without one. */
export function findDayId({ columns }: PublishedTable): number | undefined {
  const index = columns.findIndex(({ name }) => name === 'day')
  return index < 0 ? undefined : index + 1
}
