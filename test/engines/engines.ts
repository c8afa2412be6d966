import type { Dialect } from './portable-sql.ts'

/** DuckDB's, which is Trino's too. */
export const STANDARD: Dialect = {
  text: 'VARCHAR',
  dayNumber: (column) => `date_diff('day', DATE '1970-01-01', ${column})`,
}

const SPARK: Dialect = { text: 'STRING', dayNumber: (column) => `datediff(${column}, DATE '1970-01-01')` }

const CLICKHOUSE: Dialect = {
  text: 'Nullable(String)',
  dayNumber: (column) => `dateDiff('day', toDate32('1970-01-01'), ${column})`,
}

/** Packages of the virtual environments; those of `small` have other versions of Spark's client than Spark itself. */
export const ENVIRONMENTS = {
  small: [
    'duckdb==1.5.5',
    'duckdb-extension-iceberg==1.5.5',
    'duckdb-extension-avro==1.5.5',
    'duckdb-extension-httpfs==1.5.5',
    'chdb==4.4.0',
    'pysail==0.7.2',
    'pyspark-client==4.2.0',
    'pyarrow==26.0.1',
  ],
  spark: ['pyspark==4.1.4'],
  trino: ['trino==0.340.0'],
  storage: ['moto[server]==5.2.5'],
} as const

interface Engine {
  readonly dialect: Dialect
  readonly environment: keyof typeof ENVIRONMENTS
}

/**
 * By the names that `engines.py` knows. Those with `rest` read through the catalog, Trino too; those with `s3` from an object
 * store; the others the directory.
 */
const ENGINES: Readonly<Record<string, Engine>> = {
  duckdb: { dialect: STANDARD, environment: 'small' },
  'duckdb-rest': { dialect: STANDARD, environment: 'small' },
  'duckdb-s3': { dialect: STANDARD, environment: 'small' },
  clickhouse: { dialect: CLICKHOUSE, environment: 'small' },
  'clickhouse-s3': { dialect: CLICKHOUSE, environment: 'small' },
  sail: { dialect: SPARK, environment: 'small' },
  spark: { dialect: SPARK, environment: 'spark' },
  'spark-rest': { dialect: SPARK, environment: 'spark' },
  trino: { dialect: STANDARD, environment: 'trino' },
}

const USUAL = 'duckdb,duckdb-rest,clickhouse,sail'

/** The engines that ENGINES names, divided by commas; without it those that need nothing but Python. */
export const CHOSEN = (process.env['ENGINES'] ?? USUAL).split(',').map((name) => {
  const engine = ENGINES[name]
  if (!engine) throw new Error(`ENGINES names ${name}, which is none of ${Object.keys(ENGINES).join(', ')}`)
  return { name, ...engine }
})

export const READS_STORAGE = CHOSEN.some(({ name }) => name.endsWith('-s3'))
