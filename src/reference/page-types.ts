import * as v from 'valibot'
import content from '../../data/page_types.json' with { type: 'json' }
import { PAGE_TYPES, type PageType } from '../domain/enums.ts'
import { OWN_PAGE_TYPE_RULES_MAX, OWN_PATTERN_CHARACTERS_MAX } from '../limits.ts'
import { HEAD, parseCatalogue, SOURCED } from './catalogue.ts'
import { parseKeyValueFile } from './key-value-file.ts'

/** One rule of an ordered list: the first whose pattern matches a path decides its type. */
export interface PageTypeRule {
  /** Begins with `/` or `*`; `*` is any run of characters, and a final `/*` is also the path before it. */
  readonly pattern: string
  readonly pageType: PageType
}

/** Codes of the leading segment that is skipped: `de`, `en-us`, `zh-hans-cn`. Lower-case. */
export interface LocaleCodes {
  readonly languages: ReadonlySet<string>
  readonly scripts: ReadonlySet<string>
  readonly regions: ReadonlySet<string>
}

const codes = (length: number) => v.array(v.pipe(v.string(), v.length(length), v.regex(/^[a-z]+$/)))

const pageTypeFile = v.strictObject({
  ...HEAD,
  locales: v.strictObject({ languages: codes(2), scripts: codes(4), regions: codes(2), ...SOURCED }),
  rules: v.array(
    v.strictObject({
      page_type: v.picklist(PAGE_TYPES),
      patterns: v.pipe(v.array(v.pipe(v.string(), v.regex(/^[/*][^\s?#A-Z]*$/))), v.minLength(1)),
      ...SOURCED,
    }),
  ),
})

const file = parseCatalogue('page_types.json', pageTypeFile, content)

const RULES: readonly PageTypeRule[] = file.rules.flatMap(({ page_type, patterns }) =>
  patterns.map((pattern) => ({ pattern, pageType: page_type })),
)

const LOCALES: LocaleCodes = {
  languages: new Set(file.locales.languages),
  scripts: new Set(file.locales.scripts),
  regions: new Set(file.locales.regions),
}

/** The bundled rules in their order (contract/api 5.13); a site's own go before them. */
export function listPageTypeRules(): readonly PageTypeRule[] {
  return RULES
}

/** Languages, scripts and regions that a path may begin with, in lower case, as in `/en-gb/pricing`. */
export function getLocaleCodes(): LocaleCodes {
  return LOCALES
}

/**
 * A site's own rules from the file of `sites page-types SITE FILE`: lines of `PATTERN PAGE_TYPE`, or JSON of `pattern` and
 * `page_type` (docs/catalogues.md). Patterns come back as paths are compared: decoded, lower case, no final slash.
 * An empty file gives none. Throws a CommandError that lists every fault with its line.
 */
export function parsePageTypeRules(text: string): readonly PageTypeRule[] {
  const seen = new Set<string>()
  return parseKeyValueFile<PageTypeRule>(text, {
    what: 'page-type rules',
    key: 'pattern',
    value: 'page_type',
    entriesMax: OWN_PAGE_TYPE_RULES_MAX,
    read(written, value) {
      const pageType = PAGE_TYPES.find((type) => type === value)
      const pattern = normalizePattern(written)
      if (!/^[/*]/.test(pattern)) return `${written}: begin the pattern with / or *`
      if (/[?#]/.test(pattern)) return `${written}: a path ends before ? and #; leave them out`
      if (pattern.length > OWN_PATTERN_CHARACTERS_MAX)
        return `keep the pattern to ${OWN_PATTERN_CHARACTERS_MAX} characters`
      if (pageType === undefined) return `${value}: use one of ${PAGE_TYPES.join(', ')}`
      if (seen.has(pattern)) return `${written} stands above already, and the first match decides; remove one`
      seen.add(pattern)
      return { pattern, pageType }
    },
  })
}

function normalizePattern(written: string): string {
  return decode(written)
    .toLowerCase()
    .replace(/(?<=[^/])\/+$/, '')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
