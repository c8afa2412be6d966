import type { CardCount } from '../../domain/action-card.ts'
import { CARD_ANSWERS_MIN } from '../../limits.ts'
import type { Filter } from '../../reports/request.ts'
import { PROVIDER_OF_ENGINE } from '../engine-crawlers.ts'
import { type AnswerCounts, countOwnAnswers, listTracked, toTargets } from '../own-answers.ts'
import { listOwnPages, type OwnPage, toSliceKey } from '../own-pages.ts'
import type { Rule, SiteView } from '../rule.ts'
import { isSignificantlyHigher } from '../two-proportions.ts'
import type { DayRange } from '../windows.ts'
import { daysTo, listing, ofTotal } from '../wording.ts'

/** Share of a page's hits from which its errors count as many. */
const MANY = 0.25
/** Paths of a log that are looked at, those with most hits first. */
const PATHS_READ_MAX = 5_000

/** Files for machines may be missing: an error there keeps no page out of an answer. */
const PAGES: Filter = { field: 'page_type', op: 'not_is', value: 'technical_infra' }

/** Own pages on which crawlers meet errors much more often than on the site's other pages. */
export const crawlerErrors: Rule = {
  name: 'crawler_errors',
  category: 'technical',
  effort: 'low',
  targetMetric: 'citation',
  async find(view) {
    const { logWindow, site } = view
    if (logWindow === undefined) return []
    const paths = await countErrors(view, logWindow)
    const all = await countAllErrors(view, logWindow)
    const broken = paths.filter(({ errors }) => {
      const elsewhere = { hits: all.hits - errors.hits, total: all.total - errors.total }
      return (
        errors.hits >= MANY * errors.total &&
        elsewhere.total >= CARD_ANSWERS_MIN &&
        isSignificantlyHigher(errors, elsewhere, paths.length)
      )
    })
    if (broken.length === 0) return []
    const crawlers = await listCrawlers(
      view,
      logWindow,
      broken.map(({ path }) => path),
    )
    const tracked = listTracked(view, await countOwnAnswers(view, view.window))
    const pages = await listOwnPages(view, view.window)
    return broken.map(({ path, errors }) => {
      const elsewhere = { hits: all.hits - errors.hits, total: all.total - errors.total }
      const stopped = crawlers.get(path) ?? []
      const page = pages.find(({ url }) => new URL(url).pathname === path)
      return {
        target: path,
        title: `Repair ${path} for AI crawlers`,
        why: `In ${daysTo(logWindow)}, ${ofTotal(errors.hits, errors.total, 'hit')} of crawlers on this page ended in an error; on the site's other pages it was ${ofTotal(elsewhere.hits, elsewhere.total, 'hit')}. Stopped most often: ${listing(stopped.slice(0, 3).map(({ name }) => name))}.`,
        detail:
          'Open the address as a crawler does (without a session, with its user agent) and look into the server log for the status. Restore the page, redirect it to its successor with 301, ' +
          'or answer 410 and remove every link and sitemap entry when it is gone for good. Rules against robots in a firewall or a proxy are a frequent cause.',
        ...toTargets(pickTargets(tracked, page, stopped)),
        targetUrl: page?.url ?? `https://${site.domain}${path}`,
        stake: { hits: errors.hits, total: all.total },
      }
    })
  },
}

interface PathErrors {
  readonly path: string
  /** Hits that ended in an error, of all hits. */
  readonly errors: CardCount
}

/** Paths with enough hits. */
async function countErrors({ reports }: SiteView, range: DayRange): Promise<readonly PathErrors[]> {
  const rows = await reports.bots(
    range,
    {
      timezone: 'UTC',
      group_by: ['path'],
      metrics: ['hits', 'error_hits'],
      filter: PAGES,
      sort: { field: 'hits', dir: 'desc' },
    },
    PATHS_READ_MAX,
  )
  return rows.flatMap(({ path = '', hits = 0, error_hits = 0 }) =>
    hits < CARD_ANSWERS_MIN ? [] : [{ path, errors: { hits: error_hits, total: hits } }],
  )
}

async function countAllErrors({ reports }: SiteView, range: DayRange): Promise<CardCount> {
  const [row] = await reports.bots(range, {
    timezone: 'UTC',
    group_by: [],
    metrics: ['hits', 'error_hits'],
    filter: PAGES,
  })
  return { hits: row?.error_hits ?? 0, total: row?.hits ?? 0 }
}

interface StoppedCrawler {
  readonly name: string
  readonly provider: string
}

/** Who met errors on each of the paths, the most hindered first. */
async function listCrawlers(
  { reports }: SiteView,
  range: DayRange,
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly StoppedCrawler[]>> {
  const rows = await reports.bots(range, {
    timezone: 'UTC',
    group_by: ['path', 'bot_name', 'bot_provider'],
    metrics: ['error_hits'],
    filter: { field: 'path', op: 'in', value: paths },
    sort: { field: 'error_hits', dir: 'desc' },
  })
  const crawlers = new Map<string, StoppedCrawler[]>()
  for (const { path = '', bot_name: name = '', bot_provider: provider = '', error_hits = 0 } of rows) {
    if (error_hits > 0) crawlers.set(path, [...(crawlers.get(path) ?? []), { name, provider }])
  }
  return crawlers
}

/** Answers that cite the page, or all of the engines whose crawlers were stopped when none does. */
function pickTargets(
  tracked: readonly AnswerCounts[],
  page: OwnPage | undefined,
  crawlers: readonly StoppedCrawler[],
): readonly AnswerCounts[] {
  const citing = tracked.filter(({ prompt, platform }) => page?.slices.has(toSliceKey(prompt.id, platform)))
  if (citing.length > 0) return citing
  const providers = new Set(crawlers.map(({ provider }) => provider))
  const ofEngines = tracked.filter(({ platform }) => providers.has(PROVIDER_OF_ENGINE[platform].id))
  return ofEngines.length > 0 ? ofEngines : tracked
}
