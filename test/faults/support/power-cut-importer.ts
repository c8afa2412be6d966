/** Imports the files of its argument one by one, and prints a line for each that is done. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import Database from 'better-sqlite3'

const { dataDir, files, syncs } = JSON.parse(process.argv[2] ?? '{}') as {
  dataDir: string
  files: readonly string[]
  syncs: boolean
}
if (!syncs) await stopSyncing()
const { importFile, openData } = await import('./world.ts')
await using app = await openData(dataDir)
for (const file of files) {
  await importFile(app, file)
  process.stdout.write(`${file}\n`)
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
