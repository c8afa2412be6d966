import { CARD_ANSWERS_MIN } from '../../limits.ts'
import { countOwnAnswers, listTracked, sumAnswers, toTargets } from '../own-answers.ts'
import { listOwnPages, toSliceKey } from '../own-pages.ts'
import type { Rule } from '../rule.ts'
import { daysTo, listing, ofTotal, toCount, toPageName } from '../wording.ts'

const PAGES_SHOWN = 5

/** Every month: keep the own pages that answers cite most up to date. */
export const refreshPages: Rule = {
  name: 'refresh_pages',
  category: 'pages',
  effort: 'low',
  targetMetric: 'citation',
  cadence: 'monthly',
  async find(view) {
    const own = await countOwnAnswers(view, view.window)
    const { answers: total, cited } = sumAnswers(own)
    const pages = (await listOwnPages(view, view.window)).slice(0, PAGES_SHOWN)
    const [first] = pages
    const tracked = listTracked(view, own).filter(({ prompt, platform }) =>
      pages.some(({ slices }) => slices.has(toSliceKey(prompt.id, platform))),
    )
    if (first === undefined || total < CARD_ANSWERS_MIN || tracked.length === 0) return []
    const counts = pages.map(
      ({ url, answers }, index) =>
        `${toPageName(url)} (${index === 0 ? ofTotal(answers, total, 'answer') : toCount(answers)})`,
    )
    return [
      {
        target: '',
        title: 'Refresh the pages that are cited most',
        why: `Cited most in ${daysTo(view.window)}: ${listing(counts)}.`,
        detail:
          'Go through these pages once a month: facts, prices, names and dates as they are today, a date of change that readers and crawlers can see, ' +
          'a short summary at the top, and an answer to what people have begun to ask.',
        ...toTargets(tracked),
        targetUrl: first.url,
        stake: { hits: cited, total },
      },
    ]
  },
}
