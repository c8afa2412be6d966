import type { ChangeContext } from '../change/change-lake.ts'
import { rederiveAnswers, type RederiveOptions, type RederiveResult } from './rederive-answers.ts'
import { rederivePaths } from './rederive-paths.ts'

/** Derives everything of a site anew that its brands, rules and tables decide: mentions, citations, page types. */
export async function rederiveSite(
  context: ChangeContext,
  options: RederiveOptions,
): Promise<RederiveResult & { readonly paths: number }> {
  const answers = await rederiveAnswers(context, options)
  const paths = await rederivePaths(context, options)
  return { ...answers, paths, snapshot: context.catalog.manifest.currentSnapshot(options.site.id) }
}
