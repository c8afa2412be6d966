import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import avro from 'avsc'

export interface ReadSnapshot {
  readonly 'snapshot-id': number
  readonly 'manifest-list': string
  readonly summary: Readonly<Record<string, string>>
}

export interface ReadMetadata {
  readonly location: string
  readonly 'table-uuid': string
  readonly 'current-snapshot-id': number
  readonly refs: Readonly<Record<string, { readonly 'snapshot-id': number }>>
  readonly snapshots: readonly ReadSnapshot[]
}

export interface ReadFile {
  readonly status: number
  readonly snapshot_id: number
  readonly data_file: {
    readonly file_path: string
    readonly partition: { readonly site_id?: string | null }
    readonly record_count: number
    readonly file_size_in_bytes: number
  }
}

export interface ReadTable {
  readonly metadata: ReadMetadata
  readonly manifests: readonly string[]
  readonly files: readonly ReadFile[]
}

/** The newest version of a table for an engine that reads the directory itself. */
export const readHint = (directory: string, table: string): number =>
  Number(readFileSync(join(directory, table, 'metadata/version-hint.text'), 'utf8'))

/** A table as an engine finds it in a directory: from the hint, or another version, and a tag to the data files. */
export async function readTable(
  directory: string,
  table: string,
  tag?: string,
  version = readHint(directory, table),
): Promise<ReadTable> {
  const path = join(directory, table, `metadata/v${version}.metadata.json`)
  const metadata = JSON.parse(readFileSync(path, 'utf8')) as ReadMetadata
  const id = tag === undefined ? metadata['current-snapshot-id'] : metadata.refs[tag]?.['snapshot-id']
  const snapshot = metadata.snapshots.find((one) => one['snapshot-id'] === id)
  if (!snapshot) throw new Error(`${table} has no snapshot ${id} (${tag ?? 'current'})`)
  const list = await readAvro<{ manifest_path: string; manifest_length: number }>(toPath(snapshot['manifest-list']))
  for (const { manifest_path, manifest_length } of list) {
    if (statSync(toPath(manifest_path)).size !== manifest_length) throw new Error(`${manifest_path} has another length`)
  }
  const manifests = list.map(({ manifest_path }) => toPath(manifest_path))
  const files = await Promise.all(manifests.map((path) => readAvro<ReadFile>(path)))
  return { metadata, manifests, files: files.flat() }
}

/** The path of an address on this machine. */
export const toPath = (url: string): string => url.replace(/^file:\/\//, '')

/** By a decoder that isn't ours. */
function readAvro<T>(path: string): Promise<T[]> {
  return new Promise((resolve, reject) => {
    const rows: T[] = []
    avro
      .createFileDecoder(path)
      .on('data', (row: T) => rows.push(row))
      .on('end', () => resolve(rows))
      .on('error', reject)
  })
}
