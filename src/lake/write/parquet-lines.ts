import { CommandError } from '../../errors.ts'
import { readParquet } from '../duckdb-paths.ts'
import { openChangeDatabase } from '../instance.ts'
import { sql } from '../sql.ts'
import { runStatement } from '../statement.ts'

/**
 * Writes the rows of a Parquet file as JSON, a row a line, to `target`; both paths are this program's own. `name` is what
 * messages call the file. Throws CommandError when it can't be read as Parquet.
 */
export async function writeParquetLines(
  path: string,
  target: string,
  { name, spillDir }: { readonly name: string; readonly spillDir: string },
): Promise<void> {
  using database = await openChangeDatabase(spillDir)
  const connection = await database.connect()
  try {
    await runStatement(connection, sql`COPY (FROM ${readParquet([path])}) TO ${sql.path(target)} (FORMAT json)`)
  } catch (error) {
    throw new CommandError(`${name}: is a Parquet file that can't be read. It may be cut off: fetch it again.`, {
      cause: error,
    })
  }
}
