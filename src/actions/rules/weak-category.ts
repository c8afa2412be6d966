import type { CardCount } from '../../domain/action-card.ts'
import type { Category } from '../../domain/enums.ts'
import { CARD_ANSWERS_MIN } from '../../limits.ts'
import type { Interval } from '../../statistics/interval.ts'
import { toWilsonInterval } from '../../statistics/rate.ts'
import { type AnswerCounts, countOwnAnswers, groupAnswers, listTracked, sumAnswers, toTargets } from '../own-answers.ts'
import type { Finding, Rule, SiteView } from '../rule.ts'
import { isSignificantlyHigher } from '../two-proportions.ts'
import { daysTo, listing, ofTotal, quote, toCount, withInterval } from '../wording.ts'

/** How much lower than the best a category's coverage must be. */
const FAR_BELOW = 0.25
const PROMPTS_SHOWN = 3

/** Categories in which the share of prompts with a mention is far below that of the site's best category. */
export const weakCategory: Rule = {
  name: 'weak_category',
  category: 'content',
  effort: 'high',
  targetMetric: 'coverage',
  async find(view) {
    const own = await countOwnAnswers(view, view.window)
    const categories = toCategories(own)
    const best = categories.reduce<CategoryCoverage | undefined>(
      (most, one) => (most === undefined || isBetter(one, most) ? one : most),
      undefined,
    )
    if (best === undefined) return []
    /** Any of the categories could have been the best one, so all pairs count. */
    const comparisons = (categories.length * (categories.length - 1)) / 2
    const total = sumAnswers(own).answers
    return categories.flatMap((weak) => {
      const tracked = listTracked(view, weak.counts)
      const isFound =
        toShare(best.covered) - toShare(weak.covered) >= FAR_BELOW &&
        isSignificantlyHigher(best.covered, weak.covered, comparisons)
      if (!isFound || tracked.length === 0) return []
      const { answers, named } = sumAnswers(weak.counts)
      return [
        {
          ...describe(view, weak, best),
          ...toTargets(tracked),
          stake: { hits: answers - named, total },
        },
      ]
    })
  },
}

interface CategoryCoverage {
  readonly category: Category
  /** Prompts with a mention, of those with an answer. */
  readonly covered: CardCount
  readonly answers: number
  readonly counts: readonly AnswerCounts[]
}

/** Categories with enough answers. */
function toCategories(own: readonly AnswerCounts[]): CategoryCoverage[] {
  return [...groupAnswers(own, ({ prompt }) => prompt.category)].flatMap(([category, counts]) => {
    const { answers } = sumAnswers(counts)
    const prompts = [...groupAnswers(counts, ({ prompt }) => prompt.id).values()]
    const hits = prompts.filter((prompt) => sumAnswers(prompt).named > 0).length
    return answers < CARD_ANSWERS_MIN ? [] : [{ category, covered: { hits, total: prompts.length }, answers, counts }]
  })
}

const toShare = ({ hits, total }: CardCount): number => hits / total
/** Prompts are what coverage counts, so each is one observation. */
const toInterval = (covered: CardCount): Interval => toWilsonInterval(toShare(covered), covered.total)

/** Of two that are fully covered the one with more prompts says more. */
function isBetter(one: CategoryCoverage, other: CategoryCoverage): boolean {
  const difference = toShare(one.covered) - toShare(other.covered)
  return difference > 0 || (difference === 0 && one.covered.total > other.covered.total)
}

function describe(
  view: SiteView,
  { category, covered, answers, counts }: CategoryCoverage,
  best: CategoryCoverage,
): Pick<Finding, 'target' | 'title' | 'why' | 'detail' | 'targetUrl'> {
  const { site, window } = view
  const unnamed = [...groupAnswers(listTracked(view, counts), ({ prompt }) => prompt)]
    .map(([prompt, group]) => ({ prompt, ...sumAnswers(group) }))
    .filter(({ named }) => named === 0)
    .toSorted((a, b) => b.answers - a.answers || a.prompt.promptNo - b.prompt.promptNo)
    .slice(0, PROMPTS_SHOWN)
    .map(({ prompt }) => quote(prompt.text))
  return {
    target: category,
    title: `Get named for more ${category} prompts`,
    why:
      `In ${daysTo(window)}, ${site.name} was named at least once for ${withInterval(ofTotal(covered.hits, covered.total, `${category} prompt`), toInterval(covered))} in ${toCount(answers)} answers, ` +
      `for ${withInterval(ofTotal(best.covered.hits, best.covered.total, `${best.category} prompt`), toInterval(best.covered))} in ${toCount(best.answers)}.`,
    detail:
      `Plan content for this kind of question, a page for each prompt that has no mention yet: ${unnamed.length > 0 ? `${listing(unnamed)} first` : 'those with the fewest mentions first'}. ` +
      `Look at the sources that the answers cite, write what they leave out, and say where ${site.name} helps.`,
    targetUrl: `https://${site.domain}/`,
  }
}
