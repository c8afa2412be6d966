import { CARD_ANSWERS_MIN } from '../../limits.ts'
import { countOwnAnswers, groupAnswers, listTracked, sumAnswers, toTargets } from '../own-answers.ts'
import type { Rule } from '../rule.ts'
import { isSignificantlyMore } from '../two-proportions.ts'
import { daysTo, ofTotal, quote, toCount } from '../wording.ts'

/** From more than this share on, answers are mostly negative. */
const MOSTLY = 0.5

/** Where less than this share of the answers naming the brand is judged, the judged ones may not be like the others. */
const JUDGED_MIN = 0.5

/** Prompts whose judged answers describe the brand negatively where they name it, mostly and more often than positively. */
export const negativeAnswers: Rule = {
  name: 'negative_answers',
  category: 'reviews',
  effort: 'medium',
  targetMetric: 'mention',
  async find(view) {
    const own = await countOwnAnswers(view, view.window)
    const rows = await view.reports.sentiment(view.window, {
      group_by: ['prompt'],
      metrics: ['positive_answers', 'negative_answers', 'judged_answers'],
    })
    const judged = rows.flatMap((row) => {
      const { positive_answers: positive = 0, negative_answers: negative = 0, judged_answers: total = 0 } = row
      const prompt = view.prompts.get(row.prompt?.id ?? '')
      const isEnough = total >= CARD_ANSWERS_MIN && total >= JUDGED_MIN * row.answers_mentioning
      return prompt?.status === 'active' && isEnough ? [{ prompt, negative, positive, total }] : []
    })
    const named = sumAnswers(own).named
    const tracked = groupAnswers(listTracked(view, own), ({ prompt }) => prompt.id)
    return judged
      .filter(
        ({ negative, positive, total }) =>
          negative > MOSTLY * total && isSignificantlyMore(negative, positive, judged.length),
      )
      .flatMap(({ prompt, negative, positive, total }) => {
        const targets = tracked.get(prompt.id)
        if (targets === undefined) return []
        return [
          {
            target: prompt.id,
            title: `Answer the criticism in ${quote(prompt.text)}`,
            why: `In ${daysTo(view.window)}, ${ofTotal(negative, total, 'judged answer')} to this prompt that name ${view.site.name} describe it negatively, ${toCount(positive)} positively.`,
            detail:
              'Read the answers and the sources they cite, and list what is criticised. Answer it where it stands: reply to reviews and threads, ask satisfied customers to add theirs, ' +
              'correct what is wrong or out of date, and say on a page of your own what you have changed since.',
            ...toTargets(targets),
            targetUrl: `https://${view.site.domain}/`,
            stake: { hits: negative, total: named },
          },
        ]
      })
  },
}
