import { type PublicationState, tagOf, type TableState } from './publication-state.ts'
import { FIRST_PARTITION_FIELD_ID, type PublishedTable, toNameMapping, toPartitionFields, toSchema } from './tables.ts'

/** A table's metadata in a publication, as Iceberg's version 2 has it (https://iceberg.apache.org/spec/#table-metadata). */
export function toTableMetadata(
  table: PublishedTable,
  { uuid, snapshots }: TableState,
  { no, location, published_at, readable }: PublicationState,
): object {
  const snapshotOf = (publication: number): number | undefined =>
    snapshots.findLast((snapshot) => snapshot.no <= publication)?.no
  const tags = readable.flatMap((publication) => {
    const id = snapshotOf(publication)
    return id === undefined ? [] : [[tagOf(publication), { 'snapshot-id': id, type: 'tag' }] as const]
  })
  const current = snapshotOf(no)
  return {
    'format-version': 2,
    'table-uuid': uuid,
    location: `${location}/${table.name}`,
    'last-sequence-number': current ?? 0,
    'last-updated-ms': Date.parse(published_at),
    'last-column-id': table.columns.length,
    'current-schema-id': 0,
    schemas: [toSchema(table)],
    'default-spec-id': 0,
    'partition-specs': [{ 'spec-id': 0, fields: toPartitionFields(table) }],
    'last-partition-id': table.isBySite ? FIRST_PARTITION_FIELD_ID : FIRST_PARTITION_FIELD_ID - 1,
    'default-sort-order-id': 0,
    'sort-orders': [{ 'order-id': 0, fields: [] }],
    properties: { 'schema.name-mapping.default': JSON.stringify(toNameMapping(table)) },
    'current-snapshot-id': current ?? -1,
    refs: { main: { 'snapshot-id': current, type: 'branch' }, ...Object.fromEntries(tags) },
    snapshots: snapshots.map((snapshot, index) => ({
      'snapshot-id': snapshot.no,
      ...(index > 0 ? { 'parent-snapshot-id': snapshots[index - 1]?.no } : {}),
      'sequence-number': snapshot.no,
      'timestamp-ms': snapshot.at_ms,
      'manifest-list': `${location}/${snapshot.manifest_list}`,
      'schema-id': 0,
      summary: {
        operation: snapshot.operation,
        'total-data-files': String(snapshot.files),
        'total-records': String(snapshot.rows),
        'total-files-size': String(snapshot.bytes),
        'total-delete-files': '0',
      },
    })),
    'snapshot-log': snapshots.map((snapshot) => ({ 'timestamp-ms': snapshot.at_ms, 'snapshot-id': snapshot.no })),
    'metadata-log': [],
    statistics: [],
    'partition-statistics': [],
  }
}
