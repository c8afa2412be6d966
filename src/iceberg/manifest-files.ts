import { dayNumber } from '../domain/day.ts'
import { type AvroField, type AvroSchema, toAvroFile } from './avro.ts'
import { FIRST_PARTITION_FIELD_ID, findDayId, type PublishedTable, toPartitionFields, toSchema } from './tables.ts'

/** A Parquet file as a manifest names it. */
export interface DataFile {
  /** Where engines find it. */
  readonly url: string
  /** Null in tables that have no sites apart. */
  readonly siteId: string | null
  readonly rows: number
  readonly bytes: number
  /** First and last day in the file, `YYYY-MM-DD`. */
  readonly minDay: string | null
  readonly maxDay: string | null
  /** Number of the publication that named it first. */
  readonly addedNo: number
}

/** What files add up to. */
export interface FileSum {
  readonly files: number
  readonly rows: number
  readonly bytes: number
}

/** A manifest as a publication keeps it in mind, to name it again while its files stay the same. */
export interface WrittenManifest {
  /** Relative to the publication's directory. */
  readonly path: string
  readonly bytes: number
  /** Number of the publication that wrote it. */
  readonly no: number
  readonly added: FileSum
  readonly existing: FileSum
  readonly minAddedNo: number
  /** First and last site in it; null in tables that have no sites apart. */
  readonly sites: readonly [first: string, last: string] | null
}

const OPTIONAL = (type: AvroSchema, id: number, name: string): AvroField => ({
  name,
  type: ['null', type],
  default: null,
  'field-id': id,
})
const REQUIRED = (type: AvroSchema, id: number, name: string): AvroField => ({ name, type, 'field-id': id })

/** A map from numbers, which Avro has as an array of pairs. */
const toBounds = (keyId: number, valueId: number): AvroSchema => ({
  type: 'array',
  logicalType: 'map',
  items: {
    type: 'record',
    name: `k${keyId}_v${valueId}`,
    fields: [REQUIRED('int', keyId, 'key'), REQUIRED('bytes', valueId, 'value')],
  },
})

/** https://iceberg.apache.org/spec/#manifests */
function toEntrySchema({ isBySite }: PublishedTable): AvroSchema {
  const partition: AvroSchema = {
    type: 'record',
    name: 'r102',
    fields: isBySite ? [OPTIONAL('string', FIRST_PARTITION_FIELD_ID, 'site_id')] : [],
  }
  const dataFile: AvroSchema = {
    type: 'record',
    name: 'r2',
    fields: [
      REQUIRED('int', 134, 'content'),
      REQUIRED('string', 100, 'file_path'),
      REQUIRED('string', 101, 'file_format'),
      REQUIRED(partition, 102, 'partition'),
      REQUIRED('long', 103, 'record_count'),
      REQUIRED('long', 104, 'file_size_in_bytes'),
      OPTIONAL(toBounds(126, 127), 125, 'lower_bounds'),
      OPTIONAL(toBounds(129, 130), 128, 'upper_bounds'),
    ],
  }
  return {
    type: 'record',
    name: 'manifest_entry',
    fields: [
      REQUIRED('int', 0, 'status'),
      OPTIONAL('long', 1, 'snapshot_id'),
      OPTIONAL('long', 3, 'sequence_number'),
      OPTIONAL('long', 4, 'file_sequence_number'),
      REQUIRED(dataFile, 2, 'data_file'),
    ],
  }
}

const EXISTING = 0
const ADDED = 1
const DATA = 0

/** The manifest of a publication's number over files of a table, and what its list says of it but for place and size. */
export function toManifest(
  table: PublishedTable,
  files: readonly DataFile[],
  no: number,
): { readonly bytes: Buffer; readonly summary: Omit<WrittenManifest, 'path' | 'bytes'> } {
  const dayId = findDayId(table)
  const toBound = (day: string | null) =>
    dayId === undefined || day === null ? null : [{ key: dayId, value: toDayBytes(day) }]
  const entries = files.map((file) => ({
    status: file.addedNo === no ? ADDED : EXISTING,
    // A publication's number is its snapshot's id, and the place of its changes in their order.
    snapshot_id: file.addedNo,
    sequence_number: file.addedNo,
    file_sequence_number: file.addedNo,
    data_file: {
      content: DATA,
      file_path: file.url,
      file_format: 'PARQUET',
      partition: { site_id: file.siteId },
      record_count: file.rows,
      file_size_in_bytes: file.bytes,
      lower_bounds: toBound(file.minDay),
      upper_bounds: toBound(file.maxDay),
    },
  }))
  const metadata = {
    schema: JSON.stringify(toSchema(table)),
    'schema-id': '0',
    'partition-spec': JSON.stringify(toPartitionFields(table)),
    'partition-spec-id': '0',
    'format-version': '2',
    content: 'data',
  }
  const added = files.filter(({ addedNo }) => addedNo === no)
  const existing = files.filter(({ addedNo }) => addedNo !== no)
  const sites = files.flatMap(({ siteId }) => siteId ?? []).sort()
  return {
    bytes: toAvroFile(toEntrySchema(table), metadata, entries),
    summary: {
      no,
      added: sumUp(added),
      existing: sumUp(existing),
      minAddedNo: files.reduce((least, { addedNo }) => Math.min(least, addedNo), no),
      sites: sites.length === 0 ? null : [sites[0] ?? '', sites.at(-1) ?? ''],
    },
  }
}

const sumUp = (files: readonly DataFile[]): FileSum => ({
  files: files.length,
  rows: files.reduce((sum, { rows }) => sum + rows, 0),
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
})

/** Days since 1970 in four bytes, the lowest first (https://iceberg.apache.org/spec/#binary-single-value-serialization). */
function toDayBytes(day: string): Buffer {
  // Of Node's pool: there may be very many.
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32LE(dayNumber(day))
  return bytes
}

/** https://iceberg.apache.org/spec/#manifest-lists */
const LIST_SCHEMA: AvroSchema = {
  type: 'record',
  name: 'manifest_file',
  fields: [
    REQUIRED('string', 500, 'manifest_path'),
    REQUIRED('long', 501, 'manifest_length'),
    REQUIRED('int', 502, 'partition_spec_id'),
    REQUIRED('int', 517, 'content'),
    REQUIRED('long', 515, 'sequence_number'),
    REQUIRED('long', 516, 'min_sequence_number'),
    REQUIRED('long', 503, 'added_snapshot_id'),
    REQUIRED('int', 504, 'added_files_count'),
    REQUIRED('int', 505, 'existing_files_count'),
    REQUIRED('int', 506, 'deleted_files_count'),
    REQUIRED('long', 512, 'added_rows_count'),
    REQUIRED('long', 513, 'existing_rows_count'),
    REQUIRED('long', 514, 'deleted_rows_count'),
    OPTIONAL(
      {
        type: 'array',
        'element-id': 508,
        items: {
          type: 'record',
          name: 'r508',
          fields: [
            REQUIRED('boolean', 509, 'contains_null'),
            OPTIONAL('bytes', 510, 'lower_bound'),
            OPTIONAL('bytes', 511, 'upper_bound'),
          ],
        },
      },
      507,
      'partitions',
    ),
  ],
}

/** The list of a snapshot's manifests. `toUrl` says where engines find what lies in the publication's directory. */
export function toManifestList(
  no: number,
  manifests: readonly WrittenManifest[],
  toUrl: (path: string) => string,
): Buffer {
  const rows = manifests.map((manifest) => ({
    manifest_path: toUrl(manifest.path),
    manifest_length: manifest.bytes,
    partition_spec_id: 0,
    content: DATA,
    sequence_number: manifest.no,
    min_sequence_number: manifest.minAddedNo,
    added_snapshot_id: manifest.no,
    added_files_count: manifest.added.files,
    existing_files_count: manifest.existing.files,
    deleted_files_count: 0,
    added_rows_count: manifest.added.rows,
    existing_rows_count: manifest.existing.rows,
    deleted_rows_count: 0,
    partitions: manifest.sites
      ? [
          {
            contains_null: false,
            lower_bound: Buffer.from(manifest.sites[0]),
            upper_bound: Buffer.from(manifest.sites[1]),
          },
        ]
      : [],
  }))
  return toAvroFile(
    LIST_SCHEMA,
    { 'snapshot-id': String(no), 'sequence-number': String(no), 'format-version': '2' },
    rows,
  )
}
