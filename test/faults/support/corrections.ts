import { join } from 'node:path'
import { dayCount, toDay } from '../../../src/domain/day.ts'
import type { ImportKind } from '../../../src/domain/recorded-change.ts'
import { deleteAnswers } from '../../../src/maintenance/delete-answers.ts'
import { deleteLogs } from '../../../src/maintenance/delete-logs.ts'
import type { Retention } from '../../../src/domain/retention.ts'
import { enforceRetention } from '../../../src/maintenance/retention.ts'
import { undoImport } from '../../../src/maintenance/undo.ts'
import type { Operation } from './operations.ts'
import { readState, type State } from './state.ts'
import { type Dirs, findNewest, importFile, importJudgements, MONTHS, openData, SITE } from './world.ts'

export const ofData = ({ data }: Dirs): Promise<State> => readState(data)

/** Whatever takes something back, puts other things in its place, or makes it forgotten. */
export const CORRECTIONS = {
  'undo answers': undoOf('import_answers'),
  'undo logs': undoOf('import_logs'),
  'undo sentiment': undoOf('import_sentiment'),
  'import sentiment': {
    async run(dirs) {
      await using app = await openData(dirs.data)
      await importJudgements(app, join(dirs.inputs, 'judged-anew.ndjson'))
    },
    readState: ofData,
    isAtomic: true,
  },
  'replace answers': {
    async run(dirs) {
      await using app = await openData(dirs.data)
      await importFile(app, join(dirs.inputs, 'corrected.ndjson'), { replace: true })
    },
    readState: ofData,
    isAtomic: true,
  },
  'delete answers': {
    async run(dirs) {
      await using app = await openData(dirs.data)
      const selection = { from: `${MONTHS[0]}-11`, to: `${MONTHS[1]}-11` }
      await deleteAnswers(app.change, { site: app.catalog.sites.get(SITE), selection, dryRun: false })
    },
    readState: ofData,
    isAtomic: true,
  },
  'delete logs': {
    async run(dirs) {
      await using app = await openData(dirs.data)
      const selection = { path: '/docs/*', from: `${MONTHS[0]}-04` }
      await deleteLogs(app.change, { site: app.catalog.sites.get(SITE), selection, dryRun: false })
    },
    readState: ofData,
    isAtomic: true,
  },
  'retire answers': retentionOf('retentionAnswers', `${MONTHS[0]}-12`),
  'retire logs': retentionOf('retentionLogs', `${MONTHS[0]}-05`),
  /** The words of the first month's answers. */
  'retire raw': retentionOf('retentionRaw', `${MONTHS[1]}-01`),
  'delete site': {
    async run(dirs) {
      await using app = await openData(dirs.data)
      app.catalog.deletions.deleteSite(SITE)
    },
    readState: ofSite,
    isAtomic: true,
    isOnce: true,
  },
  'delete organization': {
    async run(dirs) {
      await using app = await openData(dirs.data)
      app.catalog.deletions.deleteOrganization(app.catalog.sites.get(SITE).organizationId)
    },
    readState: ofSite,
    isAtomic: true,
    isOnce: true,
  },
} as const satisfies Record<string, Operation>

/** Of the newest import that the world was made with. */
function undoOf(kind: ImportKind): Operation {
  return {
    async run(dirs) {
      await using app = await openData(dirs.data)
      await undoImport(app.change, { id: findNewest(dirs, kind), dryRun: false })
    },
    readState: ofData,
    isAtomic: true,
    isOnce: true,
  }
}

/** A change of one month. */
function retentionOf(setting: keyof Retention, firstKept: string): Operation {
  return {
    async run(dirs) {
      await using app = await openData(dirs.data)
      const period = `${dayCount(firstKept, toDay(app.clock.now())) - 1}d`
      const kept = { retentionAnswers: 'keep', retentionLogs: 'keep', retentionRaw: 'keep' }
      await enforceRetention(app.change, { retention: { ...kept, [setting]: period } })
    },
    readState: ofData,
    isAtomic: true,
  }
}

/** With what is left of the site once it is gone. */
async function ofSite({ data }: Dirs): Promise<State> {
  const site = await readGone(data)
  return site === undefined ? readState(data) : { site }
}

async function readGone(dataDir: string): Promise<string | undefined> {
  await using app = await openData(dataDir)
  const { sites, organizations, manifest, recordedChanges } = app.catalog
  if (sites.find(SITE)) return undefined
  const kinds = recordedChanges.list({ all: true }).map(({ kind }) => kind)
  const { live, retired } = manifest.totals()
  return JSON.stringify({ kinds, live, replaced: retired.files, organizations: organizations.list().length })
}
