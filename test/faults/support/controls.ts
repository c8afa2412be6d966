import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFileId } from '../../../src/ids.ts'
import type { Operation } from './operations.ts'
import { readState } from './state.ts'
import { importFile, openData, SITE } from './world.ts'

const ofData = (dirs: { readonly data: string }) => readState(dirs.data)

/** Operations that do something as it must not be done, so that the checks after a kill are known to see it. */
export const CONTROLS = {
  /** Two commits where there should be one. */
  'torn import': {
    async run(dirs) {
      await using app = await openData(dirs.data)
      await importFile(app, join(dirs.inputs, 'more.ndjson'))
      app.catalog.prompts.setStatus(SITE, ['p1'], 'disabled')
    },
    readState: ofData,
    isAtomic: true,
  },
  /** The manifest names a file that gets its name only afterwards. */
  'hasty import': {
    async run(dirs) {
      await using app = await openData(dirs.data)
      await importFile(app, join(dirs.inputs, 'more.ndjson'))
      const { manifest } = app.catalog
      const newest = manifest.currentSnapshot(SITE)
      const before = new Set(manifest.listFiles(SITE, newest - 1).map(({ fileId }) => fileId))
      const added = manifest.listFiles(SITE, newest).find(({ fileId }) => !before.has(fileId))
      const path = join(dirs.data, 'lake', added?.path ?? '')
      renameSync(path, `${path}.later`)
      renameSync(`${path}.later`, path)
    },
    readState: ofData,
    isAtomic: true,
  },
  /** Leaves a file where no collection looks. */
  'littering import': {
    async run(dirs) {
      await using app = await openData(dirs.data)
      writeFileSync(join(dirs.data, `half-${newFileId()}`), 'half')
      await importFile(app, join(dirs.inputs, 'more.ndjson'))
    },
    readState: ofData,
    isAtomic: true,
  },
} as const satisfies Record<string, Operation>
