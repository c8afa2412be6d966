import { decodeHTML } from 'entities'
import { CommandError } from '../errors.ts'
import { RANGE_PREFIX_BITS_MIN, RANGE_PREFIXES_MAX } from '../log-limits.ts'
import { type AddressRange, parsePrefix } from './addresses.ts'

/** Where the text came from: what messages call it, and whether its ranges stand in the text of a web page. */
export interface DocumentOrigin {
  /** A file name or URL. */
  readonly name: string
  readonly isPage?: boolean
}

/**
 * The prefixes of a document of address ranges as providers publish them: `{"prefixes": [{"ipv4Prefix"} | {"ipv6Prefix"}]}` and
 * its variants (`ip_prefix`, `ip_address`, plain texts, a bare array, lone addresses without a mask), also as JSON inside the
 * `<pre>` or `<code>` of a web page; with `isPage`, the addresses in the text of a page that has no such JSON.
 * Gives each prefix once, in its one spelling (`192.0.2.0/24`), in the document's order. A document with a single fault, or
 * without any prefix, is a CommandError that names the entry (contract/logs 11).
 */
export function parseRangesDocument(text: string, origin: DocumentOrigin): readonly string[] {
  const clean = text.replace(ZERO_WIDTH, '').trim()
  const content = clean.startsWith('<') ? readPage(clean, origin) : readJson(clean)
  const entries = findEntries(content)
  if (entries === undefined)
    throw new CommandError(`${origin.name}: no list of address ranges; it must be JSON like ${SHAPE}.`)
  if (entries.length > RANGE_PREFIXES_MAX)
    throw new CommandError(`${origin.name}: ${entries.length} prefixes; at most ${RANGE_PREFIXES_MAX} are taken.`)
  const prefixes = new Set(entries.flatMap((entry) => readEntry(entry, origin)))
  if (prefixes.size === 0) throw new CommandError(`${origin.name}: the list of address ranges is empty.`)
  return [...prefixes]
}

/** Bing's document has had U+200B inside a prefix. */
const ZERO_WIDTH = /[\u200B-\u200D\u2060\uFEFF]/g

const SHAPE = '{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}'

const LIST_KEYS = ['prefixes', 'ipv6_prefixes', 'ips']
const PREFIX_KEYS = ['ipv4Prefix', 'ipv6Prefix', 'ip_prefix', 'ipv6_prefix', 'ip_address']

interface Entry {
  /** `prefixes[3]` */
  readonly place: string
  readonly value: unknown
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The lists of a document, or undefined when it holds none. */
function findEntries(content: unknown): Entry[] | undefined {
  if (Array.isArray(content)) return toEntries('entry', content)
  if (!isObject(content)) return undefined
  const lists = LIST_KEYS.flatMap((key) => (Array.isArray(content[key]) ? [toEntries(key, content[key])] : []))
  return lists.length === 0 ? undefined : lists.flat()
}

function toEntries(list: string, values: readonly unknown[]): Entry[] {
  return values.map((value, index) => ({ place: `${list}[${index}]`, value }))
}

function readEntry({ place, value }: Entry, origin: DocumentOrigin): string[] {
  const found = isObject(value) ? PREFIX_KEYS.flatMap((key) => (key in value ? [value[key]] : [])) : [value]
  const prefixes = found.flatMap((text) =>
    typeof text === 'string' ? (parsePrefix(text.replace(ZERO_WIDTH, '')) ?? []) : [],
  )
  if (found.length === 0 || prefixes.length < found.length)
    throw new CommandError(
      `${origin.name}: ${place}: ${quote(value)} is no address range. Correct it, or take the provider's document again.`,
    )
  for (const range of prefixes) {
    if (isTooWide(range))
      throw new CommandError(
        `${origin.name}: ${place}: ${range.prefix} is too wide to tell a bot by: at least /${RANGE_PREFIX_BITS_MIN.ipv4} is taken, for IPv6 /${RANGE_PREFIX_BITS_MIN.ipv6}.`,
      )
  }
  return prefixes.map(({ prefix }) => prefix)
}

function isTooWide({ prefix, first }: AddressRange): boolean {
  const bits = Number(prefix.slice(prefix.indexOf('/') + 1))
  return bits < RANGE_PREFIX_BITS_MIN[typeof first === 'number' ? 'ipv4' : 'ipv6']
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

function readPage(page: string, { isPage }: DocumentOrigin): unknown {
  for (const tag of ['pre', 'code']) {
    for (const block of toBlocks(page, tag)) {
      const content = readJson(toText(block))
      if (findEntries(content) !== undefined) return content
    }
  }
  if (!isPage) return undefined
  const words = toText(page, ' ').split(/[\s,;]+/)
  return words.filter((word) => {
    const range = parsePrefix(word)
    return range !== undefined && !isTooWide(range)
  })
}

/** What stands between `<tag …>` and `</tag>`; by search, since an expression would be quadratic in unclosed tags. */
function toBlocks(page: string, tag: string): string[] {
  const blocks: string[] = []
  const lowerCase = page.toLowerCase()
  let start = lowerCase.indexOf(`<${tag}`)
  while (start >= 0) {
    const end = lowerCase.indexOf(`</${tag}`, start)
    if (end < 0) break
    blocks.push(page.slice(start, end))
    start = lowerCase.indexOf(`<${tag}`, end)
  }
  return blocks
}

function toText(markup: string, separator = ''): string {
  return decodeHTML(markup.replace(/<[^<>]*>/g, separator)).replace(ZERO_WIDTH, '')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
