import { type ChangeContext, changeLake } from '../change/change-lake.ts'
import type { Snapshot } from '../domain/manifest.ts'
import type { Site } from '../domain/site.ts'
import { openChangeDatabase } from '../lake/instance.ts'
import { blankAnswers } from '../lake/maintain/answer-blanking.ts'
import type { DayBounds } from '../lake/maintain/row-removal.ts'

export interface BlankOptions {
  readonly site: Site
  readonly days: DayBounds
  readonly dryRun: boolean
  /** What is recorded beside the counts. */
  readonly reason: object
  readonly signal?: AbortSignal
  readonly waits?: boolean
  readonly onWait?: () => void
}

/** Answers and citations whose words went; `snapshot` is null where none did. */
export interface BlankResult {
  readonly answers: number
  readonly citations: number
  readonly snapshot: Snapshot | null
}

/** Takes the words out of a site's answers of the days, in one change (contract/imports 3.5). Throws what `changeLake` throws. */
export async function blankSiteAnswers(context: ChangeContext, options: BlankOptions): Promise<BlankResult> {
  const { site, days, dryRun, reason, signal } = options
  const { catalog, lakeDir } = context
  return changeLake(context, { ...options, group: 'answers', kind: 'retention' }, async (change) => {
    const { staging, files } = change
    using database = await openChangeDatabase(staging.spillDir)
    const { blanked, replaced } = await blankAnswers(await database.connect(), {
      staging,
      lakeDir,
      files,
      days,
      isDryRun: dryRun,
      ...(signal ? { signal } : {}),
    })
    const result = { ...blanked, snapshot: null }
    if (dryRun || replaced.length === 0) return result
    const snapshot = await change.commit(
      (committed) => {
        catalog.forgottenReplies.add(site.id, days)
        catalog.recordedChanges.record({
          siteId: site.id,
          kind: 'retention',
          snapshot: committed,
          result: { site_id: site.id, ...reason, to: days.to ?? null, ...result },
        })
      },
      replaced.map(({ fileId }) => fileId),
    )
    return { ...result, snapshot }
  })
}
