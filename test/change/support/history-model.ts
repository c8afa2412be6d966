import type { SeededRandom } from '../../../data/demo/generator/random.ts'
import type { TrueHit, TrueVisit } from '../../support/oracle/log-world.ts'
import { makeMoreRecords, type WorldPrompt, type WorldRecord } from '../../support/oracle/world.ts'
import { WORLD } from './history-lake.ts'

/** A line of a log, and what it is worth. */
export interface LogEvent {
  readonly line: string
  readonly hit?: TrueHit
  readonly visit?: TrueVisit
}

/** A record that should be stored, or a line that should count, with the import that brought it. */
export interface Held<T> {
  readonly item: T
  readonly call: number
  /** What a record said of itself, and what later calls made of its sentiment, in their order. */
  readonly original?: T
  readonly judged?: readonly Judged[]
}

export interface Judged {
  readonly call: number
  readonly sentiment: 'positive' | 'neutral' | 'negative' | null
}

/** One import as it was made. */
export type Call =
  | { readonly kind: 'answers'; readonly importId: string; readonly items: readonly WorldRecord[] }
  | { readonly kind: 'logs'; readonly importId: string; readonly items: readonly LogEvent[] }
  | { readonly kind: 'judgements'; readonly importId: string; readonly items: readonly string[] }

/** What should be there, kept as plain lists; steps change it beside the lake. */
export interface HistoryModel {
  records: Held<WorldRecord>[]
  events: Held<LogEvent>[]
  /** In their order; a call's place is its number. */
  readonly calls: Call[]
  /** Calls that brought something and were not taken back. */
  readonly standing: Set<number>
  /** Of calls of logs: the one at whose end they went on. */
  readonly continues: Map<number, number>
  /** Lines that count as read, whatever became of what they brought, each with the call that read it. */
  readonly read: Map<string, number>
}

export function openModel(): HistoryModel {
  return { records: [], events: [], calls: [], standing: new Set(), continues: new Map(), read: new Map() }
}

/** By what a record is known again (contract/imports 2.1). */
export function keyOf(record: WorldRecord): string {
  return record.id ?? JSON.stringify([record.platform, promptOf(record).id, dayOf(record), record.text ?? ''])
}

export function promptOf(record: WorldRecord): WorldPrompt {
  return WORLD.prompts.find(({ id, text }) =>
    record.prompt_id === undefined
      ? text.normalize('NFC').trim() === record.prompt!.normalize('NFC').trim()
      : id === record.prompt_id,
  )!
}

export function dayOf(record: WorldRecord): string {
  return record.date ?? record.asked_at!.slice(0, 10)
}

export function dayOfEvent({ hit, visit }: LogEvent): string {
  return new Date((hit ?? visit)!.timeMs).toISOString().slice(0, 10)
}

export function pathOfEvent({ hit, visit }: LogEvent): string {
  return (hit ?? visit)!.path
}

/** Names that would become competitors, and stay when the answers that name them go. */
const UNKNOWN = /newcomer|Ｎｅｗｃｏｍｅｒ|data dolphin|acme corp/i

export function makeRecords(random: SeededRandom, name: string): WorldRecord[] {
  return makeMoreRecords(name, WORLD.days, random.between(1, 30)).map(({ mentions, ...record }) => ({
    ...record,
    ...(mentions && { mentions: mentions.filter((brand) => !UNKNOWN.test(brand)) }),
  }))
}

const BOTS = [
  { name: 'GPTBot', provider: 'openai', type: 'ai_training', userAgent: 'Mozilla/5.0 (compatible; GPTBot/1.3)' },
  {
    name: 'ClaudeBot',
    provider: 'anthropic',
    type: 'ai_training',
    userAgent: 'Mozilla/5.0 (compatible; ClaudeBot/1.0)',
  },
  { name: 'Devin', provider: 'cognition', type: 'ai_agent', userAgent: 'Mozilla/5.0 (X11) Devin/1.0' },
] as const
export const BOT_NAMES = BOTS.map(({ name }) => name)
const PATHS = [
  ['/', 'landing_page'],
  ['/docs/setup', 'docs_support'],
  ['/docs/api', 'docs_support'],
  ['/pricing', 'pricing'],
  ['/blog/why', 'blog_editorial'],
  ["/x'*", 'other'],
] as const
const SOURCES = [
  ['chatgpt', 'https://chatgpt.com/'],
  ['perplexity', 'https://www.perplexity.ai/'],
] as const
const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0 Safari/537.36'
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Some lines are there twice, and count twice. `name` tells them from those of other calls. */
export function makeEvents(random: SeededRandom, name: string): LogEvent[] {
  const made = Array.from({ length: random.between(1, 40) }, (_, number) => makeEvent(random, `${name}-${number}`))
  return [...made, ...made.filter(() => random.chance(0.1))]
}

function makeEvent(random: SeededRandom, id: string): LogEvent {
  // Few moments, so that events share quarters of an hour.
  const timeMs =
    Date.parse(`${random.pick(WORLD.days)}T${random.pick(['00', '09', '23'])}:00:00Z`) +
    random.between(0, 1_799) * 1_000
  const [path, pageType] = random.pick(PATHS)
  const isHit = random.chance(0.6)
  const bot = random.pick(BOTS)
  const [source, referer] = random.pick(SOURCES)
  const status = isHit ? random.pick([200, 200, 404, 503]) : 200
  const [date = '', clock = ''] = new Date(timeMs).toISOString().split('T')
  const [year, month, day] = date.split('-')
  const time = `${day}/${MONTHS[Number(month) - 1]}/${year}:${clock.slice(0, 8)} +0000`
  const line = `203.0.113.9 - - [${time}] "GET ${path}?n=${id} HTTP/1.1" ${status} 10 "${isHit ? '-' : referer}" "${isHit ? bot.userAgent : BROWSER}"`
  if (!isHit) return { line, visit: { timeMs, source, path, pageType } }
  return { line, hit: { timeMs, bot, verification: 'unverifiable', path, pageType, isError: status >= 400 } }
}
