import type { LakeFile } from '../../domain/manifest.ts'
import { readFiles } from '../read/files-relation.ts'
import { sql } from '../sql.ts'
import { readCells } from '../statement.ts'
import { ensureAllSound } from './ensure-sound.ts'
import { openChangeDatabase } from '../instance.ts'
import type { Staging } from '../write/staging.ts'
import { openTableAppender } from '../write/table-appender.ts'

export interface HostRederivationOptions {
  readonly staging: Staging
  readonly lakeDir: string
  /** The site's live files of the answers' group. */
  readonly liveFiles: readonly LakeFile[]
  /** A host's registrable domain. */
  toDomain(host: string): string
}

/**
 * Gives every host of a site its registrable domain anew; numbers stay. Stages nothing when no domain changes. Returns how
 * many hosts change theirs. Throws DamagedFileError.
 */
export async function rederiveHostDomains(options: HostRederivationOptions): Promise<{ changed: number }> {
  const { staging, lakeDir, liveFiles } = options
  await ensureAllSound(lakeDir, liveFiles, ['hosts'])
  using database = await openChangeDatabase(staging.spillDir)
  const connection = await database.connect()
  const rows = await readCells(
    connection,
    sql`SELECT host_no, host, domain FROM ${readFiles(lakeDir, 'hosts', liveFiles)}`,
  )
  const hosts = rows.map(([no, host, domain]) => {
    const derived = options.toDomain(String(host))
    return { no: Number(no), host: String(host), derived, isChanged: derived !== domain }
  })
  const changed = hosts.filter(({ isChanged }) => isChanged).length
  if (changed === 0) return { changed }
  const table = await openTableAppender(connection, 'rewritten', { host_no: 'integer', host: 'text', domain: 'text' })
  for (const { no, host, derived } of hosts) {
    table.cells.host_no.push(no)
    table.cells.host.push(host)
    table.cells.domain.push(derived)
    table.endRow()
  }
  table.close()
  await staging.write(connection, 'hosts', 'all', sql`SELECT * FROM rewritten ORDER BY host_no`)
  return { changed }
}
