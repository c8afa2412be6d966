import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { DISABLED_SINCE_DAY } from '../../../data/demo/truths.ts'
import { CRAWLERS } from '../../../data/demo/generator/crawlers.ts'

/** Counts out of the demo's files as they lie there, without the program: what the table of docs/methods.md stands on. */

const DEMO = join(import.meta.dirname, '../../../data/demo')
const AFTER = ['2026-10-19', '2026-11-15'] as const
const FOUND = ['2026-09-21', '2026-10-18'] as const
const BEFORE = ['2026-08-24', '2026-09-20'] as const

interface Answer {
  readonly date: string
  readonly platform: string
  readonly prompt_id: string
  readonly text: string | null
  readonly citations?: readonly (string | { readonly url: string; readonly domain?: string })[]
  readonly sentiment?: string | null
}

const answers = zstdDecompressSync(readFileSync(join(DEMO, 'answers.ndjson.zst')))
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Answer)
  .filter(({ text }) => text)

const inDays = ([first, last]: readonly [string, string]): Answer[] =>
  answers.filter(({ date }) => date >= first && date <= last)
const number = (value: number): string => value.toLocaleString('en-US')

function names(brand: RegExp): (answer: Answer) => boolean {
  return ({ text }) => brand.test(text!.replaceAll(/(?:https?:\/\/|www\.)[^\s"'<>)\]]*/g, ' '))
}
const own = names(/(?<![\p{L}\p{N}])Fernwick(?![\p{L}\p{N}])/iu)
const halvorix = names(/(?<![\p{L}\p{N}])Halvorix(?![\p{L}\p{N}])/iu)

const pagesOf = ({ citations = [] }: Answer): string[] =>
  citations.map((one) => (typeof one === 'string' ? one : one.url).replace(/[?#](utm_|gclid|msclkid|:~:).*$/, ''))
const hostOf = (one: string | { readonly url: string; readonly domain?: string }): string =>
  typeof one === 'string' ? new URL(one).host : (one.domain ?? new URL(one.url).host)
const citesOwn = ({ citations = [] }: Answer): boolean =>
  citations.some((one) => /(?:^|\.)fernwick\.example$/.test(hostOf(one)))

const count = (list: readonly Answer[], test: (answer: Answer) => boolean): number => list.filter(test).length
/** Disabled prompts are neither targets of a card nor held against it. */
const isActive = ({ prompt_id }: Answer): boolean => !(prompt_id in DISABLED_SINCE_DAY)
const byPrompt = (list: readonly Answer[]) => [...Map.groupBy(list, ({ prompt_id }) => prompt_id)]
const ofPrompt = (list: readonly Answer[], id: string) => list.filter(({ prompt_id }) => prompt_id === id)

/** How often fair coins fall as unevenly as `more` to `fewer`. */
function coins(more: number, fewer: number): number {
  const all = more + fewer
  let sum = 0
  for (let heads = more; heads <= all; heads++) {
    let ways = 1
    for (let k = 1; k <= all - heads; k++) ways = (ways * (heads + k)) / k
    sum += ways * 0.5 ** all
  }
  return 2 * sum
}

/** The change of each active prompt between the days before and after, over engines with answers in both. */
function changes(): Map<string, number> {
  const cells = (list: readonly Answer[]) => Map.groupBy(list, ({ platform, prompt_id }) => `${prompt_id} ${platform}`)
  const [before, after] = [cells(inDays(BEFORE).filter(isActive)), cells(inDays(AFTER).filter(isActive))]
  const sums = new Map<string, { weight: number; change: number }>()
  for (const [key, now] of after) {
    const then = before.get(key)
    if (then === undefined) continue
    const weight = (now.length * then.length) / (now.length + then.length)
    const change = count(now, own) / now.length - count(then, own) / then.length
    const sum = sums.get(key.split(' ')[0]!) ?? { weight: 0, change: 0 }
    sums.set(key.split(' ')[0]!, { weight: sum.weight + weight, change: sum.change + weight * change })
  }
  return new Map([...sums].map(([id, { weight, change }]) => [id, change / weight]))
}

function verdict(id: string, name: string): string {
  const all = changes()
  const sorted = [...all.values()].toSorted((a, b) => a - b)
  const median = (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
  const distance = Math.abs(all.get(id)! - median)
  const asFar = sorted.filter((change) => Math.abs(change - median) >= distance - 1e-12).length
  const side = (days: readonly [string, string]): string => {
    const list = ofPrompt(inDays(days), id)
    return `${count(list, own)} of ${list.length}`
  }
  return `| verdict \`${name}\`, ${id} | named in ${side(AFTER)} after, ${side(BEFORE)} before | Δ ${all.get(id)!.toFixed(4)}, median ${median.toFixed(4)}: ${asFar} of ${sorted.length} as far, p = ${(asFar / sorted.length).toFixed(4)} |`
}

function weakEngine(): string {
  const list = inDays(FOUND)
  const here = list.filter(({ platform }) => platform === 'gemini')
  const others = list.filter(({ platform }) => platform !== 'gemini')
  const elsewhere = new Map(byPrompt(others))
  const prompts = byPrompt(here).flatMap(([id, now]) => {
    const then = elsewhere.get(id)
    if (then === undefined) return []
    const weight = (now.length * then.length) / (now.length + then.length)
    return [{ weight, change: count(now, own) / now.length - count(then, own) / then.length }]
  })
  const weight = prompts.reduce((sum, one) => sum + one.weight, 0)
  const change = prompts.reduce((sum, one) => sum + one.weight * one.change, 0) / weight
  const squares = prompts.reduce((sum, one) => sum + (one.weight * (one.change - change)) ** 2, 0)
  const spread = Math.sqrt(((prompts.length / (prompts.length - 1)) * squares) / weight ** 2)
  return `| \`weak_engine\`, gemini | ${count(here, own)} of ${number(here.length)} answers, ${number(count(others, own))} of ${number(others.length)} elsewhere | ${prompts.length} prompts: Δ ${change.toFixed(4)}, √V ${spread.toFixed(4)}, t = ${(change / spread).toFixed(2)} |`
}

function missedPage(categoryOf: ReadonlyMap<string, string>): string {
  const url = 'https://www.techradar.com/best/best-customer-support-software'
  const list = inDays(AFTER).filter(({ prompt_id }) => categoryOf.get(prompt_id) === 'Discovery')
  const cites = (answer: Answer): boolean => pagesOf(answer).includes(url)
  const signs = byPrompt(list).map(([, of]) => Math.sign(count(of, cites) - count(of, citesOwn)))
  const [more, fewer] = [signs.filter((sign) => sign > 0).length, signs.filter((sign) => sign < 0).length]
  return `| \`missed_page\`, techradar.com | ${count(list, cites)} of ${number(list.length)} answers, fernwick.example in ${count(list, citesOwn)} | more often for ${more} prompts, less often for ${fewer}: p = ${coins(more, fewer).toPrecision(3)} |`
}

function lostPage(): string {
  const url = 'https://www.fernwick.example/guides/helpdesk-buying-guide'
  const cites = (answer: Answer): boolean => pagesOf(answer).includes(url)
  const [before, now] = [inDays(FOUND), inDays(AFTER)]
  const asked = new Set(now.map(({ prompt_id }) => prompt_id))
  const lost = byPrompt(before).filter(([id, of]) => asked.has(id) && count(of, cites) > 0).length
  return `| \`lost_page\`, helpdesk-buying-guide | ${count(before, cites)} of ${number(before.length)} answers, then ${count(now, cites)} of ${number(now.length)} | lost for ${lost} prompts, won for 0: p = ${coins(lost, 0).toPrecision(3)} |`
}

/** Hits of crawlers in the last 28 days as the log has them, without those under a crawler's name from foreign addresses. */
function listHits(): { path: string; status: number; bot: string; day: string }[] {
  const log = gunzipSync(readFileSync(join(DEMO, 'access.log.gz'))).toString()
  return log.split('\n').flatMap((line) => {
    const [, address = '', day = '', month = '', path = '', status = '', agent = ''] =
      /^(\S+) - - \[(\d\d)\/(\w+)\/2026:[^\]]*\] "\S+ ([^\s?]+)\S* [^"]*" (\d+) .*"([^"]*)"$/.exec(line) ?? []
    const date = `2026-${month === 'Nov' ? '11' : month === 'Oct' ? '10' : '09'}-${day}`
    const crawler = CRAWLERS.find(({ userAgents }) => userAgents.includes(agent))
    if (crawler === undefined || date < AFTER[0] || date > AFTER[1]) return []
    const isForeign = crawler.rangesOf !== null && address.startsWith('198.51.100.')
    return isForeign ? [] : [{ path, status: Number(status), bot: crawler.bot, day: date }]
  })
}

function crawlerErrors(): string {
  const hits = listHits().filter(({ path }) => path === '/docs/api/webhooks')
  return `| \`crawler_errors\`, /docs/api/webhooks | ${hits.filter(({ status }) => status >= 400).length} of ${hits.length} hits | – |`
}

function absentCrawlers(): string {
  const hits = listHits()
  const days = (bots: readonly string[]): number =>
    new Set(hits.filter(({ bot }) => bots.includes(bot)).map(({ day }) => day)).size
  return `| \`absent_crawlers\`, perplexity | ${days(['PerplexityBot', 'Perplexity-User'])} of ${new Set(hits.map(({ day }) => day)).size} days, Google's crawler on ${days(['Googlebot'])} | – |`
}

/** The rows of the table, in its order. */
export function listDemoRows(categoryOf: ReadonlyMap<string, string>): readonly string[] {
  const now = inDays(AFTER)
  const only = ofPrompt(now, 'discovery-05')
  const rival = count(only, halvorix)
  const covered = (category: string): string => {
    const prompts = byPrompt(now.filter(({ prompt_id }) => categoryOf.get(prompt_id) === category))
    return `${prompts.filter(([, of]) => count(of, own) > 0).length} of ${prompts.length}`
  }
  const judged = ofPrompt(now, 'brand-05').filter((answer) => own(answer) && answer.sentiment)
  const negative = judged.filter(({ sentiment }) => sentiment === 'negative').length
  const positive = judged.filter(({ sentiment }) => sentiment === 'positive').length
  const pricing = count(now, (answer) => pagesOf(answer).includes('https://www.fernwick.example/pricing'))
  const unnamed = byPrompt(now).filter(([, of]) => count(of, own) === 0).length
  const side = (days: readonly [string, string]): string => {
    const list = inDays(days).filter((answer) => answer.platform === 'gemini' && isActive(answer))
    return `${count(list, own)} of ${list.length}`
  }
  return [
    `| \`competitors_named\`, discovery-05 | ${count(only, own)} of ${only.length} answers, Halvorix in ${rival} | p = ${coins(rival, 0).toPrecision(3)} |`,
    `| \`weak_category\`, How-to | ${covered('How-to')} prompts, Comparison ${covered('Comparison')} | C(10, 3) / C(21, 7) = 120 / 116,280, p = 0.00103 |`,
    weakEngine(),
    missedPage(categoryOf),
    '| `missed_domain` | no card | – |',
    lostPage(),
    crawlerErrors(),
    absentCrawlers(),
    `| \`negative_answers\`, brand-05 | ${negative} of ${judged.length} judged answers, ${positive} positive | p = ${coins(negative, positive).toPrecision(3)} |`,
    `| \`refresh_pages\` | fernwick.example/pricing in ${pricing} of ${number(now.length)} answers | – |`,
    `| \`unnamed_prompts\` | ${unnamed} prompts without a mention | – |`,
    verdict('discovery-11', 'improved'),
    verdict('alternatives-07', 'no_change'),
    verdict('brand-07', 'declined'),
    `| verdict \`not_enough_data\`, gemini | named in ${side(AFTER)} after, ${side(BEFORE)} before | no untouched prompt |`,
  ]
}
