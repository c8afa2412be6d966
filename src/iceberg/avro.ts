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
  const block = openBytes()
  for (const record of records) encode(block, schema, record)
  const sync = createHash('md5').update(block.get()).digest()
  const file = openBytes()
  file.add(Buffer.from('Obj\u0001', 'latin1'))
  const header = { 'avro.schema': JSON.stringify(schema), 'avro.codec': 'null', ...metadata }
  file.addLong(Object.keys(header).length)
  for (const pair of Object.entries(header)) for (const text of pair) encode(file, 'string', text)
  file.addLong(0)
  file.add(sync)
  if (records.length > 0) {
    file.addLong(records.length)
    encode(file, 'bytes', block.get())
    file.add(sync)
  }
  return file.get()
}

function encode(out: Bytes, schema: AvroSchema, value: unknown): void {
  switch (schema) {
    case 'int':
    case 'long':
      return out.addLong(Number(value))
    case 'boolean':
      return out.add(Uint8Array.of(value === true ? 1 : 0))
    case 'string':
      return out.addText(String(value))
    case 'bytes':
      out.addLong((value as Uint8Array).length)
      return out.add(value as Uint8Array)
    default:
      return encodeComplex(out, schema, value)
  }
}

function encodeComplex(out: Bytes, schema: Exclude<AvroSchema, string>, value: unknown): void {
  if (!('type' in schema)) {
    const isNull = value === null || value === undefined
    out.addLong(isNull ? 0 : 1)
    return isNull ? undefined : encode(out, schema[1], value)
  }
  if (schema.type === 'record') {
    const cells = value as Readonly<Record<string, unknown>>
    for (const { name, type } of schema.fields) encode(out, type, cells[name])
    return
  }
  const items = value as readonly unknown[]
  if (items.length > 0) out.addLong(items.length)
  for (const item of items) encode(out, schema.items, item)
  out.addLong(0)
}

interface Bytes {
  add(bytes: Uint8Array): void
  /** Its length in bytes, and itself in UTF-8. */
  addText(text: string): void
  /** Zigzag in groups of seven bits, the lowest first. */
  addLong(value: number): void
  get(): Buffer
}

/** One buffer that grows: a manifest has thousands of values, and a buffer for each takes several times its memory. */
function openBytes(): Bytes {
  let buffer = Buffer.allocUnsafe(4_096)
  let length = 0
  const reserve = (more: number): void => {
    if (length + more > buffer.length) buffer = Buffer.concat([buffer], (length + more) * 2)
  }
  const addLong = (value: number): void => {
    reserve(LONG_BYTES_MAX)
    let rest = value >= 0 ? value * 2 : -value * 2 - 1
    for (; rest >= 128; rest = Math.floor(rest / 128)) buffer[length++] = (rest % 128) + 128
    buffer[length++] = rest
  }
  return {
    add(bytes) {
      reserve(bytes.length)
      buffer.set(bytes, length)
      length += bytes.length
    },
    addText(text) {
      const bytes = Buffer.byteLength(text)
      addLong(bytes)
      reserve(bytes)
      length += buffer.write(text, length)
    },
    addLong,
    get: () => buffer.subarray(0, length),
  }
}

const LONG_BYTES_MAX = 10
