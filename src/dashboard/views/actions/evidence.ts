import type { Schemas } from '../../../client/client.ts'
import { addDays, type DayRange } from '../../days.ts'
import { CATEGORIES } from '../../names.ts'
import { toUrl, toView, type ViewName, type ViewState } from '../../url-state.ts'

/** A piece of a card's reason; with `href` a count that leads to the report that shows it. */
export interface Piece {
  readonly text: string
  readonly href?: string
}

type Card = Schemas['ActionCard']

const COUNT = /\b\d[\d,]* of \d[\d,]*(?: (?:judged )?(?:answers?|hits?|days?|[A-Z][\w-]* prompts?))?/g
const DAYS_TO = /the (\d+) days to (\d{4}-\d{2}-\d{2})/g

/** The reason of a card with its counts as links: to the view, with the filters and days that show them. */
export function toPieces(text: string, card: Card, state: ViewState, allEngines: number): readonly Piece[] {
  const ranges = [...text.matchAll(DAYS_TO)].map((match) => ({
    at: match.index,
    range: toDaysUntil(Number(match[1]), match[2] ?? ''),
  }))
  const pieces: Piece[] = []
  let from = 0
  const counts = [...text.matchAll(COUNT)]
  for (const [index, match] of counts.entries()) {
    const end = match.index + match[0].length
    const until = counts[index + 1]?.index ?? text.length
    // The days stand behind the count that they are of, or before all of them.
    const range =
      ranges.find(({ at }) => at >= end && at < until)?.range ?? ranges.findLast(({ at }) => at < match.index)?.range
    if (match.index > from) pieces.push({ text: text.slice(from, match.index) })
    pieces.push({ text: match[0], href: toUrl(toEvidenceView(match[0], card, { state, range, text, allEngines })) })
    from = end
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces
}

/** The view of what a card is measured on, over these days. */
export function toMeasuredView(card: Card, state: ViewState, range: DayRange, allEngines: number): string {
  return toUrl(toEvidenceView('answers', card, { state, range, text: '', allEngines }))
}

const toDaysUntil = (days: number, to: string): DayRange => ({ start_date: addDays(to, 1 - days), end_date: to })

interface Where {
  readonly state: ViewState
  readonly range: DayRange | undefined
  readonly text: string
  readonly allEngines: number
}

function toEvidenceView(count: string, card: Card, { state, range, text, allEngines }: Where): ViewState {
  const { target_prompts, target_platforms, target_metric, target_url, category } = card
  const [prompt] = target_prompts
  const engines = target_platforms.length < allEngines ? target_platforms : []
  const days = { from: range?.start_date ?? '', to: range?.end_date ?? '' }
  const named = CATEGORIES.filter((one) => count.includes(one))
  const categories = named.length > 0 ? named : CATEGORIES.filter((one) => text.includes(`to ${one} prompts`))
  const show = (view: ViewName, more: Readonly<Record<string, string>> = {}): ViewState => ({
    ...toView(state, view, more),
    ...days,
    engines,
    categories,
  })
  if (count.endsWith('hits') || count.endsWith('hit')) {
    return { ...show('crawlers', { path: toPath(target_url) }), engines: [], categories: [] }
  }
  if (/ days?$/.test(count)) return { ...show('crawlers'), engines: [], categories: [] }
  if (category === 'reviews' && prompt !== undefined) {
    return show('answers', { prompt: prompt.id, ...(count.includes('judged') ? { tone: 'negative' } : {}) })
  }
  if (target_prompts.length === 1 && prompt !== undefined) return show('answers', { prompt: prompt.id })
  if (target_metric === 'citation') return show('sources', { entity: 'page', find: toFind(target_url) })
  return show('visibility', { metric: target_metric === 'coverage' ? 'prompt_coverage' : 'mention_rate' })
}

/** As the log has it, which the URL repeats byte for byte. */
const toPath = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '') || '/'

/** The end of the host, which its registrable domain has too: what the list of sources can be searched for. */
function toFind(url: string): string {
  const [, host = ''] = /^https?:\/\/([^/:]+)/.exec(url) ?? []
  return host.split('.').slice(-2).join('.')
}
