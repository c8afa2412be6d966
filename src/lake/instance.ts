import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { ARRAY_KEY_BITS_MAX, IMPORT_MEMORY_MIB, SPILL_GIB_MAX } from '../limits.ts'
import { makeDirectory } from '../make-directory.ts'
import { sql } from './sql.ts'
import { runStatement } from './statement.ts'

export interface InstanceOptions {
  readonly threads: number
  readonly memoryMib: number
  readonly spillGib: number
  /** Where DuckDB may spill; made when missing. */
  readonly spillDir: string
}

/** The DuckDB of one change; disposing of it closes its connections and itself. */
export interface ChangeDatabase extends Disposable {
  connect(): Promise<DuckDBConnection>
}

/**
 * A DuckDB for one change of the lake, which spills into `spillDir`. Each connection works in the one thread that waits for
 * it: a second thread would need row groups of its own in memory, and while it works the one that waits asks for work
 * without a pause, which took a quarter of an import's processor time.
 */
export async function openChangeDatabase(spillDir: string): Promise<ChangeDatabase> {
  const instance = await openInstance({
    threads: 1,
    memoryMib: IMPORT_MEMORY_MIB,
    spillGib: SPILL_GIB_MAX,
    spillDir,
  })
  return toDatabase(instance)
}

/** A DuckDB over a file of its own, which it makes. */
export async function openFileDatabase(path: string): Promise<ChangeDatabase> {
  return toDatabase(await DuckDBInstance.create(path, { ...NOTHING_FROM_OUTSIDE, threads: '1', temp_directory: '' }))
}

function toDatabase(instance: DuckDBInstance): ChangeDatabase {
  const connections: DuckDBConnection[] = []
  return {
    async connect() {
      const connection = await instance.connect()
      connections.push(connection)
      return connection
    },
    [Symbol.dispose]() {
      for (const connection of connections.splice(0)) connection.closeSync()
      instance.closeSync()
    },
  }
}

/** A DuckDB in memory that loads nothing from outside and spills only where it is told to. */
export async function openInstance({
  threads,
  memoryMib,
  spillGib,
  spillDir,
}: InstanceOptions): Promise<DuckDBInstance> {
  makeDirectory(spillDir)
  return DuckDBInstance.create(':memory:', {
    threads: String(threads),
    memory_limit: `${memoryMib}MiB`,
    temp_directory: spillDir,
    max_temp_directory_size: `${spillGib}GiB`,
    ...NOTHING_FROM_OUTSIDE,
    preserve_insertion_order: 'false',
    // What a query had goes back to the system though no other query follows.
    allocator_background_threads: 'true',
  })
}

const NOTHING_FROM_OUTSIDE = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allow_unsigned_extensions: 'false',
  allow_persistent_secrets: 'false',
} as const

/**
 * Shuts the instance in: files of the lake only, settings final but for the limit of memory. The order matters: directories
 * can't be named once access is off. Writing inside the lake stays possible, so only prepared SELECTs may run afterwards
 * (query-pool.ts).
 */
export async function lockInstance(connection: DuckDBConnection, lakeDir: string): Promise<void> {
  await runStatement(connection, sql`SET allowed_directories=[${sql.path(`${lakeDir}/`)}]`)
  // Files never change under their name, so what their ends say need not be read for every report.
  await runStatement(connection, sql`SET GLOBAL parquet_metadata_cache=true`)
  // What is grouped by a number of 16 bits is then counted in an array.
  await runStatement(connection, sql`SET GLOBAL perfect_ht_threshold=${sql.count(ARRAY_KEY_BITS_MAX)}`)
  await runStatement(connection, sql`SET enable_external_access=false`)
  await runStatement(connection, sql`SET allowed_configs=['memory_limit']`)
  await runStatement(connection, sql`SET lock_configuration=true`)
}

/**
 * Gives back to the system what DuckDB's queries held and hold no more: setting its limit of memory, to what it is, does so at
 * once. `memoryMib` is the instance's own.
 */
export async function giveBackMemory(connection: DuckDBConnection, memoryMib: number): Promise<void> {
  const limit = sql.path(`${memoryMib}MiB`)
  // Refused while other queries need all of it, and then there is nothing to give.
  await runStatement(connection, sql`SET memory_limit=${limit}`).catch(() => undefined)
}
