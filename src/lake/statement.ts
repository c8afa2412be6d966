import {
  BIGINT,
  BOOLEAN,
  DATE,
  type DuckDBConnection,
  DuckDBDateValue,
  type DuckDBResultReader,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api'
import { type Cell, toCell } from './cells.ts'
import type { Binding, Sql } from './sql.ts'

/** SQL text with `$1`, `$2`, … and the values in that order. */
export interface Statement {
  readonly text: string
  readonly values: DuckDBValue[]
  readonly types: DuckDBType[]
}

/** Numbers the placeholders. A fragment used twice binds its values twice. */
export function compile(query: Sql): Statement {
  const [first = '', ...rest] = query.texts
  return {
    text: rest.reduce((all, part, index) => `${all}$${index + 1}${part}`, first),
    values: query.bindings.map(toValue),
    types: query.bindings.map(({ type }) => TYPES[type]),
  }
}

const TYPES: Readonly<Record<Binding['type'], DuckDBType>> = {
  text: VARCHAR,
  integer: INTEGER,
  bigint: BIGINT,
  boolean: BOOLEAN,
  day: DATE,
  texts: LIST(VARCHAR),
  integers: LIST(INTEGER),
  booleans: LIST(BOOLEAN),
}

function toValue({ type, value }: Binding): DuckDBValue {
  if (type === 'day') return new DuckDBDateValue(value)
  return typeof value === 'object' ? listValue([...value]) : value
}

/**
 * Runs what changes tables, for imports and maintenance: any statement, or several with `;` between them, of which the
 * last alone may have bindings. Rejects with DuckDB's own error.
 */
export async function runStatement(connection: DuckDBConnection, statement: Sql): Promise<void> {
  await runAndRead(connection, statement)
}

/** Runs a statement of imports or maintenance and gives its rows, cell by cell. Rejects with DuckDB's own error. */
export async function readCells(connection: DuckDBConnection, statement: Sql): Promise<Cell[][]> {
  const reader = await runAndRead(connection, statement)
  return reader.getRowsJS().map((row) => row.map(toCell))
}

/** The same with DuckDB's reader, for cells that are no plain values. */
export async function runAndRead(connection: DuckDBConnection, statement: Sql): Promise<DuckDBResultReader> {
  const { text, values, types } = compile(statement)
  return values.length === 0 ? connection.runAndReadAll(text) : connection.runAndReadAll(text, values, types)
}
