import {
  BOOLEAN,
  DATE,
  type DuckDBConnection,
  DuckDBDateValue,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  LIST,
  listValue,
  StatementType,
  VARCHAR,
} from '@duckdb/node-api'
import { type Row, toCell } from '../cells.ts'
import type { Binding, Sql } from '../sql.ts'

/** Runs one SELECT and gives its rows; refuses any other statement. */
export async function runSelect(connection: DuckDBConnection, query: Sql): Promise<Row[]> {
  const { text, values, types } = compile(query)
  const prepared = await connection.prepare(text)
  try {
    if (prepared.statementType !== StatementType.SELECT) throw new Error('only SELECT may run in the server')
    prepared.bind(values, types)
    const reader = await prepared.runAndReadAll()
    const names = reader.deduplicatedColumnNames()
    return reader.getRowsJS().map((cells) => Object.fromEntries(cells.map((cell, i) => [names[i] ?? '', toCell(cell)])))
  } finally {
    prepared.destroySync()
  }
}

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
