import type { PageType } from '../domain/enums.ts'
import { getLocaleCodes, listPageTypeRules, type PageTypeRule } from '../reference/page-types.ts'
import { memoize } from './memo.ts'

/** Classes requested paths. Made once an import; remembers what it found for each distinct path. */
export interface PageTypeMatcher {
  /** The type of a path as requested, whatever its case, encoding, query or final slash; `other` when no rule matches. */
  find(path: string): PageType
}

/**
 * First match wins: the site's own rules in their order, on the path with its leading language code and without; then the
 * bundled rules, on the path without it (decisions.md 5.9).
 */
export function createPageTypeMatcher(ownRules: readonly PageTypeRule[] = []): PageTypeMatcher {
  const own = ownRules.flatMap(toPatterns)
  const bundled = listPageTypeRules().flatMap(toPatterns)
  return {
    find: memoize((requested) => {
      const path = normalizePath(requested)
      const withoutLocale = skipLocale(path)
      const rule =
        own.find((pattern) => isMatch(pattern, path) || isMatch(pattern, withoutLocale)) ??
        bundled.find((pattern) => isMatch(pattern, withoutLocale))
      return rule?.pageType ?? 'other'
    }),
  }
}

/**
 * What rules compare: no scheme and host, query, fragment or `;jsessionid`; percent-decoded once where that is valid; lower
 * case; one slash where there are several, one in front, none at the end.
 */
function normalizePath(requested: string): string {
  const path = requested.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  const plain = decode(path)
    .toLowerCase()
    .replace(/;jsessionid=[^/]*/g, '')
  return `/${plain}`.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/s, '')
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const LOCALE = /^(?:\/intl)?\/([a-z]{2})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?=\/|$)/

/** `/de`, `/en-us/pricing`, `/zh-hans/docs`, `/intl/de`: only where each part is a real code, so `/lp` and `/go` stay. */
function skipLocale(path: string): string {
  const [prefix, language = '', script, region] = LOCALE.exec(path) ?? []
  if (prefix === undefined) return path
  const { languages, scripts, regions } = getLocaleCodes()
  const isReal =
    languages.has(language) &&
    (script === undefined || scripts.has(script)) &&
    (region === undefined || /^\d/.test(region) || regions.has(region))
  return isReal ? path.slice(prefix.length) || '/' : path
}

interface Pattern {
  /** What stands between the stars, in order. */
  readonly pieces: readonly string[]
  readonly pageType: PageType
}

/** `/blog/*` is `/blog` too. */
function toPatterns({ pattern, pageType }: PageTypeRule): Pattern[] {
  const spellings = pattern.length > 2 && pattern.endsWith('/*') ? [pattern.slice(0, -2), pattern] : [pattern]
  return spellings.map((spelling) => ({ pieces: spelling.split('*'), pageType }))
}

/** By search from left to right: an expression with several stars takes a power of the length of a hostile path. */
function isMatch({ pieces }: Pattern, path: string): boolean {
  const first = pieces[0] ?? ''
  if (pieces.length === 1) return path === first
  const last = pieces.at(-1) ?? ''
  if (!path.startsWith(first)) return false
  let from = first.length
  for (const piece of pieces.slice(1, -1)) {
    const at = path.indexOf(piece, from)
    if (at < 0) return false
    from = at + piece.length
  }
  return path.length - last.length >= from && path.endsWith(last)
}
