import type { CardCount } from '../../domain/action-card.ts'
import type { Prompt } from '../../domain/prompt.ts'
import { CARD_ANSWERS_MIN, FILTER_VALUES_MAX } from '../../limits.ts'
import type { VisibilityRow } from '../../reports/visibility/contract.ts'
import type { Interval } from '../../statistics/interval.ts'
import { countOwnAnswers, groupAnswers, listTracked, sumAnswers, toHits, toTargets } from '../own-answers.ts'
import type { Finding, Rule, SiteView } from '../rule.ts'
import { isSignificantlyMore } from '../two-proportions.ts'
import { daysTo, listing, ofTotal, quote, toCount, withInterval } from '../wording.ts'

/** Share of a prompt's answers from which a competitor counts as named often. */
const OFTEN = 0.2
const COMPETITORS_SHOWN = 3

/** Prompts whose answers name a confirmed competitor often and the own brand never. */
export const competitorsNamed: Rule = {
  name: 'competitors_named',
  category: 'content',
  effort: 'medium',
  targetMetric: 'mention',
  async find(view) {
    const own = await countOwnAnswers(view, view.window)
    const rows = await view.reports.visibility(view.window, {
      group_by: ['prompt'],
      brands: 'all',
      metrics: ['mention_rate', 'answers'],
    })
    const prompts = toPrompts(view, rows)
    const comparisons = prompts.reduce((sum, { competitors }) => sum + competitors.length, 0)
    const total = sumAnswers(own).answers
    const tracked = groupAnswers(listTracked(view, own), ({ prompt }) => prompt.id)
    const found = prompts
      .filter(({ named, competitors: [most] }) => {
        return (
          named.hits === 0 &&
          most !== undefined &&
          most.count.hits >= OFTEN * most.count.total &&
          isSignificantlyMore(most.count.hits, named.hits, comparisons)
        )
      })
      .filter(({ prompt }) => tracked.has(prompt.id))
    const intervals = await askIntervals(view, found)
    return found.map((one) => ({
      ...describe(view, one, intervals),
      ...toTargets(tracked.get(one.prompt.id) ?? []),
      stake: { hits: one.named.total, total },
    }))
  },
}

interface NamedBrand {
  readonly name: string
  readonly count: CardCount
}

interface PromptBrands {
  readonly prompt: Prompt
  readonly named: CardCount
  /** The most named first. */
  readonly competitors: readonly NamedBrand[]
}

/** Active prompts with enough answers. */
function toPrompts(view: SiteView, rows: readonly VisibilityRow[]): PromptBrands[] {
  const byPrompt = Map.groupBy(rows, (row) => row.prompt?.id ?? '')
  return [...byPrompt].flatMap(([id, brands]) => {
    const prompt = view.prompts.get(id)
    const total = brands[0]?.answers ?? 0
    if (prompt?.status !== 'active' || total < CARD_ANSWERS_MIN) return []
    const toNamed = ({ brand, mention_rate = 0 }: VisibilityRow): NamedBrand => ({
      name: brand.name,
      count: { hits: toHits(mention_rate, total), total },
    })
    const own = brands.find(({ brand }) => brand.owned)
    const competitors = brands.filter(({ brand }) => !brand.owned).map(toNamed)
    return [
      {
        prompt,
        named: { hits: toHits(own?.mention_rate ?? 0, total), total },
        competitors: competitors.toSorted((a, b) => b.count.hits - a.count.hits || (a.name < b.name ? -1 : 1)),
      },
    ]
  })
}

/** Of prompts (`prompt`) and brands (`brand`, '' for the own one), by both. */
type Intervals = ReadonlyMap<string, Interval>
const toKey = (promptId: string, brand: string): string => `${promptId} ${brand}`

async function askIntervals({ reports, window }: SiteView, found: readonly PromptBrands[]): Promise<Intervals> {
  if (found.length === 0) return new Map()
  const rows = await reports.visibility(window, {
    group_by: ['prompt'],
    brands: 'all',
    metrics: ['mention_rate_low', 'mention_rate_high'],
    filter: { field: 'prompt', op: 'in', value: found.slice(0, FILTER_VALUES_MAX).map(({ prompt }) => prompt.id) },
  })
  return new Map(
    rows.flatMap(({ prompt, brand, mention_rate_low: low, mention_rate_high: high }) => {
      const key = toKey(prompt?.id ?? '', brand.owned ? '' : brand.name)
      return typeof low === 'number' && typeof high === 'number' ? [[key, { low, high }] as const] : []
    }),
  )
}

function describe(
  { site, window }: SiteView,
  { prompt, named, competitors }: PromptBrands,
  intervals: Intervals,
): Pick<Finding, 'target' | 'title' | 'why' | 'detail' | 'targetUrl'> {
  const shown = competitors.filter(({ count }) => count.hits > 0).slice(0, COMPETITORS_SHOWN)
  const toInterval = (brand: string): Interval | null => intervals.get(toKey(prompt.id, brand)) ?? null
  const counts = shown.map(({ name, count }) => withInterval(`${name} in ${toCount(count.hits)}`, toInterval(name)))
  return {
    target: prompt.id,
    title: `Get named for ${quote(prompt.text)}`,
    why: `In ${daysTo(window)}, ${site.name} was named in ${withInterval(ofTotal(0, named.total, 'answer'), toInterval(''))} to this prompt, ${listing(counts)}.`,
    detail:
      `Publish a page, or extend one, that answers this question as it is asked: say in the first paragraph for whom ${site.name} is the right choice, ` +
      `compare it with ${listing(shown.map(({ name }) => name))} in a table that can be quoted, give numbers and their sources, ` +
      'and link to the page from those that the engines cite already.',
    targetUrl: `https://${site.domain}/`,
  }
}
