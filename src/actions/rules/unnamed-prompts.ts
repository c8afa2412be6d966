import { CARD_ANSWERS_MIN } from '../../limits.ts'
import { countOwnAnswers, groupAnswers, listTracked, sumAnswers, toTargets } from '../own-answers.ts'
import type { Rule } from '../rule.ts'
import { daysTo, listing, quote, toCount } from '../wording.ts'

const PROMPTS_TAKEN = 5

/** Every week: work through the newest prompts that brought answers and no mention. */
export const unnamedPrompts: Rule = {
  name: 'unnamed_prompts',
  category: 'content',
  effort: 'medium',
  targetMetric: 'mention',
  cadence: 'weekly',
  async find(view) {
    const own = await countOwnAnswers(view, view.window)
    const unnamed = [...groupAnswers(listTracked(view, own), ({ prompt }) => prompt)]
      .map(([prompt, counts]) => ({ prompt, counts, ...sumAnswers(counts) }))
      .filter(({ named }) => named === 0)
      .toSorted((a, b) => b.prompt.promptNo - a.prompt.promptNo)
    const newest = unnamed.slice(0, PROMPTS_TAKEN)
    const answers = newest.reduce((sum, one) => sum + one.answers, 0)
    if (answers < CARD_ANSWERS_MIN) return []
    const counts = newest.map((one) => `${quote(one.prompt.text)} (${toCount(one.answers)} answers)`)
    return [
      {
        target: '',
        title: 'Work through the newest prompts without a mention',
        why: `In ${daysTo(view.window)}, ${toCount(unnamed.length)} tracked prompts brought answers and none named ${view.site.name}. The newest: ${listing(counts)}.`,
        detail:
          'Take one prompt after the other: read its answers, look at the sources they cite, and decide whether a page of yours answers it, needs a paragraph more, or is missing. ' +
          'Where the question is not yours to answer, disable the prompt.',
        ...toTargets(newest.flatMap(({ counts: slices }) => slices)),
        targetUrl: `https://${view.site.domain}/`,
        stake: { hits: answers, total: sumAnswers(own).answers },
      },
    ]
  },
}
