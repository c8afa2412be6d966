import { CARD_ANSWERS_MIN } from '../../limits.ts'
import { countOwnAnswers, listTracked, sumAnswers, toTargets } from '../own-answers.ts'
import { listOwnPages, toPageKey, toSliceKey } from '../own-pages.ts'
import type { Rule } from '../rule.ts'
import { isSignificantlyHigher } from '../two-proportions.ts'
import { daysTo, listing, ofTotal, quote, toPageName } from '../wording.ts'

const PROMPTS_SHOWN = 3

/** Own pages that answers cited in the 28 days before and that none cites any more. */
export const lostPage: Rule = {
  name: 'lost_page',
  category: 'pages',
  effort: 'low',
  targetMetric: 'citation',
  async find(view) {
    const { window, previous, site } = view
    const now = await countOwnAnswers(view, window)
    const before = await countOwnAnswers(view, previous)
    const totalNow = sumAnswers(now).answers
    const totalBefore = sumAnswers(before).answers
    if (totalNow < CARD_ANSWERS_MIN || totalBefore < CARD_ANSWERS_MIN) return []
    const pagesBefore = await listOwnPages(view, previous)
    const citedNow = new Set((await listOwnPages(view, window)).map(({ url }) => toPageKey(url)))
    return pagesBefore.flatMap(({ url, answers, slices }) => {
      const tracked = listTracked(view, before).filter((count) =>
        slices.has(toSliceKey(count.prompt.id, count.platform)),
      )
      const isLost =
        !citedNow.has(toPageKey(url)) &&
        isSignificantlyHigher({ hits: answers, total: totalBefore }, { hits: 0, total: totalNow }, pagesBefore.length)
      if (!isLost || tracked.length === 0) return []
      const targets = toTargets(tracked)
      const prompts = targets.targetPrompts.slice(0, PROMPTS_SHOWN).map(({ text }) => quote(text))
      return [
        {
          target: url,
          title: `Win back the citations of ${toPageName(url)}`,
          why: `Cited in ${ofTotal(answers, totalBefore, 'answer')} in ${daysTo(previous)}, in ${ofTotal(0, totalNow, 'answer')} in ${daysTo(window)}.`,
          detail:
            'Check that the page is still there at this address, answers with status 200 and lets crawlers in. Bring its facts, prices and date up to date, ' +
            `and link to it from other pages of ${site.domain}. It was cited for ${listing(prompts)}.`,
          ...targets,
          targetUrl: url,
          stake: { hits: answers, total: totalBefore },
        },
      ]
    })
  },
}
