import { CARD_ANSWERS_MIN } from '../../limits.ts'
import { countOwnAnswers, listTracked, sumAnswers, toPromptRate, toTargets } from '../own-answers.ts'
import { listOwnPages, toPageKey, toSliceKey } from '../own-pages.ts'
import type { Rule } from '../rule.ts'
import { isSignificantlyMore } from '../two-proportions.ts'
import { daysTo, listing, ofTotal, quote, toCount, toPageName, withInterval } from '../wording.ts'

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
    const askedNow = new Set(now.map(({ prompt }) => prompt.id))
    return pagesBefore.flatMap(({ url, answers, slices }) => {
      const citing = before.filter(({ prompt, platform }) => slices.has(toSliceKey(prompt.id, platform)))
      const tracked = listTracked(view, citing)
      // Answers to one prompt resemble each other: what counts is for how many prompts the page was cited that were asked again.
      const prompts = [...new Set(citing.map(({ prompt }) => prompt.id))].filter((id) => askedNow.has(id)).length
      const isLost = !citedNow.has(toPageKey(url)) && isSignificantlyMore(prompts, 0, pagesBefore.length)
      if (!isLost || tracked.length === 0) return []
      const targets = toTargets(tracked)
      const cited = toPromptRate(
        before.map((count) => ({ ...count, hits: slices.get(toSliceKey(count.prompt.id, count.platform)) ?? 0 })),
        view.studentT,
      )
      const shown = targets.targetPrompts.slice(0, PROMPTS_SHOWN).map(({ text }) => quote(text))
      return [
        {
          target: url,
          title: `Win back the citations of ${toPageName(url)}`,
          why:
            `Cited in ${withInterval(ofTotal(answers, totalBefore, 'answer'), cited.interval)} in ${daysTo(previous)}, ` +
            `to ${toCount(prompts)} prompts that were asked again, and in ${ofTotal(0, totalNow, 'answer')} in ${daysTo(window)}.`,
          detail:
            'Check that the page is still there at this address, answers with status 200 and lets crawlers in. Bring its facts, prices and date up to date, ' +
            `and link to it from other pages of ${site.domain}. It was cited for ${listing(shown)}.`,
          ...targets,
          targetUrl: url,
          stake: { hits: answers, total: totalBefore },
        },
      ]
    })
  },
}
