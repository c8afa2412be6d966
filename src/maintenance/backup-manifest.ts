import { join } from 'node:path'
import * as v from 'valibot'
import { CommandError } from '../errors.ts'
import { BACKUP_MANIFEST_BYTES_MAX } from '../limits.ts'
import { readWholeFile } from '../read-whole-file.ts'

/** Name of the file that makes a directory a backup. It is written last: what it doesn't name isn't part of it. */
export const BACKUP_MANIFEST = 'MANIFEST.json'

const Path = v.pipe(
  v.string(),
  v.check((path) => !path.split('/').some((part) => part === '' || part === '.' || part === '..'), 'leads outside'),
)
const Sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const Count = v.pipe(v.number(), v.integer(), v.minValue(0))

const BackupManifestSchema = v.object({
  format: v.literal('answerlake-backup'),
  version: v.literal(1),
  created_at: v.string(),
  data_directory_id: v.string(),
  /** Of an organization's export: the only one in the copy. */
  organization_id: v.optional(v.string()),
  /** The newest snapshot that the copy has. */
  snapshot: Count,
  catalog: v.object({ path: Path, bytes: Count, sha256: Sha256 }),
  /** Relative to `lake/` of the backup. */
  files: v.array(v.object({ path: Path, bytes: Count, sha256: Sha256 })),
  /** Raw replies of scans: `name` in the data directory, `path` in the backup. */
  replies: v.optional(
    v.array(
      v.object({
        name: v.pipe(Path, v.startsWith('scans/')),
        path: Path,
        bytes: Count,
        sha256: Sha256,
        modified_ms: Count,
      }),
    ),
  ),
})

/** What a backup consists of. */
export type BackupManifest = v.InferOutput<typeof BackupManifestSchema>

/** The manifest of the backup in a directory; undefined when there is none. Throws CommandError for one that is damaged. */
export async function readBackupManifest(dir: string): Promise<BackupManifest | undefined> {
  const path = join(dir, BACKUP_MANIFEST)
  let text: string
  try {
    text = (await readWholeFile(path, BACKUP_MANIFEST_BYTES_MAX)).toString('utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw error
  }
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    content = undefined
  }
  const parsed = v.safeParse(BackupManifestSchema, content)
  if (parsed.success) return parsed.output
  throw new CommandError(
    `${path} is damaged, or was written by a newer answerlake (${parsed.issues[0].message}). Use another backup, or the version that made it.`,
  )
}
