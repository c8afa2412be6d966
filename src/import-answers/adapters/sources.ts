import type { CitationRecord } from '../../domain/answer.ts'
import type { JsonObject } from './json.ts'
import { isObject } from './json.ts'

/**
 * A link of a payload as a source. Undefined when there is no URL, and when the URL is one of Google's short-lived
 * grounding redirects and neither `domain` nor the title tells where it leads: it must not be filed under Google's host.
 */
export function toSource(url: unknown, title: unknown, domain?: unknown): CitationRecord | undefined {
  if (typeof url !== 'string') return undefined
  const source = typeof title === 'string' && title !== '' ? { url, title } : { url }
  if (!url.startsWith(GROUNDING_REDIRECT)) return source
  const target = toHost(domain) ?? toHost(title)
  return target === undefined ? undefined : { ...source, domain: target }
}

/** Sources of a list whose elements are URL strings or objects with `url` (or `urlKey`) and `title`, in the list's order. */
export function toSources(list: unknown, urlKey = 'url'): CitationRecord[] {
  return defined(toNumberedSources(list, urlKey))
}

/** The same with a gap where an element is no source, for lists to which a text refers by number. */
export function toNumberedSources(list: unknown, urlKey = 'url'): (CitationRecord | undefined)[] {
  if (!Array.isArray(list)) return []
  return list.map((each: unknown) =>
    isObject(each) ? toSource(each[urlKey], each['title'], each['domain']) : toSource(each, undefined),
  )
}

export function defined<T>(list: readonly (T | undefined)[]): T[] {
  return list.filter((each) => each !== undefined)
}

/** Sources that were read without being cited, each once; undefined when there are none. */
export function uncited(
  consulted: readonly CitationRecord[],
  cited: readonly CitationRecord[],
): readonly CitationRecord[] | undefined {
  if (consulted.length === 0) return undefined
  const seen = new Set(cited.map(linkOf))
  const rest: CitationRecord[] = []
  for (const source of consulted) {
    const link = linkOf(source)
    if (seen.has(link)) continue
    seen.add(link)
    rest.push(source)
  }
  return rest.length > 0 ? rest : undefined
}

/** All of `first`, then what `others` adds to it: for payloads that give the same source on two levels. */
export function merged(first: readonly CitationRecord[], others: readonly CitationRecord[]): CitationRecord[] {
  const named = new Set(first.map(linkOf))
  return [...first, ...others.filter((source) => !named.has(linkOf(source)))]
}

/** Whether a list in a payload gives at least one source. */
export function hasSources(json: JsonObject, key: string): boolean {
  const list = json[key]
  return Array.isArray(list) && list.length > 0
}

const GROUNDING_REDIRECT = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/'

/** OpenAI adds this to the links it cites and to none of those it only read. */
const OPENAI_TRACKING = /([?&])utm_source=openai(&|$)/

function linkOf(source: CitationRecord): string {
  return source.url.includes('utm_source=openai')
    ? source.url.replace(OPENAI_TRACKING, (_, before: string, after: string) => (after === '&' ? before : ''))
    : source.url
}

/** A title such as `acme.example` as a host; undefined for one that is words, a URL or a number. */
function toHost(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > 253 || !/^[^\s/:@?#]+\.[^\s/:@?#.\d][^\s/:@?#.]*$/.test(text.trim()))
    return undefined
  return text.trim().toLowerCase()
}
