import { createHash } from 'node:crypto'
import { type ChangeContext, changeLake } from '../change/change-lake.ts'
import { toRegistrableDomain } from '../derive/citations.ts'
import type { Snapshot } from '../domain/manifest.ts'
import type { Site } from '../domain/site.ts'
import { deriveStored } from '../import-answers/derive-answer.ts'
import { openSiteBrands } from '../import-answers/site-brands.ts'
import { rederiveHostDomains } from '../lake/maintain/host-rederivation.ts'
import { rederiveMonth } from '../lake/maintain/answer-rederivation.ts'
import { listHangulParticles } from '../reference/hangul-particles.ts'
import { listRedirectWrappers } from '../reference/redirect-wrappers.ts'
import { listTrackingParameters } from '../reference/tracking-parameters.ts'

/** Raised when the derivation itself changes its results, so that months derived by an older program are due again. */
const DERIVATION_VERSION = 2

export interface RederiveOptions {
  readonly site: Site
  readonly signal?: AbortSignal
  onProgress?(progress: { month: string; done: number; total: number }): void
  onWait?(): void
}

export interface RederiveResult {
  readonly site_id: string
  /** Months derived anew; the others were up to date. */
  readonly months: readonly string[]
  readonly months_up_to_date: number
  readonly answers: number
  readonly snapshot: Snapshot
}

/**
 * Derives the mentions and citations of all answers of a site anew, with today's brands and tables, month by month, each
 * in a snapshot of its own. Stopped, it goes on where it was when it is called again. Throws what `changeLake` throws.
 */
export async function rederiveAnswers(context: ChangeContext, options: RederiveOptions): Promise<RederiveResult> {
  const { site } = options
  await rederiveHosts(context, options)
  const months = listMonths(context, site.id)
  const settings = describeSettings(context, site)
  const due = months.filter((month) => !context.catalog.derivations.isCurrent(site.id, month, settings))
  let answers = 0
  for (const [index, month] of due.entries()) {
    options.onProgress?.({ month, done: index, total: due.length })
    answers += await rederiveOneMonth(context, options, month)
  }
  return {
    site_id: site.id,
    months: due,
    months_up_to_date: months.length - due.length,
    answers,
    snapshot: context.catalog.manifest.currentSnapshot(site.id),
  }
}

async function rederiveOneMonth(context: ChangeContext, options: RederiveOptions, month: string): Promise<number> {
  const { catalog } = context
  const { site, signal } = options
  return changeLake(context, { ...options, group: 'answers', kind: 'rederive' }, async (change) => {
    // Brands may have changed while this waited: what is recorded must be what is used.
    const settings = describeSettings(context, catalog.sites.get(site.id))
    const brands = openSiteBrands(catalog, catalog.sites.get(site.id), {
      dryRun: false,
      discoverMin: Number.POSITIVE_INFINITY,
    })
    const { counters, answers } = await rederiveMonth({
      staging: change.staging,
      lakeDir: context.lakeDir,
      liveFiles: change.files,
      counters: {
        host_no: catalog.sites.counter(site.id, 'host_no', 1),
        page_no: catalog.sites.counter(site.id, 'page_no', 1),
      },
      month,
      derive: (answer) => deriveStored(answer, brands),
      ...(signal ? { signal } : {}),
    })
    const replaced = change.files.filter(
      (file) => file.month === month && (file.dataset === 'mentions' || file.dataset === 'citations'),
    )
    await change.commit(
      () => {
        catalog.competitors.createDiscovered(site.id, brands.settle().discovered)
        for (const [name, next] of Object.entries(counters)) catalog.sites.setCounter(site.id, name, next)
        catalog.derivations.record(site.id, month, settings)
      },
      replaced.map((file) => file.fileId),
    )
    return answers
  })
}

/** The public suffix list may have changed with the program; hosts keep their numbers. */
async function rederiveHosts(context: ChangeContext, options: RederiveOptions): Promise<void> {
  await changeLake(context, { ...options, group: 'answers', kind: 'rederive' }, async (change) => {
    const { changed } = await rederiveHostDomains({
      staging: change.staging,
      lakeDir: context.lakeDir,
      liveFiles: change.files,
      toDomain: toRegistrableDomain,
    })
    if (changed === 0) return
    const replaced = change.files.filter((file) => file.dataset === 'hosts').map((file) => file.fileId)
    await change.commit(() => undefined, replaced)
  })
}

function listMonths({ catalog }: ChangeContext, siteId: string): string[] {
  const files = catalog.manifest.listFiles(siteId, catalog.manifest.currentSnapshot(siteId))
  return [...new Set(files.filter((file) => file.dataset === 'answers').map((file) => file.month))].sort()
}

/** Everything that decides what is derived from a given answer. */
function describeSettings({ catalog }: ChangeContext, site: Site): string {
  const brands = catalog.competitors
    .list(site.id)
    .map(({ brandNo, name, aliases, exact }) => [brandNo, name, aliases, exact])
  const ignored = [...catalog.competitors.listIgnoredKeys(site.id)]
  const described = JSON.stringify([
    DERIVATION_VERSION,
    [site.name, site.aliases, site.exact, site.discover],
    brands,
    listTrackingParameters(),
    listRedirectWrappers(),
    listHangulParticles(),
    // Not with an empty list: what was derived before anything could be ignored would be derived again.
    ...(ignored.length === 0 ? [] : [ignored]),
  ])
  return createHash('sha256').update(described).digest('hex')
}
