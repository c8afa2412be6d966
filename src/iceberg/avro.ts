import { createHash } from 'node:crypto'

/** An Avro schema, as far as Iceberg's files need one; records keep attributes of their own, such as `field-id`. */
export type AvroSchema =
  | 'int'
  | 'long'
  | 'boolean'
  | 'string'
  | 'bytes'
  | readonly ['null', AvroSchema]
  | { readonly type: 'array'; readonly items: AvroSchema; readonly [attribute: string]: unknown }
  | { readonly type: 'record'; readonly name: string; readonly fields: readonly AvroField[] }

export interface AvroField {
  readonly name: string
  readonly type: AvroSchema
  readonly default?: null
  readonly 'field-id': number
}

/**
 * An Avro object container file of one block, uncompressed
 * (https://avro.apache.org/docs/1.12.0/specification/#object-container-files): the same bytes for the same records.
 * `metadata` goes into the header beside the schema. Values are numbers, booleans, strings, Uint8Arrays, null, arrays and
 * objects by field names; a field that an object lacks is null.
 */
export function toAvroFile(
  schema: AvroSchema,
  metadata: Readonly<Record<string, string>>,
  records: readonly unknown[],
): Buffer {
  const header = { 'avro.schema': JSON.stringify(schema), 'avro.codec': 'null', ...metadata }
  const block = Buffer.concat(records.flatMap((record) => encode(schema, record)))
  const entries = Object.entries(header)
  const sync = createHash('md5').update(block).digest()
  return Buffer.concat([
    Buffer.from('Obj\u0001', 'latin1'),
    toLong(entries.length),
    ...entries.flatMap(([name, value]) => [...encode('string', name), ...encode('string', value)]),
    toLong(0),
    sync,
    ...(records.length === 0 ? [] : [toLong(records.length), toLong(block.length), block, sync]),
  ])
}

function encode(schema: AvroSchema, value: unknown): Buffer[] {
  switch (schema) {
    case 'int':
    case 'long':
      return [toLong(Number(value))]
    case 'boolean':
      return [Buffer.from([value === true ? 1 : 0])]
    case 'string':
      return withLength(Buffer.from(String(value)))
    case 'bytes':
      return withLength(Buffer.from(value as Uint8Array))
    default:
      return encodeComplex(schema, value)
  }
}

function encodeComplex(schema: Exclude<AvroSchema, string>, value: unknown): Buffer[] {
  if (!('type' in schema)) {
    const isNull = value === null || value === undefined
    return isNull ? [toLong(0)] : [toLong(1), ...encode(schema[1], value)]
  }
  if (schema.type === 'record') {
    const cells = value as Readonly<Record<string, unknown>>
    return schema.fields.flatMap(({ name, type }) => encode(type, cells[name]))
  }
  const items = value as readonly unknown[]
  if (items.length === 0) return [toLong(0)]
  return [toLong(items.length), ...items.flatMap((item) => encode(schema.items, item)), toLong(0)]
}

function withLength(bytes: Buffer): Buffer[] {
  return [toLong(bytes.length), bytes]
}

/** Zigzag in groups of seven bits, the lowest first. */
function toLong(value: number): Buffer {
  const bytes: number[] = []
  let rest = value >= 0 ? value * 2 : -value * 2 - 1
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  bytes.push(rest)
  return Buffer.from(bytes)
}
