/**
 * Imports the files of its argument one by one, answers and logs, and prints a line for each that is done. In between it
 * merges files and deletes the replaced ones.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import Database from 'better-sqlite3'

const { dataDir, files, syncs } = JSON.parse(process.argv[2] ?? '{}') as {
  dataDir: string
  files: readonly string[]
  syncs: boolean
}
if (!syncs) await stopSyncing()
const { importFile, importLog, openData } = await import('./world.ts')
const { compactLake } = await import('../../../src/maintenance/compaction.ts')
const { collectGarbage } = await import('../../../src/maintenance/garbage-collection.ts')
await using app = await openData(dataDir)
for (const [index, file] of files.entries()) {
  await (file.endsWith('.log') ? importLog(app, file) : importFile(app, file))
  process.stdout.write(`${file}\n`)
  if (index % 3 !== 1) continue
  await compactLake(app.change, { isThorough: true })
  await collectGarbage(app.change, { graceMs: 0 })
}
await new Promise((resolve) => setTimeout(resolve, 60_000))

/** Makes every sync a call that does nothing, of SQLite's too. */
async function stopSyncing(): Promise<void> {
  fs.fsyncSync = () => undefined
  const handle = await fs.promises.open(process.execPath)
  Object.assign(Object.getPrototypeOf(handle) as object, { sync: async () => undefined })
  await handle.close()
  const pragma = Database.prototype.pragma
  Database.prototype.pragma = function (this: Database.Database, source: string, ...rest) {
    return pragma.call(this, source.replace('synchronous = FULL', 'synchronous = OFF'), ...rest)
  }
  syncBuiltinESMExports()
}
