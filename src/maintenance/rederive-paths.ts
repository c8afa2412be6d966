import { type ChangeContext, changeLake } from '../change/change-lake.ts'
import { createPageTypeMatcher } from '../derive/page-types.ts'
import { PAGE_TYPES } from '../domain/enums.ts'
import { rederivePathTypes } from '../lake/maintain/path-rederivation.ts'
import { parsePageTypeRules } from '../reference/page-types.ts'
import type { RederiveOptions } from './rederive-answers.ts'

/**
 * Classes the requested paths of a site anew by its rules of today, in one snapshot. Visits that were left out because
 * their path was `technical_infra` when they were imported are not there to come back. Returns the number of paths whose
 * type changed. Throws what `changeLake` throws.
 */
export async function rederivePaths(context: ChangeContext, options: RederiveOptions): Promise<number> {
  const { site } = options
  const matcher = createPageTypeMatcher(parsePageTypeRules(JSON.stringify(site.pageTypeRules ?? [])))
  return changeLake(context, { ...options, group: 'logs', kind: 'rederive' }, async (change) => {
    const { changed } = await rederivePathTypes({
      staging: change.staging,
      lakeDir: context.lakeDir,
      liveFiles: change.files,
      toPageTypeNo: (path) => PAGE_TYPES.indexOf(matcher.find(path)) + 1,
    })
    if (changed === 0) return 0
    const replaced = change.files.filter(({ dataset }) => dataset === 'paths' || dataset === 'bot_page_types')
    await change.commit(
      () => undefined,
      replaced.map(({ fileId }) => fileId),
    )
    return changed
  })
}
