import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { parse as parseCsv } from 'csv-parse/sync'
import ipaddr from 'ipaddr.js'
import { afterAll, describe, expect, it } from 'vitest'
import { generateDemo } from '../../data/demo/generate.ts'
import * as truths from '../../data/demo/truths.ts'
import { CATEGORIES, ENGINE_IDS, SENTIMENTS } from '../../src/domain/enums.ts'

const BYTES_MAX = 3_000_000
const DEMO = join(import.meta.dirname, '../../data/demo')
const INPUTS = ['access.log.gz', 'answers.ndjson.zst', 'cards.json', 'prompts.csv', 'site.json']
const temporary = mkdtempSync(join(tmpdir(), 'demo-'))
afterAll(() => rmSync(temporary, { recursive: true }))

interface SiteFile {
  organization: { id: string; name: string }
  site: { id: string; name: string; domain: string; aliases: string[]; market: string; platforms: string[] }
  competitors: { id: string; name: string; domains: string[]; aliases: string[]; confirmed: boolean }[]
}
interface Answer {
  date: string
  asked_at?: string
  platform: string
  prompt_id: string
  model?: string
  text: string | null
  citations?: (string | { url: string; title?: string; domain?: string })[]
  sentiment?: string | null
}
interface PromptRow {
  text: string
  category: string
  market: string
  id: string
  status: string
}

const siteFile = JSON.parse(contentsOf(DEMO, 'site.json')) as SiteFile
const prompts = parseCsv<PromptRow>(contentsOf(DEMO, 'prompts.csv'), { columns: true })
const records = linesOf('answers.ndjson.zst').map((line) => JSON.parse(line) as Answer)
const answers = records.filter((record) => record.text !== null && record.text !== '')
const logLines = linesOf('access.log.gz')
const categoryOf = new Map(prompts.map(({ id, category }) => [id, category]))
const days = Array.from({ length: truths.DAY_COUNT }, (_, day) =>
  new Date(Date.parse(truths.FIRST_DAY) + day * 86_400_000).toISOString().slice(0, 10),
)
const lastWindow = inDays(-28, days.length)
const previousWindow = inDays(-56, -28)
const ownSpellings = [siteFile.site.name, ...siteFile.site.aliases]
const namesOwn = brandTest(ownSpellings)
const confirmed = siteFile.competitors.filter((competitor) => competitor.confirmed)
const namesConfirmed = brandTest(confirmed.flatMap(({ name, aliases }) => aliases.concat(name)))

describe('the files', () => {
  it('hold exactly what the generator writes', () => {
    generateDemo(temporary)
    expect(readdirSync(temporary).sort()).toEqual([...INPUTS, 'ranges'].sort())
    expect(readdirSync(join(temporary, 'ranges')).sort()).toEqual(readdirSync(join(DEMO, 'ranges')).sort())
    const ranges = readdirSync(join(DEMO, 'ranges')).map((name) => join('ranges', name))
    const different = [...INPUTS, ...ranges].filter((name) => contentsOf(temporary, name) !== contentsOf(DEMO, name))
    expect(different, 'run: node data/demo/generate.ts').toEqual([])
  })

  it('stay under 3 MB together', () => {
    const ranges = readdirSync(join(DEMO, 'ranges')).map((name) => join('ranges', name))
    const bytes = [...INPUTS, ...ranges].reduce((sum, name) => sum + statSync(join(DEMO, name)).size, 0)
    expect(bytes).toBeLessThan(BYTES_MAX)
  })
})

describe('the site', () => {
  it('has every engine, four confirmed and two unconfirmed competitors, and no domain that anybody owns', () => {
    expect(siteFile.site.platforms).toEqual([...ENGINE_IDS])
    expect(countBy(siteFile.competitors, ({ confirmed }) => String(confirmed))).toEqual({ true: 4, false: 2 })
    const domains = [siteFile.site.domain, ...siteFile.competitors.flatMap((competitor) => competitor.domains)]
    expect(domains.filter((domain) => !domain.endsWith('.example'))).toEqual([])
  })

  it('has no two brands with a spelling in common', () => {
    const spellings = [ownSpellings, ...siteFile.competitors.map(({ name, aliases }) => [name, ...aliases])].flat()
    expect(new Set(spellings.map((spelling) => spelling.toLowerCase())).size).toBe(spellings.length)
  })
})

describe('the prompts', () => {
  it('cover all six categories, two of them disabled', () => {
    expect(Object.keys(prompts[0]!)).toEqual(['text', 'category', 'market', 'id', 'status'])
    expect(countBy(prompts, ({ category }) => category)).toEqual({
      Discovery: 14,
      Comparison: 11,
      Alternatives: 10,
      'How-to': 10,
      Pricing: 7,
      Brand: 8,
    })
    expect(prompts.filter(({ category }) => !(CATEGORIES as readonly string[]).includes(category))).toEqual([])
    expect(prompts.filter(({ status }) => status === 'disabled').map(({ id }) => id)).toEqual(
      Object.keys(truths.DISABLED_SINCE_DAY),
    )
  })

  it('have ids and texts of their own', () => {
    expect(prompts.filter(({ id }) => !/^[A-Za-z0-9._-]{1,64}$/.test(id))).toEqual([])
    expect(new Set(prompts.map(({ id }) => id)).size).toBe(prompts.length)
    expect(new Set(prompts.map(({ text }) => text.normalize().trim())).size).toBe(prompts.length)
  })
})

describe('the answers', () => {
  it('are records that the import takes', () => {
    const faults = records.flatMap((record, index) => faultsOf(record).map((fault) => `line ${index + 1}: ${fault}`))
    expect(faults).toEqual([])
  })

  it('differ in day, engine, prompt or text, so that none is a duplicate', () => {
    const keys = records.map(({ date, platform, prompt_id, text }) =>
      [date, platform, prompt_id, text ?? ''].join('\n'),
    )
    expect(new Set(keys).size).toBe(records.length - repeatedNoAnswers())
  })

  it('number as documented, by engine and by category', () => {
    expect({ records: records.length, answers: answers.length }).toEqual({ records: 14_638, answers: 14_266 })
    expect(countBy(records, ({ platform }) => platform)).toEqual({
      ai_overviews: 2090,
      ai_mode: 2090,
      chatgpt: 2091,
      perplexity: 2094,
      gemini: 2092,
      copilot: 2091,
      claude: 2090,
    })
    expect(countBy(records, ({ prompt_id }) => categoryOf.get(prompt_id)!)).toEqual({
      Discovery: 3312,
      Comparison: 2736,
      Alternatives: 2508,
      'How-to': 2280,
      Pricing: 1750,
      Brand: 2052,
    })
  })

  it('ask each active prompt on two engines a day and on every engine each seventh day, the last day among them', () => {
    const asked = countBy(records, ({ date }) => date)
    const expected = days.map((date, day) => {
      const active = prompts.filter(({ id }) => day < (truths.DISABLED_SINCE_DAY[id] ?? days.length)).length
      const samples = active + truths.PROMPTS_WITH_TWO_SAMPLES.length
      const full = (days.length - 1 - day) % truths.FULL_SCAN_EVERY_DAYS === 0
      return [date, samples * (full ? ENGINE_IDS.length : truths.ENGINES_ASKED_A_DAY)]
    })
    expect(asked).toEqual(Object.fromEntries(expected))
    const active = prompts.filter(({ status }) => status === 'active').map(({ id }) => id)
    const onLastDay = records.filter(({ date }) => date === truths.LAST_DAY)
    const pairs = new Set(onLastDay.map(({ platform, prompt_id }) => `${platform} ${prompt_id}`))
    expect(pairs.size).toBe(active.length * ENGINE_IDS.length)
  })

  it('name the own brand in links alone sometimes, where it must not count', () => {
    const linkedOnly = answers.filter(({ text }) => text!.includes('fernwick.example') && !namesOwn(text!))
    expect(linkedOnly.length).toBeGreaterThan(50)
  })

  it('use every spelling of every brand', () => {
    const brands = [ownSpellings, ...siteFile.competitors.map(({ name, aliases }) => [name, ...aliases])].flat()
    const unused = brands.filter((spelling) => !answers.some(({ text }) => text!.includes(spelling)))
    expect(unused).toEqual([])
    for (const form of ["Fernwick's", 'Fernwick’s', 'Fernwick-based', 'FERNWICK', '**Fernwick**', '[Fernwick](']) {
      expect(answers.filter(({ text }) => text!.includes(form)).length, form).toBeGreaterThan(5)
    }
  })
})

describe('the doubt built into the answers', () => {
  /** Answers by prompt, of categories in which the brand is named neither always nor never. */
  const restOf = (list: readonly Answer[]) =>
    Map.groupBy(
      list.filter(({ prompt_id }) => ['Pricing', 'Discovery', 'Alternatives'].includes(categoryOf.get(prompt_id)!)),
      ({ prompt_id }) => prompt_id,
    )

  it('makes prompts differ by more than answers thrown like coins would', () => {
    const prompts = [...restOf(lastWindow).values()].filter(
      (of) => share(of, ownNamed) > 0.1 && share(of, ownNamed) < 0.9,
    )
    const mean = prompts.reduce((sum, of) => sum + share(of, ownNamed), 0) / prompts.length
    const spread = prompts.reduce((sum, of) => sum + (share(of, ownNamed) - mean) ** 2, 0) / (prompts.length - 1)
    const byChance = prompts.reduce((sum, of) => sum + (mean * (1 - mean)) / of.length, 0) / prompts.length
    expect(prompts.length).toBeGreaterThan(12)
    expect(spread).toBeGreaterThan(1.8 * byChance)
  })

  it('lets answers of one day agree more often than their shares would', () => {
    const sameDay = Map.groupBy(
      answers.filter(({ prompt_id }) => prompt_id === 'discovery-01' || prompt_id === 'alternatives-01'),
      ({ date, platform, prompt_id }) => `${date} ${platform} ${prompt_id}`,
    )
    const pairs = [...sameDay.values()].filter((of) => of.length === 2)
    const named = share(pairs.flat(), ownNamed)
    const agreeing = share(pairs, ([one, other]) => ownNamed(one!) === ownNamed(other!))
    expect(agreeing).toBeGreaterThan(named ** 2 + (1 - named) ** 2 + 0.08)
  })

  it('has one engine with a new model from a day on, which names the brand more often', () => {
    const { engine, day, before, after } = truths.MODEL_CHANGE
    const models = records.map(({ date, platform, model }) => [platform === engine, date >= days[day]!, model].join())
    expect(new Set(models)).toEqual(
      new Set([`true,false,${before}`, `true,true,${after}`, 'false,false,', 'false,true,']),
    )
    const ofEngine = (from: number, to: number) =>
      share(
        inDays(from, to).filter(({ platform }) => platform === engine),
        ownNamed,
      )
    expect(ofEngine(day, days.length) - ofEngine(day - 28, day)).toBeGreaterThan(0.05)
  })
})

describe('the findings built into the answers', () => {
  it('one engine names the brand significantly less than the others, and only that one', () => {
    const behind = ENGINE_IDS.filter((engine) => {
      const here = lastWindow.filter(({ platform }) => platform === engine)
      const elsewhere = lastWindow.filter(({ platform }) => platform !== engine)
      return zOf(share(here, ownNamed), here.length, share(elsewhere, ownNamed), elsewhere.length) < -1.96
    })
    expect(behind).toEqual([truths.WEAK_ENGINE])
  })

  it('one category covers few of its prompts, the best one all of them', () => {
    const coverage = CATEGORIES.map((category) => {
      const ids = prompts.filter((prompt) => prompt.category === category && prompt.status === 'active')
      const named = ids.filter(({ id }) => lastWindow.some((answer) => answer.prompt_id === id && ownNamed(answer)))
      return [category, `${named.length} of ${ids.length}`]
    })
    expect(Object.fromEntries(coverage)).toEqual({
      Discovery: '11 of 13',
      Comparison: '11 of 11',
      Alternatives: '8 of 10',
      'How-to': '3 of 10',
      Pricing: '6 of 6',
      Brand: '8 of 8',
    })
  })

  it('some prompts name confirmed competitors often and the brand never', () => {
    const missing = prompts.filter(({ id }) => {
      const here = lastWindow.filter(({ prompt_id }) => prompt_id === id)
      return here.length >= 30 && share(here, ownNamed) === 0 && share(here, (a) => namesConfirmed(a.text!)) > 0.5
    })
    // Of one of them a card was done, and the brand is named since.
    const left = truths.COMPETITOR_ONLY_PROMPTS.filter((id) => id !== 'discovery-11')
    expect(missing.map(({ id }) => id).sort()).toEqual(left.sort())
  })

  it('some prompts are answered mostly negatively about the brand', () => {
    const negative = prompts.filter(({ id }) => {
      const naming = lastWindow.filter((answer) => answer.prompt_id === id && ownNamed(answer))
      return naming.length >= 30 && share(naming, ({ sentiment }) => sentiment === 'negative') > 0.5
    })
    expect(negative.map(({ id }) => id)).toEqual(truths.NEGATIVE_PROMPTS)
  })

  it('some third-party pages are cited often where the own site hardly is', () => {
    const rows = truths.MISSED_SOURCES.map(({ url }) => {
      const citing = lastWindow.filter((answer) => pagesOf(answer).includes(url))
      return { citing: citing.length > 400, ownBeside: share(citing, citesOwn) < 0.08 }
    })
    expect(rows).toEqual(truths.MISSED_SOURCES.map(() => ({ citing: true, ownBeside: true })))
    const elsewhere = lastWindow.filter(
      (answer) => ownNamed(answer) && !truths.MISSED_SOURCES.some(({ url }) => pagesOf(answer).includes(url)),
    )
    expect(share(elsewhere, citesOwn)).toBeGreaterThan(0.3)
  })

  it('two own pages were cited in the 28 days before the last 28 and not since, and no other own page', () => {
    const before = ownPagesOf(previousWindow)
    const now = ownPagesOf(lastWindow)
    const lost = [...before].filter(([page]) => !now.has(page))
    expect(lost.map(([page]) => page).sort()).toEqual([...truths.LOST_OWN_PAGES].sort())
    expect(lost.filter(([, count]) => count < 60)).toEqual([])
  })

  it('the brand and one competitor rise, another competitor falls', () => {
    const halves = [inDays(0, 42), inDays(42, 84)]
    const change = (spellings: readonly string[]): number => {
      const names = brandTest(spellings)
      const [first, last] = halves.map((half) => Map.groupBy(half, ({ prompt_id }) => prompt_id)) as [
        Map<string, Answer[]>,
        Map<string, Answer[]>,
      ]
      // Prompt by prompt, since answers to one resemble each other: Student's t.
      const changes = [...first]
        .filter(([id]) => last.has(id))
        .map(([id, of]) => share(last.get(id)!, ({ text }) => names(text!)) - share(of, ({ text }) => names(text!)))
      const mean = changes.reduce((sum, one) => sum + one, 0) / changes.length
      const squares = changes.reduce((sum, one) => sum + (one - mean) ** 2, 0)
      return mean / Math.sqrt(squares / (changes.length - 1) / changes.length)
    }
    const competitor = (name: string): string[] => {
      const found = siteFile.competitors.find((one) => one.name === name)!
      return [found.name, ...found.aliases]
    }
    expect(change(ownSpellings)).toBeGreaterThan(1.96)
    expect(change(competitor('Zolmira'))).toBeGreaterThan(1.96)
    expect(change(competitor('Kestreldesk'))).toBeLessThan(-1.96)
    expect(Math.abs(change(competitor('Halvorix')))).toBeLessThan(1.96)
  })
})

describe('the access log', () => {
  const parsed = logLines.map(parseLogLine).filter((line) => line !== undefined)
  const agentsOf = (token: string): typeof parsed => parsed.filter(({ agent }) => agent.includes(token))

  it('has about 40,000 lines of the last 60 days in order of time, twelve of them unreadable', () => {
    expect({ lines: logLines.length, unreadable: logLines.length - parsed.length }).toEqual({
      lines: 41_073,
      unreadable: 12,
    })
    expect([...new Set(parsed.map(({ time }) => time.slice(0, 10)))]).toEqual(days.slice(-truths.LOG_DAY_COUNT))
    expect(parsed.map(({ time }) => time)).toEqual(parsed.map(({ time }) => time).sort())
  })

  it('shows crawlers of every tracked engine but one', () => {
    expect(truths.ABSENT_CRAWLERS.map((token) => agentsOf(token).length)).toEqual([0, 0])
    const present = [
      'GPTBot',
      'OAI-SearchBot',
      'ChatGPT-User',
      'ClaudeBot',
      'Claude-User',
      'Googlebot',
      'bingbot',
      'CCBot',
    ]
    expect(present.filter((token) => agentsOf(token).length < 100)).toEqual([])
  })

  it('has verified and spoofed hits by the ranges beside it, all addresses reserved for documentation', () => {
    const ranges = publishedFor('GPTBot')
    const verified = agentsOf('GPTBot').filter(({ address }) => ranges.some((range) => isInside(address, range)))
    expect(verified.length).toBeGreaterThan(2000)
    expect(agentsOf('GPTBot').length - verified.length).toBeGreaterThan(50)
    const documentation = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32']
    expect(parsed.filter(({ address }) => !documentation.some((range) => isInside(address, range)))).toEqual([])
  })

  it('answers AI crawlers with errors on the broken pages far more often than elsewhere', () => {
    const recent = parsed.filter(
      ({ time, agent }) => time >= days.at(-28)! && /GPTBot|OAI-|ChatGPT-|Claude/.test(agent),
    )
    const failed = ({ status }: { status: number }): boolean => status >= 400
    for (const { path } of truths.BROKEN_PATHS) {
      const hits = recent.filter((hit) => hit.path === path)
      expect(hits.length, path).toBeGreaterThan(40)
      expect(share(hits, failed), path).toBeGreaterThan(0.7)
    }
    const other = recent.filter((hit) => !truths.BROKEN_PATHS.some(({ path }) => path === hit.path))
    expect(share(other, failed)).toBeLessThan(0.06)
  })

  it('brings people from five answer engines, by Referer and by utm_source', () => {
    const visits = parsed.filter(
      ({ method, status, agent }) => method === 'GET' && status === 200 && /Chrome|Safari|Firefox/.test(agent),
    )
    const hosts = ['chatgpt.com', 'www.perplexity.ai', 'gemini.google.com', 'copilot.microsoft.com', 'claude.ai']
    const few = hosts.filter((host) => visits.filter(({ referer }) => referer === `https://${host}/`).length < 30)
    expect(few).toEqual([])
    const byParameter = visits.filter(({ referer, query }) => referer === '-' && query === 'utm_source=chatgpt.com')
    expect(byParameter.length).toBeGreaterThan(50)
  })
})

function contentsOf(directory: string, name: string): string {
  const bytes = readFileSync(join(directory, name))
  if (name.endsWith('.gz')) return gunzipSync(bytes).toString()
  return (name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString()
}

function linesOf(name: string): string[] {
  return contentsOf(DEMO, name).trimEnd().split('\n')
}

/** Answers of the days from `from` up to, not including, `to`; negative ones count from the end. */
function inDays(from: number, to: number): Answer[] {
  const wanted = new Set(days.slice(from, to))
  return answers.filter(({ date }) => wanted.has(date))
}

/** Whether a text names one of the spellings, by contract/imports 2.3 in its plainest form. */
function brandTest(spellings: readonly string[]): (text: string) => boolean {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}\\p{M}])(?:${spellings.join('|')})(?![\\p{L}\\p{N}\\p{M}])`, 'iu')
  return (text) => pattern.test(text.replaceAll(/(?:https?:\/\/|www\.)[^\s"'<>)\]]*/g, ' '))
}

function ownNamed({ text }: Answer): boolean {
  return namesOwn(text!)
}

function urlOf(citation: string | { url: string }): string {
  return typeof citation === 'string' ? citation : citation.url
}

function pagesOf(answer: Answer): string[] {
  return (answer.citations ?? []).map((citation) => urlOf(citation).replace(/[?#](utm_|gclid|msclkid|:~:).*$/, ''))
}

function citesOwn(answer: Answer): boolean {
  return (answer.citations ?? []).some((citation) => {
    const host = (typeof citation === 'string' ? undefined : citation.domain) ?? new URL(urlOf(citation)).host
    return host === siteFile.site.domain || host.endsWith(`.${siteFile.site.domain}`)
  })
}

function ownPagesOf(list: readonly Answer[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const page of list.flatMap(pagesOf)) {
    const { host } = new URL(page)
    if (host.endsWith(siteFile.site.domain)) counts.set(page, (counts.get(page) ?? 0) + 1)
  }
  return counts
}

function faultsOf(record: Answer): string[] {
  const { asked_at, citations = [], date, platform, prompt_id, sentiment, text } = record
  const length = text?.length ?? 0
  const checks: [boolean, string][] = [
    [days.includes(date), `day ${date}`],
    [asked_at === undefined || asked_at.startsWith(date), `asked_at ${asked_at}`],
    [(ENGINE_IDS as readonly string[]).includes(platform), `platform ${platform}`],
    [categoryOf.has(prompt_id), `prompt ${prompt_id}`],
    [text === null || length === 0 || (length >= 400 && length <= 1200), `text of ${length} characters`],
    [citations.length <= 8 && (length > 0 || citations.length === 0), `${citations.length} citations`],
    [citations.every((citation) => /^https:\/\/[^/]+\//.test(urlOf(citation))), 'a citation without a URL'],
    [
      sentiment === undefined || sentiment === null || (SENTIMENTS as readonly string[]).includes(sentiment),
      `sentiment ${sentiment}`,
    ],
    [sentiment === undefined || namesOwn(text ?? ''), 'a judgement without the brand'],
  ]
  return checks.filter(([right]) => !right).map(([, fault]) => fault)
}

function repeatedNoAnswers(): number {
  const keys = records
    .filter(({ text }) => text === null || text === '')
    .map(({ date, platform, prompt_id }) => [date, platform, prompt_id].join(' '))
  return keys.length - new Set(keys).size
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1
  return counts
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.filter(test).length / items.length
}

/** Two-proportion z of a share against another. */
function zOf(shareA: number, countA: number, shareB: number, countB: number): number {
  const pooled = (shareA * countA + shareB * countB) / (countA + countB)
  return (shareA - shareB) / Math.sqrt(pooled * (1 - pooled) * (1 / countA + 1 / countB))
}

interface LoggedRequest {
  address: string
  time: string
  method: string
  path: string
  query: string
  status: number
  referer: string
  agent: string
}

function parseLogLine(line: string): LoggedRequest | undefined {
  const match =
    /^(\S+) - - \[(\d\d)\/(\w{3})\/(\d{4}):([\d:]{8}) \+0000\] "((?:[^"\\]|\\.)*)" (\d{3}) \d+ "([^"]*)" "((?:[^"\\]|\\.)*)"$/.exec(
      line,
    )
  if (match === null) return undefined
  const [, address = '', date, month, year, clock, call = '', status, referer = '', agent = ''] = match
  const [method = '', target = ''] = call.split(' ')
  const [path = '', query = ''] = target.split('?')
  const time = `${year}-${month === 'Sep' ? '09' : month === 'Oct' ? '10' : '11'}-${date}T${clock}Z`
  return { address, time, method, path, query, status: Number(status), referer, agent }
}

function publishedFor(bot: string): string[] {
  const document = JSON.parse(contentsOf(DEMO, `ranges/${bot}.json`)) as { prefixes: Record<string, string>[] }
  return document.prefixes.flatMap((prefix) => Object.values(prefix))
}

function isInside(address: string, range: string): boolean {
  const parsed = ipaddr.parse(address)
  const [network, bits] = ipaddr.parseCIDR(range)
  return parsed.kind() === network.kind() && parsed.match(network, bits)
}
