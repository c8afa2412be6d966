import type { CardCount } from '../../domain/action-card.ts'
import type { EngineId } from '../../domain/enums.ts'
import { CARD_ANSWERS_MIN } from '../../limits.ts'
import { listEngines } from '../../reference/engines.ts'
import {
  type Cell,
  type Change,
  compareRates,
  PROMPTS_MIN,
  PROMPTS_OF_T,
  ROUNDING,
  type Sums,
} from '../../reports/changes/change.ts'
import {
  type AnswerCounts,
  countOwnAnswers,
  groupAnswers,
  listTracked,
  sumAnswers,
  toPromptRate,
  toTargets,
} from '../own-answers.ts'
import type { Rule, SiteView } from '../rule.ts'
import type { Rate } from '../../statistics/rate.ts'
import { toSignFlipPValue } from '../../statistics/sign-flip.ts'
import type { StudentT } from '../../statistics/student-t.ts'
import { isSignificantlyHigher, SIGNIFICANCE_LEVEL } from '../two-proportions.ts'
import { daysTo, inPoints, listing, ofTotal, toCount, withInterval } from '../wording.ts'

/** A mention rate that is not even a tenth lower than elsewhere is no reason to act, however certain. */
const RATIO_MAX = 0.9
const DOMAINS_SHOWN = 3

/** Engines that name the brand significantly less than the other engines together do, prompt by prompt. */
export const weakEngine: Rule = {
  name: 'weak_engine',
  category: 'content',
  effort: 'high',
  targetMetric: 'mention',
  async find(view) {
    const own = await countOwnAnswers(view, view.window)
    const engines = [...groupAnswers(own, ({ platform }) => platform)]
      .map(([platform, counts]) => ({ platform, counts, ...sumAnswers(counts) }))
      .filter(({ answers }) => answers >= CARD_ANSWERS_MIN)
    const weak = engines.flatMap((engine) => {
      const others = own.filter(({ platform }) => platform !== engine.platform)
      const elsewhere = sumAnswers(others)
      const compared = elsewhere.answers >= CARD_ANSWERS_MIN ? compareRates(toCells(engine.counts, others)) : null
      const tracked = listTracked(view, engine.counts)
      if (compared === null || tracked.length === 0 || compared.value > RATIO_MAX * compared.previous) return []
      const p = toDifferencePValue(compared, view.studentT)
      const isFound =
        p !== null &&
        p < SIGNIFICANCE_LEVEL / engines.length &&
        // Where a brand is named in a handful of answers, prompts seem to agree by chance: the counts must say the same.
        isSignificantlyHigher(toNamed(elsewhere), toNamed(engine), engines.length)
      return isFound ? [{ ...engine, others, tracked, compared }] : []
    })
    return Promise.all(
      weak.map(async ({ platform, counts, others, tracked, compared }) => {
        const here = toNamedRate(counts, view)
        const elsewhere = toNamedRate(others, view)
        const engine = listEngines().find(({ id }) => id === platform)?.name ?? platform
        const sources = await listSources(view, platform)
        return {
          target: platform,
          title: `Get named by ${engine}`,
          why:
            `In ${daysTo(view.window)}, ${engine} named ${view.site.name} in ${withInterval(ofTotal(here.hits, here.answers, 'answer'), here.interval)}, ` +
            `the other engines in ${withInterval(`${toCount(elsewhere.hits)} of ${toCount(elsewhere.answers)}`, elsewhere.interval)}; ` +
            `over the ${toCount(compared.prompts.length)} prompts asked on both that is a difference of ${inPoints(compared.change)}.`,
          detail:
            `Find out where ${engine} takes its answers from and be there. ` +
            (sources.length > 0
              ? `It cites ${listing(sources)} most: get ${view.site.name} onto the pages that it cites there. `
              : '') +
            'Check that its crawler may read your pages, and compare its answers with those of the other engines prompt by prompt.',
          ...toTargets(tracked),
          targetUrl: `https://${view.site.domain}/`,
          stake: { hits: here.answers - here.hits, total: sumAnswers(own).answers },
        }
      }),
    )
  },
}

const toNamed = ({ answers: total, named: hits }: { readonly answers: number; readonly named: number }): CardCount => ({
  hits,
  total,
})

const toNamedRate = (counts: readonly AnswerCounts[], { studentT }: SiteView): Rate =>
  toPromptRate(
    counts.map((count) => ({ ...count, hits: count.named })),
    studentT,
  )

/** Each prompt on the other engines together (`previous`) and on this one (`current`). */
function toCells(here: readonly AnswerCounts[], others: readonly AnswerCounts[]): readonly Cell[] {
  const toSums = (counts: readonly AnswerCounts[]): Sums => {
    const { answers: n, named: s } = sumAnswers(counts)
    return { n, s }
  }
  const elsewhere = groupAnswers(others, ({ prompt }) => prompt.id)
  return [...groupAnswers(here, ({ prompt }) => prompt.id)].map(([prompt, counts]) => ({
    prompt,
    previous: toSums(elsewhere.get(prompt) ?? []),
    current: toSums(counts),
  }))
}

/**
 * How often chance alone brings as large a difference over the same prompts: null with too few of them (docs/methods.md 5
 * and 6).
 */
function toDifferencePValue({ change, variance, df, prompts }: Change, studentT: StudentT): number | null {
  if (variance === null || prompts.length < PROMPTS_MIN) return null
  const deviation = Math.sqrt(variance)
  if (deviation < ROUNDING) return Math.abs(change) < ROUNDING ? 1 : 0
  if (prompts.length < PROMPTS_OF_T) return toSignFlipPValue(prompts.map(({ part }) => part))
  return studentT.toPValue(change / deviation, df)
}

/** The third-party domains that the engine cites in most answers. */
async function listSources({ reports, window }: SiteView, platform: EngineId): Promise<readonly string[]> {
  const rows = await reports.citations(
    window,
    {
      entity: 'domain',
      group_by: [],
      metrics: ['answers'],
      filter: {
        and: [
          { field: 'platform', op: 'is', value: platform },
          { field: 'owner', op: 'is', value: 'third_party' },
        ],
      },
    },
    DOMAINS_SHOWN,
  )
  return rows.flatMap(({ domain }) => (domain === undefined ? [] : [domain]))
}
