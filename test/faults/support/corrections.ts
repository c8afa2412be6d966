import { join } from 'node:path'
import type { Operation } from './operations.ts'
import { readState } from './state.ts'
import { importFile, openData, SITE } from './world.ts'

/** What takes the place of answers, or takes a whole site away. */
export const CORRECTIONS = {
  'replace answers': {
    async run(dirs) {
      await using app = await openData(dirs.data)
      await importFile(app, join(dirs.inputs, 'corrected.ndjson'), { replace: true })
    },
    readState: ({ data }) => readState(data),
    isAtomic: true,
  },
  'delete site': {
    async run(dirs) {
      await using app = await openData(dirs.data)
      app.catalog.deletions.deleteSite(SITE)
    },
    async readState({ data }) {
      const site = await readSite(data)
      return site === undefined ? readState(data) : { site }
    },
    isAtomic: true,
    isOnce: true,
  },
} as const satisfies Record<string, Operation>

/** What is left of the site once it is gone; undefined while it is there. */
async function readSite(dataDir: string): Promise<string | undefined> {
  await using app = await openData(dataDir)
  const { sites, manifest, recordedChanges } = app.catalog
  if (sites.find(SITE)) return undefined
  const kinds = recordedChanges.list({ siteId: SITE, all: true }).map(({ kind }) => kind)
  return JSON.stringify({ kinds, live: manifest.totals().live, replaced: manifest.totals().retired.files })
}
