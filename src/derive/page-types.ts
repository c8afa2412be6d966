import type { PageType } from '../domain/enums.ts'
import { getLocaleCodes, listPageTypeRules, type PageTypeRule } from '../reference/page-types.ts'

/** Classes requested paths. Made once an import; remembers none of them, so a path is best asked about once. */
export interface PageTypeMatcher {
  /** The type of a path as requested, whatever its case, encoding, query or final slash; `other` when no rule matches. */
  find(path: string): PageType
}

/**
 * First match wins: the site's own rules in their order, on the path with its leading language code and without; then the
 * bundled rules, on the path without it (contract/api 5.13).
 */
export function createPageTypeMatcher(ownRules: readonly PageTypeRule[] = []): PageTypeMatcher {
  const findOwn = createRuleFinder(ownRules)
  const findBundled = createRuleFinder(listPageTypeRules())
  return {
    find(requested) {
      const path = normalizePath(requested)
      const withoutLocale = skipLocale(path)
      const own = ownRules.length === 0 ? undefined : toFirst(findOwn(path), findOwn(withoutLocale))
      return (own ?? findBundled(withoutLocale))?.pageType ?? 'other'
    },
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
  /** Place of its rule in the list. */
  readonly rank: number
  /** What stands between the stars, in order. */
  readonly pieces: readonly string[]
  readonly pageType: PageType
}

/** Finds the first rule that matches. Patterns that spell out a segment or an ending are only tried on paths that have it. */
function createRuleFinder(rules: readonly PageTypeRule[]): (path: string) => Pattern | undefined {
  const byKey = Map.groupBy(rules.flatMap(toPatterns), toKey)
  return (path) => {
    let first: Pattern | undefined
    for (const key of new Set(path.split('/')).add(toEnding(path))) {
      first = toFirst(
        first,
        byKey.get(key)?.find((pattern) => isMatch(pattern, path)),
      )
    }
    return first
  }
}

/** `/blog/*` is `/blog` too. */
function toPatterns({ pattern, pageType }: PageTypeRule, rank: number): Pattern[] {
  const spellings = pattern.length > 2 && pattern.endsWith('/*') ? [pattern.slice(0, -2), pattern] : [pattern]
  return spellings.map((spelling) => ({ rank, pieces: spelling.split('*'), pageType }))
}

/**
 * What is among the segments of every path that matches, or its ending: `blog` of `/blog/*`, `faq` of a last piece that is
 * `/faq`, `.css` of `*.css`. '' for `/pricing*`, and among the segments of every path.
 */
function toKey({ pieces }: Pattern): string {
  const whole = pieces.flatMap((piece, no) => piece.split('/').slice(1, no === pieces.length - 1 ? undefined : -1))
  return whole.find((segment) => segment !== '') ?? toEnding(pieces.at(-1) ?? '')
}

/** `.css` of `/a.b/style.css`. */
function toEnding(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot < 0 ? '' : path.slice(dot)
}

function toFirst(one: Pattern | undefined, other: Pattern | undefined): Pattern | undefined {
  return one !== undefined && (other === undefined || one.rank <= other.rank) ? one : other
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
