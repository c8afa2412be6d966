import { toDay } from '../domain/day.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Dataset } from '../domain/manifest.ts'
import type { SiteView } from './rule.ts'
import { windowBefore, windowEndingOn } from './windows.ts'

/** A site as rules see it at the time `nowMs`; undefined while nothing has been imported. */
export function openSiteView(
  catalog: Catalog,
  siteId: string,
  { reports, studentT, nowMs }: Pick<SiteView, 'reports' | 'studentT'> & { readonly nowMs: number },
): SiteView | undefined {
  return catalog.read(() => {
    const today = toDay(nowMs)
    const logDay = findNewestLogDay(catalog, siteId, today)
    const scanned = catalog.scans.last(siteId)?.date
    // Answers dated in the future must not move the window away from all others, as for the log.
    const newest = scanned !== undefined && scanned > today ? today : (scanned ?? logDay)
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
      studentT,
    }
  })
}

const LOG_DATASETS: ReadonlySet<Dataset> = new Set(['bot_hits', 'visits'])

/**
 * Lines dated in the future, by a server whose clock is wrong, must not move the window away from all others: months that
 * have not begun count nothing, and one that is under way counts up to today.
 */
function findNewestLogDay({ manifest }: Catalog, siteId: string, today: string): string | undefined {
  return manifest
    .listFiles(siteId, manifest.currentSnapshot(siteId))
    .flatMap(({ dataset, minDay, maxDay }) =>
      LOG_DATASETS.has(dataset) && minDay && maxDay ? [{ minDay, maxDay }] : [],
    )
    .filter(({ minDay }) => minDay <= today)
    .map(({ maxDay }) => (maxDay < today ? maxDay : today))
    .toSorted()
    .at(-1)
}
