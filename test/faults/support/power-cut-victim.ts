/** Does acts of units in the order of its argument, one by one, and prints a line for each that is done. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import Database from 'better-sqlite3'

const { dataDir, inputsDir, order, syncs } = JSON.parse(process.argv[2] ?? '{}') as {
  dataDir: string
  inputsDir: string
  order: readonly number[]
  syncs: boolean
}
if (!syncs) await stopSyncing()
const { openData } = await import('./world.ts')
const { makeUnits } = await import('./power-cut-units.ts')
const { openInputs } = await import('./power-cut-inputs.ts')
const units = makeUnits(openInputs(inputsDir)).map(({ acts }) => acts.values())
await using app = await openData(dataDir)
for (const unit of order) {
  await units[unit]?.next().value?.(app)
  process.stdout.write('done\n')
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
