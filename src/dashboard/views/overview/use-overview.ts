import type { Schemas } from '../../../client/client.ts'
import { type Loading, usePage, useRows, useThing } from '../../use-reply.ts'
import type { Questions } from './questions.ts'

type VisibilityRow = Schemas['VisibilityRow']
type ChangeRow = Schemas['ChangeRow']

/** The replies to the overview's questions; the parts share them, so that each is asked once. */
export function useOverview(questions: Questions) {
  return {
    brands: useRows<VisibilityRow>(questions.brands),
    days: useRows<VisibilityRow>(questions.days),
    engines: useRows<VisibilityRow>(questions.engines),
    weeks: useRows<VisibilityRow>(questions.weeks),
    changes: {
      mention_rate: usePage<ChangeRow>(questions.changes.mention_rate),
      citation_rate: usePage<ChangeRow>(questions.changes.citation_rate),
      prompt_coverage: usePage<ChangeRow>(questions.changes.prompt_coverage),
      share_of_voice: usePage<ChangeRow>(questions.changes.share_of_voice),
    },
    changesByEngine: useRows<ChangeRow>(questions.changesByEngine),
    changesByPrompt: useRows<ChangeRow>(questions.changesByPrompt),
    cards: useRows<Schemas['ActionCard']>(questions.cards),
    quality: useThing<Schemas['Quality']>(questions.quality),
    scanned: useRows<VisibilityRow>(questions.scanned),
  }
}

export type Replies = ReturnType<typeof useOverview>

/** The own brand's row of a report with `brands: all`. */
export function findOwn(brands: Loading<readonly VisibilityRow[]>): VisibilityRow | undefined {
  return brands.value?.find(({ brand }) => brand.owned)
}
