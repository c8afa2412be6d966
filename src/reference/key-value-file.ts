import { REJECTIONS_LISTED_MAX } from '../limits.ts'
import { CommandError } from '../errors.ts'

/** A file of keys with their values that an operator writes for a site, and how its entries are read. */
export interface KeyValueFile<T extends object> {
  /** What messages call the entries: `page-type rules`. */
  readonly what: string
  /** Names of the columns: `pattern`, `page_type`. */
  readonly key: string
  readonly value: string
  readonly entriesMax: number
  /** The entry of a pair, or the fault it has, as a sentence that says what to write instead. */
  read(key: string, value: string): T | string
}

/**
 * Reads lines of two words (white space or a comma between them; `#` starts a comment line; a first line with the columns'
 * names is skipped) or JSON (an array of objects with the columns as keys, also as `data` of an object, or one object that
 * maps the one to the other).
 * Order is kept. All faults, each with its line or entry, make one CommandError: such a file changes nothing.
 */
export function parseKeyValueFile<T extends object>(text: string, file: KeyValueFile<T>): readonly T[] {
  const content = text.replace(/^\uFEFF/, '')
  const pairs = /^\s*[[{]/.test(content) ? toJsonPairs(content, file) : toLinePairs(content, file)
  const faults: string[] = []
  const entries: T[] = []
  for (const { place, key, value } of pairs) {
    const entry =
      key === undefined || value === undefined ? `write ${file.key} and ${file.value}` : file.read(key, value)
    if (typeof entry === 'string') faults.push(`${place}: ${entry}`)
    else entries.push(entry)
  }
  if (entries.length > file.entriesMax) faults.unshift(`${entries.length} entries; keep it to ${file.entriesMax}`)
  if (faults.length > 0) throw toError(file.what, faults)
  return entries
}

interface Pair {
  /** `line 3`; `entry 3` of JSON. */
  readonly place: string
  /** Undefined where the place doesn't hold exactly two texts. */
  readonly key: string | undefined
  readonly value: string | undefined
}

function toLinePairs(
  text: string,
  { key: keyName, value: valueName }: { key: string; value: string },
): readonly Pair[] {
  const pairs = text.split('\n').flatMap((line, index): Pair[] => {
    const words = line.trim().split(/\s*,\s*|\s+/)
    if (words[0] === '' || words[0]?.startsWith('#')) return []
    const [key, value] = words.length === 2 ? words : []
    return [{ place: `line ${index + 1}`, key, value }]
  })
  const isHeader = pairs[0]?.key === keyName && pairs[0].value === valueName
  return isHeader ? pairs.slice(1) : pairs
}

function toJsonPairs(
  text: string,
  { what, key, value }: { what: string; key: string; value: string },
): readonly Pair[] {
  const content = readJson(text, what)
  const list = isObject(content) && Array.isArray(content['data']) ? content['data'] : content
  const pairs: readonly (readonly [unknown, unknown])[] = Array.isArray(list)
    ? list.map((entry: unknown) => (isObject(entry) ? [entry[key], entry[value]] : [undefined, undefined]))
    : Object.entries(isObject(list) ? list : {})
  return pairs.map(([key, value], index) => ({ place: `entry ${index + 1}`, key: toText(key), value: toText(value) }))
}

function readJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw toError(what, [`the file is no valid JSON (${error instanceof Error ? error.message : ''})`])
  }
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toError(what: string, faults: readonly string[]): CommandError {
  const listed = faults.slice(0, REJECTIONS_LISTED_MAX)
  const rest = faults.length > listed.length ? [`and ${faults.length - listed.length} more`] : []
  return new CommandError(`The ${what} were refused and nothing was changed:`, { faults: [...listed, ...rest] })
}
