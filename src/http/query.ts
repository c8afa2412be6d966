import type { ErrorDetail } from '../errors.ts'
import type { Schema } from './endpoint.ts'

/** The parameters of a query string as a schema sees them, and what no schema can see. */
export interface Query {
  readonly values: Readonly<Record<string, unknown>>
  readonly faults: readonly ErrorDetail[]
}

/**
 * Parses `a=1&b=2` (contract/api 2.3): a parameter given twice is a fault; one that the schema holds for a number
 * becomes a number when it is written as a plain whole number, without sign, point, leading zero or space.
 */
export function parseQuery(text: string, schema: Schema | undefined): Query {
  const values: Record<string, unknown> = Object.create(null)
  const faults: ErrorDetail[] = []
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(values, name)) {
      if (!faults.some((fault) => fault.path === name))
        faults.push({ path: name, message: 'Given twice. Give it once.' })
      continue
    }
    values[name] = isNumeric(schema, name) && /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value
  }
  return { values, faults }
}

/** True when the schema's entry of that name takes a number. */
function isNumeric(schema: Schema | undefined, name: string): boolean {
  const entries = schema !== undefined && 'entries' in schema ? Object(schema.entries) : {}
  let entry: unknown = Object.hasOwn(entries, name) ? entries[name] : undefined
  while (typeof entry === 'object' && entry !== null && 'wrapped' in entry) entry = entry.wrapped
  return typeof entry === 'object' && entry !== null && 'type' in entry && entry.type === 'number'
}
