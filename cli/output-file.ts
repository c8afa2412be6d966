import { UsageError } from '../src/errors.ts'
import { isWithin, toRealPath } from '../src/lake/checksums/real-path.ts'

/**
 * Throws UsageError when a file to write would get its place in the data directory, by whatever names and links it is
 * given: opening it would empty the catalog or a file of the lake.
 */
export async function refuseDataDirectory(flag: string, path: string | undefined, dataDir: string): Promise<void> {
  if (path === undefined || !isWithin(await toRealPath(path), await toRealPath(dataDir))) return
  throw new UsageError(
    `${flag} ${path} lies in the data directory ${dataDir}, whose files are this program's alone. Choose a file elsewhere.`,
  )
}
