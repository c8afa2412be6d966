import type { Schemas } from '../client/client.ts'
import { CATEGORIES, ENGINE_IDS } from './names.ts'

/** The views of a site, in the order of the menu; each is a part of the path: `/sites/acme.com/visibility`. */
export const VIEW_NAMES = [
  'overview',
  'visibility',
  'prompts',
  'answers',
  'sources',
  'competitors',
  'tone',
  'crawlers',
  'visitors',
  'actions',
  'scan',
] as const
export type ViewName = (typeof VIEW_NAMES)[number]

/** What the filter bar says. All of it is in the URL, so that a link shows to others what one sees. */
export interface ViewState {
  readonly site: string
  readonly view: ViewName
  /** UTC days, `YYYY-MM-DD`, both included; empty: the last 28 days that have data. */
  readonly from: string
  readonly to: string
  /** `previous`: the days before, as many, weekdays aligned. */
  readonly compare: 'previous' | 'none'
  readonly engines: readonly Schemas['EngineId'][]
  readonly categories: readonly Schemas['Category'][]
  /** What else the view keeps in the URL: `by`, `metric`, `prompt`, `answer`, `entity`, … */
  readonly more: Readonly<Record<string, string>>
}

const LISTS = { engine: 'engines', category: 'categories' } as const
const OWN = new Set(['from', 'to', 'compare', 'engine', 'category'])
const DAY = /^[12]\d{3}-\d{2}-\d{2}$/

/** Reads a URL; what it doesn't say is the default, what it says wrongly is passed over. Undefined for a path that is no view. */
export function parseUrl({ pathname, search }: Pick<URL, 'pathname' | 'search'>): ViewState | undefined {
  const [, sites, site = '', view = 'overview', ...rest] = pathname.split('/')
  const name = VIEW_NAMES.find((known) => known === view)
  if (sites !== 'sites' || site === '' || name === undefined || rest.length > 0) return undefined
  const parameters = new URLSearchParams(search)
  const toDay = (parameter: string): string => {
    const day = parameters.get(parameter) ?? ''
    return DAY.test(day) && isDay(day) ? day : ''
  }
  const toList = <One extends string>(parameter: string, known: readonly One[]): One[] => {
    const named = new Set((parameters.get(parameter) ?? '').split(','))
    return known.filter((one) => named.has(one))
  }
  const [from, to] = [toDay('from'), toDay('to')]
  const isBackwards = from !== '' && to !== '' && from > to
  return {
    site: decode(site),
    view: name,
    from: isBackwards ? '' : from,
    to: isBackwards ? '' : to,
    compare: parameters.get('compare') === 'none' ? 'none' : 'previous',
    engines: toList('engine', ENGINE_IDS),
    categories: toList('category', CATEGORIES),
    more: Object.fromEntries([...parameters].filter(([parameter]) => !OWN.has(parameter))),
  }
}

/** Whether a day is in the calendar: 30 February is read as a day of March. */
function isDay(day: string): boolean {
  const read = new Date(day)
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day)
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The path and query of a state: what `parseUrl` reads back. Defaults are left out. */
export function toUrl(state: ViewState): string {
  const parameters = new URLSearchParams()
  if (state.from !== '') parameters.set('from', state.from)
  if (state.to !== '') parameters.set('to', state.to)
  if (state.compare === 'none') parameters.set('compare', 'none')
  for (const [parameter, field] of Object.entries(LISTS)) {
    if (state[field].length > 0) parameters.set(parameter, state[field].join(','))
  }
  for (const [parameter, value] of Object.entries(state.more)) {
    if (value !== '') parameters.set(parameter, value)
  }
  const query = parameters.toString().replaceAll('%2C', ',')
  return `${toViewPath(state.site, state.view)}${query === '' ? '' : `?${query}`}`
}

/** The page of a view of a site, with nothing chosen. */
export const toViewPath = (site: string, view: ViewName): string => `/sites/${encodeURIComponent(site)}/${view}`

/** The site that a URL is of: in its path, or, on a page of no site, the one that was looked at before. Empty where it says none. */
export function readSite({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const [, sites, site = ''] = pathname.split('/')
  return sites === 'sites' ? decode(site) : (new URLSearchParams(search).get('site') ?? '')
}

/** A page of no site, such as `/settings/access`, that remembers the site of the URL from which it is linked. */
export function toPageUrl(path: string, from: Pick<URL, 'pathname' | 'search'>): string {
  const site = readSite(from)
  return site === '' ? path : `${path}?site=${encodeURIComponent(site)}`
}

/** The same state with other values; a filter that goes stays out of the URL. */
export function withChange(state: ViewState, change: Partial<ViewState>): ViewState {
  return { ...state, ...change, more: { ...state.more, ...change.more } }
}

/** Another view of the same site and days, with the filters, without what only the old view knew. */
export function toView(state: ViewState, view: ViewName, more: Readonly<Record<string, string>> = {}): ViewState {
  return { ...state, view, more }
}
