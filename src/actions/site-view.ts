import type { Catalog } from '../catalog/catalog.ts'
import type { Dataset } from '../domain/manifest.ts'
import type { ReportRows } from './report-rows.ts'
import type { SiteView } from './rule.ts'
import { windowBefore, windowEndingOn } from './windows.ts'

/** A site as rules see it; undefined while nothing has been imported. */
export function openSiteView(catalog: Catalog, siteId: string, reports: ReportRows): SiteView | undefined {
  return catalog.read(() => {
    const logDay = findNewestLogDay(catalog, siteId)
    const newest = catalog.scans.last(siteId)?.date ?? logDay
    if (newest === undefined) return undefined
    const window = windowEndingOn(newest)
    const { prompts } = catalog.prompts.list(siteId)
    return {
      site: catalog.sites.get(siteId),
      prompts: new Map(prompts.map((prompt) => [prompt.id, prompt])),
      competitors: catalog.competitors.list(siteId),
      window,
      previous: windowBefore(window),
      logWindow: logDay === undefined ? undefined : windowEndingOn(logDay),
      reports,
    }
  })
}

const LOG_DATASETS: ReadonlySet<Dataset> = new Set(['bot_hits', 'visits'])

function findNewestLogDay({ manifest }: Catalog, siteId: string): string | undefined {
  return manifest
    .listFiles(siteId, manifest.currentSnapshot(siteId))
    .flatMap(({ dataset, maxDay }) => (LOG_DATASETS.has(dataset) && maxDay !== null ? [maxDay] : []))
    .toSorted()
    .at(-1)
}
