import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Script } from '../engines/script.ts'
import { Engines } from '../engines/server.ts'
import { cloneScanWorld, makeScanTemplate, type ScanSetup } from './scan-data.ts'

export interface ScanStage extends AsyncDisposable {
  readonly engines: Engines
  readonly data: string
  /** The same sites and prompts, and nothing asked. */
  readonly fresh: string
}

/** Engines, and a data directory that is set up to ask them. */
export async function setUpScan(setup: ScanSetup, script: Script = {}): Promise<ScanStage> {
  const root = mkdtempSync(join(tmpdir(), 'answerlake-scan-'))
  const [data, fresh] = [join(root, 'data'), join(root, 'fresh')]
  const engines = await Engines.start({ script, keepsBodies: true })
  await makeScanTemplate(fresh, setup)
  cloneScanWorld(fresh, data, setup, engines.url)
  return {
    engines,
    data,
    fresh,
    async [Symbol.asyncDispose]() {
      await engines[Symbol.asyncDispose]()
      await rm(root, { recursive: true, force: true })
    },
  }
}
