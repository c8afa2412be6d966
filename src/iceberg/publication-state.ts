import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { CommandError } from '../errors.ts'

/** The file of a publication's directory that says which publication it holds: what it doesn't name doesn't exist. */
export const STATE_FILE = 'publication.json'

const Sum = v.strictObject({ files: v.number(), rows: v.number(), bytes: v.number() })

const Manifest = v.strictObject({
  path: v.string(),
  bytes: v.number(),
  no: v.number(),
  added: Sum,
  existing: Sum,
  minAddedNo: v.number(),
  sites: v.nullable(v.tuple([v.string(), v.string()])),
  /** Told from another content by this. */
  key: v.string(),
})

const TableSnapshot = v.strictObject({
  /** Number of the publication that made it, the id of the snapshot. */
  no: v.number(),
  at_ms: v.number(),
  manifest_list: v.string(),
  operation: v.picklist(['append', 'overwrite']),
  files: v.number(),
  rows: v.number(),
  bytes: v.number(),
})

const Table = v.strictObject({
  uuid: v.string(),
  /** Oldest first; the last is the current one. */
  snapshots: v.array(TableSnapshot),
  manifests: v.array(Manifest),
})

const State = v.strictObject({
  format: v.literal(1),
  /** Of the data directory whose lake it is. */
  data_directory_id: v.string(),
  no: v.number(),
  /** Number of the publication that began the directory's tables. */
  first_no: v.number(),
  lake_snapshot: v.number(),
  published_at: v.string(),
  /** Of the tables, without a slash at its end. */
  location: v.string(),
  /** Where the lake's files are found, without a slash at its end. */
  lake_location: v.string(),
  /** What the tables were made by: another schema begins them anew. */
  schema: v.string(),
  /** Publications that can be read, oldest first; each has a tag. */
  readable: v.array(v.number()),
  tables: v.record(v.string(), Table),
  /** Files that publications after `last_no` don't need. */
  replaced: v.array(v.strictObject({ path: v.string(), last_no: v.number() })),
})

/** What a directory holds: the newest publication whole, and what of older ones can still be read. */
export type PublicationState = v.InferOutput<typeof State>
export type TableState = v.InferOutput<typeof Table>
export type ManifestState = v.InferOutput<typeof Manifest>

/** The directory's publication; undefined when it holds none. Throws CommandError for a file that is something else. */
export async function readPublication(directory: string): Promise<PublicationState | undefined> {
  const path = join(directory, STATE_FILE)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    return v.parse(State, JSON.parse(text))
  } catch (error) {
    throw new CommandError(
      `${path} was not written by this answerlake. Publish into another directory, or remove what is in this one.`,
      { cause: error },
    )
  }
}

/** Where a table's metadata of a publication lies, relative to the directory. */
export const metadataPath = (table: string, no: number): string => `${table}/metadata/v${no}.metadata.json`

/** The tag of a publication, the same in all tables. */
export const tagOf = (no: number): string => `lake-${no}`
