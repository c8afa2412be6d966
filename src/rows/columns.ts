import type * as v from 'valibot'

/** What one cell of a table holds. */
export type Cell = string | number | boolean | null

/** A column of rows as a table: `brand.name` for a field of an object. */
export interface RowColumn {
  readonly name: string
  readonly read: (row: unknown) => Cell
}

/**
 * The columns of rows of a schema, for `fields` of it in their order, for all of them unless given (contract/api 14.3). An
 * object has a column for each of its fields, whether it is null or not; a list is one text.
 */
export function listColumns(row: v.GenericSchema, fields?: readonly string[]): RowColumn[] {
  const entries = partsOf(row).entries ?? {}
  return (fields ?? Object.keys(entries)).flatMap((field) => {
    const schema = entries[field]
    if (schema === undefined) throw new Error(`rows have no field ${field}`)
    return toColumns(schema, field, (value) => memberOf(value, field))
  })
}

function toColumns(schema: object, name: string, read: (row: unknown) => unknown): RowColumn[] {
  const { entries, item } = partsOf(schema)
  if (entries !== undefined) {
    return Object.entries(entries).flatMap(([key, member]) =>
      toColumns(member, `${name}.${key}`, (row) => memberOf(read(row), key)),
    )
  }
  if (item === undefined) return [{ name, read: (row) => toCell(read(row)) }]
  const members = partsOf(item).entries
  const shown = members === undefined ? undefined : 'url' in members ? 'url' : 'id'
  return [{ name, read: (row) => joinList(read(row), shown) }]
}

/** What a schema is made of, below `optional`, `nullable` and the like. */
function partsOf(schema: object): Parts {
  let parts: Parts = schema
  while (parts.wrapped !== undefined) parts = parts.wrapped
  return parts
}

interface Parts {
  readonly wrapped?: object
  readonly entries?: Readonly<Record<string, object>>
  readonly item?: object
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : null
}

/** The members of a list, of objects the field `shown`. */
function joinList(list: unknown, shown: string | undefined): Cell {
  if (!Array.isArray(list)) return null
  return list.map((member) => String(shown === undefined ? member : memberOf(member, shown))).join(' | ')
}

function toCell(value: unknown): Cell {
  if (value === undefined) return null
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value
  }
  throw new Error(`a column can't hold a ${typeof value}`)
}
