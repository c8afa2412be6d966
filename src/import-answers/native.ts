import type { AnswerRecord, CitationRecord } from '../domain/answer.ts'
import { ENGINE_IDS, type Sentiment, SENTIMENTS } from '../domain/enums.ts'
import { isRejection, type Rejection } from '../domain/rejection.ts'
import { isDay } from '../domain/day.ts'
import { parseTimestamp } from '../domain/scan-time.ts'
import { ANSWER_CITATION_CHARACTERS_MAX, ANSWER_ID_CHARACTERS_MAX, ANSWER_LIST_ENTRIES_MAX } from '../limits.ts'
import { describe, isObject, type JsonObject, textAt, textsAt } from './adapters/json.ts'
import { toSources } from './adapters/sources.ts'

/** What flags give to records that lack it. */
export interface RecordDefaults {
  readonly date?: string | undefined
  readonly platform?: string | undefined
  readonly promptId?: string | undefined
}

/** What a record says of the asking, not of the answer. An envelope says the same of the payload in it. */
export type Asking = Pick<
  AnswerRecord,
  'id' | 'date' | 'asked_at' | 'platform' | 'prompt_id' | 'prompt' | 'category' | 'market'
>

/** What a record says that somebody judged of the answer: the brands it names and how it speaks of the own one. */
export type Judgement = Pick<AnswerRecord, 'mentions' | 'sentiment'>

/**
 * One record of the native format (contract/imports 2.1), checked: it has a day or a time, an engine, a prompt, and every
 * field has its type. Unknown fields are ignored; null in an optional field is the same as leaving it out.
 */
export function parseNative(json: unknown, defaults: RecordDefaults = {}): AnswerRecord | Rejection {
  if (!isObject(json)) return { reason: `record: found ${describe(json)}; wanted a JSON object` }
  const { text, citations } = json
  if (typeof text !== 'string' && text !== null) return wrong('text', text, 'a string, or null for no answer')
  if (citations !== undefined && !Array.isArray(citations)) return wrong('citations', citations, 'an array')
  const judgement = parseJudgement(json)
  if (isRejection(judgement)) return judgement
  const links = toCitations(citations ?? [])
  if (isRejection(links)) return links
  const asking = parseAsking(json)
  if (isRejection(asking)) return asking
  return completeRecord(
    {
      ...asking,
      ...judgement,
      text,
      citations: links,
      provider: textAt(json, 'provider'),
      model: textAt(json, 'model'),
      search_queries: textsAt(json, 'search_queries'),
      consulted: json['consulted'] === undefined ? undefined : toSources(json['consulted']),
    },
    defaults,
  )
}

/** The fields of a record or an envelope that say what was asked, of whom and when; each has its type, none is required. */
export function parseAsking(json: JsonObject): Asking | Rejection {
  for (const field of ASKING_FIELDS) {
    const value = json[field]
    if (value !== undefined && value !== null && typeof value !== 'string') return wrong(field, value, 'a string')
  }
  const asking = {
    id: stringAt(json, 'id'),
    date: stringAt(json, 'date'),
    asked_at: stringAt(json, 'asked_at'),
    platform: stringAt(json, 'platform'),
    prompt_id: stringAt(json, 'prompt_id'),
    prompt: stringAt(json, 'prompt'),
    category: stringAt(json, 'category'),
    market: stringAt(json, 'market'),
  }
  if (asking.id !== undefined && (asking.id === '' || asking.id.length > ANSWER_ID_CHARACTERS_MAX)) {
    return wrong('id', asking.id, `1 to ${ANSWER_ID_CHARACTERS_MAX} characters`)
  }
  if (asking.date !== undefined && !isDay(asking.date)) return wrong('date', asking.date, 'a day, as YYYY-MM-DD')
  if (asking.asked_at !== undefined && parseTimestamp(asking.asked_at) === null) {
    return wrong('asked_at', asking.asked_at, 'an ISO 8601 date and time, as 2026-11-20T07:03:09Z')
  }
  return asking
}

/** The fields of a record or an envelope that judge its answer; null is the same as leaving one out. */
export function parseJudgement({ mentions, sentiment }: JsonObject): Judgement | Rejection {
  const names = mentions === undefined || mentions === null ? undefined : toNames(mentions)
  if (names !== undefined && isRejection(names)) return names
  if (sentiment !== undefined && !isSentiment(sentiment)) {
    return wrong('sentiment', sentiment, `${SENTIMENTS.join(', ')} or null`)
  }
  return { mentions: names?.filter((name) => name.trim() !== ''), sentiment }
}

/**
 * A record with what the flags add to it; a rejection when a flag contradicts the engine that it names, or when it then
 * still lacks its day, its engine or its prompt, or holds too much. `fallbackPlatform` stands in where nobody names an engine.
 */
export function completeRecord(
  record: AnswerRecord,
  defaults: RecordDefaults,
  fallbackPlatform?: string,
): AnswerRecord | Rejection {
  const contradiction = contradictPlatform(record.platform, '--platform', defaults.platform)
  if (contradiction) return contradiction
  const platform = record.platform ?? defaults.platform ?? fallbackPlatform
  if (platform === undefined) return missing('platform', `one of ${ENGINE_IDS.join(', ')}`, '--platform')
  if (!ENGINES.has(platform)) return wrong('platform', platform, `one of ${ENGINE_IDS.join(', ')}`)
  const date = record.date ?? (record.asked_at === undefined ? defaults.date : undefined)
  if (date === undefined && record.asked_at === undefined) return missing('date', 'a day, as YYYY-MM-DD', '--date')
  const prompt = given(record.prompt)
  const promptId = given(record.prompt_id) ?? (prompt === undefined ? defaults.promptId : undefined)
  if (prompt === undefined && promptId === undefined) return missing('prompt', 'its text or prompt_id', '--prompt-id')
  return findExcess(record) ?? { ...record, platform, date, prompt, prompt_id: promptId }
}

/** Why `who` can't call an answer another engine's than the one that the record itself shows; names of no engine are refused elsewhere. */
export function contradictPlatform(
  shown: string | undefined,
  who: string,
  said: string | undefined,
): Rejection | undefined {
  if (shown === undefined || said === undefined || shown === said) return undefined
  if (!ENGINES.has(shown) || !ENGINES.has(said)) return undefined
  return { reason: `platform: the record is an answer of ${shown}; ${who} says ${describe(said)}` }
}

/** Why a record is too much for the lake, though it is right otherwise. */
function findExcess(record: AnswerRecord): Rejection | undefined {
  for (const list of LISTS) {
    const found = record[list]?.length ?? 0
    if (found > ANSWER_LIST_ENTRIES_MAX) return wrongSize(list, found, 'entries', ANSWER_LIST_ENTRIES_MAX)
  }
  const characters = record.citations.reduce((sum, { url, title = '' }) => sum + url.length + title.length, 0)
  return characters > ANSWER_CITATION_CHARACTERS_MAX
    ? wrongSize('citations', characters, 'characters', ANSWER_CITATION_CHARACTERS_MAX)
    : undefined
}

function wrongSize(field: string, found: number, unit: string, most: number): Rejection {
  return { reason: `${field}: found ${found} ${unit}; wanted at most ${most}` }
}

const LISTS = [
  'citations',
  'mentions',
  'search_queries',
  'consulted',
] as const satisfies readonly (keyof AnswerRecord)[]

const ENGINES: ReadonlySet<string> = new Set(ENGINE_IDS)
/** What a record says of who was asked what and when; an envelope has these fields too. */
export const ASKING_FIELDS = [
  'id',
  'date',
  'asked_at',
  'platform',
  'prompt_id',
  'prompt',
  'category',
  'market',
] as const satisfies readonly (keyof Asking)[]

function wrong(field: string, found: unknown, wanted: string): Rejection {
  return found === undefined
    ? { reason: `${field} is missing; wanted ${wanted}` }
    : { reason: `${field}: found ${describe(found)}; wanted ${wanted}` }
}

function missing(field: string, wanted: string, flag: string): Rejection {
  return { reason: `${field} is missing; wanted ${wanted}, in the record, in an envelope or by ${flag}` }
}

function stringAt(json: JsonObject, field: (typeof ASKING_FIELDS)[number]): string | undefined {
  const value = json[field]
  return typeof value === 'string' ? value : undefined
}

function isSentiment(value: unknown): value is Sentiment | null {
  return value === null || value === 'positive' || value === 'neutral' || value === 'negative'
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text
}

function toNames(mentions: unknown): readonly string[] | Rejection {
  if (!Array.isArray(mentions)) return wrong('mentions', mentions, "an array of brands' names")
  const names: string[] = []
  for (const [i, name] of mentions.entries()) {
    if (typeof name !== 'string') return wrong(`mentions[${i}]`, name, "a brand's name")
    names.push(name)
  }
  return names
}

/** A link without a URL stays in the list as an empty one: the import drops every link that is no http(s) URL, and says so. */
function toCitations(list: readonly unknown[]): CitationRecord[] | Rejection {
  const citations: CitationRecord[] = []
  for (const [i, link] of list.entries()) {
    if (typeof link === 'string') citations.push({ url: link, title: undefined, domain: undefined })
    else if (isObject(link)) {
      const { url, title, domain } = link
      if (!isTextOrNothing(url)) return wrong(`citations[${i}].url`, url, 'a string')
      if (!isTextOrNothing(title)) return wrong(`citations[${i}].title`, title, 'a string')
      if (!isTextOrNothing(domain)) return wrong(`citations[${i}].domain`, domain, 'a string')
      citations.push({ url: url ?? '', title: title ?? undefined, domain: domain || undefined })
    } else return wrong(`citations[${i}]`, link, 'a URL, or an object with a url')
  }
  return citations
}

function isTextOrNothing(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === 'string'
}
