import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../src/clock.ts'
import { backUpLake } from '../../../src/maintenance/backup.ts'
import { collectGarbage } from '../../../src/maintenance/garbage-collection.ts'
import { compactLake } from '../../../src/maintenance/compaction.ts'
import { rederiveSite } from '../../../src/maintenance/rederive.ts'
import { repairLake } from '../../../src/maintenance/repair.ts'
import { restoreBackup } from '../../../src/maintenance/restore.ts'
import { CORRECTIONS, ofData } from './corrections.ts'
import { readState, type State } from './state.ts'
import { type Dirs, importFile, importLog, openData, SITE } from './world.ts'

/** Something that an operator or the program itself does, and that may be killed. */
export interface Operation {
  run(dirs: Dirs): Promise<void>
  /** The state that it may change. */
  readState(dirs: Dirs): Promise<State>
  /** Whether all parts of the state change at once. */
  readonly isAtomic: boolean
  /** Whether doing it again, when it was done, is refused. */
  readonly isOnce?: boolean
}

/** With the number of files of each data set and month, and that of replaced files. */
async function ofDataAndFiles({ data }: Dirs): Promise<State> {
  const state = await readState(data)
  await using app = await openData(data)
  const { manifest } = app.catalog
  const files = manifest.listFiles(SITE, manifest.currentSnapshot(SITE))
  const counts = Map.groupBy(files, ({ dataset, month }) => `files of ${dataset} ${month}`)
  return {
    ...state,
    ...Object.fromEntries([...counts].map(([part, { length }]) => [part, String(length)])),
    replaced: String(manifest.totals().retired.files),
  }
}

export const OPERATIONS = {
  begin: {
    async run(dirs) {
      await using app = await openData(dirs.fresh, true)
      app.catalog.sites.create({ id: SITE, name: 'Acme', domain: 'acme.com' })
    },
    async readState({ fresh }) {
      if (!existsSync(join(fresh, 'catalog.sqlite'))) return { sites: '' }
      await using app = await openData(fresh)
      return {
        sites: app.catalog.sites
          .list()
          .map(({ id }) => id)
          .join(),
      }
    },
    isAtomic: true,
    isOnce: true,
  },
  import: {
    async run(dirs) {
      await using app = await openData(dirs.data)
      await importFile(app, join(dirs.inputs, 'more.ndjson'))
    },
    readState: ofData,
    isAtomic: true,
  },
  'import logs': {
    async run(dirs) {
      await using app = await openData(dirs.data)
      await importLog(app, join(dirs.inputs, 'more.log'))
    },
    readState: ofData,
    isAtomic: true,
  },
  compact: {
    async run(dirs) {
      await using app = await openData(dirs.data)
      await compactLake(app.change, { isThorough: true })
    },
    async readState(dirs) {
      const { replaced: _replaced, ...state } = await ofDataAndFiles(dirs)
      return state
    },
    isAtomic: false,
  },
  rederive: {
    async run(dirs) {
      await using app = await openData(dirs.data)
      await rederiveSite(app.change, { site: app.catalog.sites.get(SITE) })
    },
    readState: ofData,
    isAtomic: false,
  },
  collect: {
    async run(dirs) {
      await using app = await openData(dirs.data)
      await collectGarbage(app.change, { graceMs: 0 })
    },
    readState: ofDataAndFiles,
    isAtomic: true,
  },
  repair: {
    async run(dirs) {
      await using app = await openData(dirs.data)
      const { manifest } = app.catalog
      const files = manifest
        .listFiles(SITE, manifest.currentSnapshot(SITE))
        .filter(({ dataset }) => dataset === 'citations')
      const first = files.map(({ path }) => path).slice(0, 1)
      await repairLake(app.change, { files: first, keepsAnswers: false, isDryRun: false })
    },
    readState: ofData,
    isAtomic: true,
    isOnce: true,
  },
  decide: {
    async run(dirs) {
      await using app = await openData(dirs.data)
      const { catalog } = app
      catalog.transaction(() => {
        catalog.prompts.add(SITE, [{ id: 'p9', text: 'What of p9?', category: 'Brand' }])
        catalog.prompts.setStatus(SITE, ['p1', 'p2'], 'disabled')
        catalog.competitors.add(SITE, { id: 'umbrella', name: 'Umbrella' })
        catalog.sites.set(SITE, { aliases: ['Acme Inc'] })
        catalog.keys.create({ name: 'new', expiresInDays: 30, creator: 'test' })
      })
    },
    readState: ofData,
    isAtomic: true,
    isOnce: true,
  },
  backup: {
    async run(dirs) {
      await using app = await openData(dirs.data)
      await backUpLake(app.change, { dir: dirs.backup })
    },
    async readState(dirs) {
      const dataDir = join(dirs.root, 'probe')
      rmSync(dataDir, { recursive: true, force: true })
      await restoreBackup({ dir: dirs.backup, dataDir, clock: systemClock })
      return readState(dataDir)
    },
    isAtomic: true,
  },
  restore: {
    async run(dirs) {
      await restoreBackup({ dir: dirs.backup, dataDir: dirs.restored, clock: systemClock })
    },
    async readState(dirs) {
      return existsSync(join(dirs.restored, 'catalog.sqlite')) ? readState(dirs.restored) : { nothing: 'is there' }
    },
    isAtomic: true,
    isOnce: true,
  },
  ...CORRECTIONS,
} as const satisfies Record<string, Operation>

const { import: importing, 'import logs': importingLogs, compact, rederive, backup } = OPERATIONS

/** Operations that two processes may want to do at the same time, and that come to the same done twice. */
export const REPEATABLE = {
  import: importing,
  'import logs': importingLogs,
  compact,
  rederive,
  backup,
  ...CORRECTIONS,
} as const satisfies Record<string, Operation>
