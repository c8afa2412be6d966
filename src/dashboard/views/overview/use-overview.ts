import type { Schemas } from '../../../client/client.ts'
import { type Loading, usePage, useRows, useThing } from '../../use-reply.ts'
import type { Questions } from './questions.ts'

type VisibilityRow = Schemas['VisibilityRow']

/** The replies to the overview's questions; the parts share them, so that each is asked once. */
export function useOverview(questions: Questions) {
  return {
    brands: useRows(questions.brands),
    days: useRows(questions.days),
    engines: useRows(questions.engines),
    weeks: useRows(questions.weeks),
    changes: {
      mention_rate: usePage(questions.changes.mention_rate),
      citation_rate: usePage(questions.changes.citation_rate),
      prompt_coverage: usePage(questions.changes.prompt_coverage),
      share_of_voice: usePage(questions.changes.share_of_voice),
    },
    changesByEngine: useRows(questions.changesByEngine),
    changesByPrompt: useRows(questions.changesByPrompt),
    cards: useRows<Schemas['ActionCard']>(questions.cards),
    quality: useThing<Schemas['Quality']>(questions.quality),
    scanned: useRows(questions.scanned),
  }
}

export type Replies = ReturnType<typeof useOverview>

/** The own brand's row of a report with `brands: all`. */
export function findOwn(brands: Loading<readonly VisibilityRow[]>): VisibilityRow | undefined {
  return brands.value?.find(({ brand }) => brand.owned)
}
