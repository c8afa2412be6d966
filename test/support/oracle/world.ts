import { seededRandom, type SeededRandom } from '../../../data/demo/generator/random.ts'
import {
  CATEGORIES,
  type Category,
  ENGINE_IDS,
  type EngineId,
  type Sentiment,
  type SourceKind,
} from '../../../src/domain/enums.ts'

/** A site with everything that reports depend on, and the records of its answers as an operator has them. */
export interface World {
  readonly site: WorldSite
  readonly competitors: readonly WorldCompetitor[]
  readonly prompts: readonly WorldPrompt[]
  /** Calls of `import answers` in their order; each has files, each file records. */
  readonly imports: readonly (readonly WorldRecord[])[][]
  /** The days on which something may have been answered, in order. */
  readonly days: readonly string[]
}

interface WorldSite {
  readonly id: string
  readonly name: string
  readonly aliases: readonly string[]
  /** Those of its name and aliases whose case counts. */
  readonly exact?: readonly string[]
  readonly domain: string
  readonly sourceKinds: readonly { readonly domain: string; readonly source_kind: SourceKind }[]
}

interface WorldCompetitor {
  readonly name: string
  readonly aliases: readonly string[]
  readonly exact?: readonly string[]
  readonly domains: readonly string[]
  readonly confirmed: boolean
}

export interface WorldPrompt {
  readonly id: string
  readonly text: string
  readonly category: Category
  readonly status: 'active' | 'disabled'
}

interface WorldLink {
  readonly url: string
  readonly title?: string
  readonly domain?: string
}

/** A line of the native format (contract/imports 2.1). */
export interface WorldRecord {
  readonly id?: string
  readonly date?: string
  readonly asked_at?: string
  readonly platform: EngineId
  readonly prompt_id?: string
  readonly prompt?: string
  readonly text: string | null
  readonly citations?: readonly (string | WorldLink)[]
  readonly mentions?: readonly string[]
  readonly sentiment?: Sentiment | null
  readonly model?: string
  readonly provider?: string
  readonly market?: string
  readonly search_queries?: readonly string[]
  readonly consulted?: readonly (string | WorldLink)[]
}

/** Two month borders lie between the first and the last day; two days have no answers, one engine is never asked. */
const FIRST_DAY = Date.parse('2026-08-26T00:00:00Z')
const DAY_COUNT = 40
const EMPTY_DAYS: ReadonlySet<number> = new Set([9, 23])
const ASKED = ENGINE_IDS.filter((engine) => engine !== 'copilot')
const CALL_COUNT = 2

const SITE: WorldSite = {
  id: 'site-1',
  name: 'Acme Cloud',
  aliases: ['Acme', 'ACME®'],
  domain: 'shop.acme.co.uk',
  sourceKinds: [
    { domain: 'wikipedia.org', source_kind: 'editorial' },
    { domain: 'rival.com', source_kind: 'marketplace' },
    { domain: '203.0.113.7', source_kind: 'forum' },
  ],
}

const COMPETITORS: readonly WorldCompetitor[] = [
  { name: 'Rival', aliases: ['RVL', 'Rival Inc.'], domains: ['rival.com', 'rival.de'], confirmed: true },
  { name: 'Rival Shop', aliases: [], domains: ['shop.rival.com'], confirmed: true },
  { name: 'Blåbær & Co', aliases: ['Blåbær'], domains: ['blaabaer.no', 'blaabaer.github.io'], confirmed: true },
  { name: 'große Straße', aliases: ['Straße'], domains: ['outlet.acme.co.uk'], confirmed: true },
  { name: 'Zeta 3', aliases: [], domains: [], confirmed: true },
  { name: 'Never Named', aliases: ['Nobody'], domains: ['www.never-cited.org'], confirmed: true },
  { name: 'トヨタ', aliases: ['京', 'Toyota'], domains: [], confirmed: true },
  { name: '삼성', aliases: ['Samsung', 'سامسونج'], domains: ['samsung.com'], confirmed: true },
  { name: 'Linear', aliases: ['LNR', 'linear.app'], exact: ['Linear', 'LNR'], domains: [], confirmed: true },
  { name: 'Upstart', aliases: ['Up-Start'], domains: ['upstart.io'], confirmed: false },
  { name: 'hidden Gem', aliases: [], domains: ['gem.rival.com', 'eu.shop.acme.co.uk'], confirmed: false },
]

/** The text of one prompt is the id of another; two are never asked. */
const PROMPTS: readonly WorldPrompt[] = [
  { id: 'p.10', text: 'What’s the best CRM for a small team?', category: 'Discovery', status: 'active' },
  { id: 'p.2', text: 'best "CRM" 100% (a_b) [x] \\ ^$ {1,2}', category: 'Discovery', status: 'active' },
  { id: 'P-1', text: 'Acme vs Rival', category: 'Comparison', status: 'active' },
  { id: 'p_1', text: 'acme VS rival: İstanbul, STRASSE, ΟΔΟΣ', category: 'Comparison', status: 'disabled' },
  { id: 'alt', text: 'p.10', category: 'Alternatives', status: 'active' },
  { id: 'alt2', text: "alternatives to Acme'; DROP TABLE answers; --", category: 'Alternatives', status: 'disabled' },
  { id: 'how', text: 'How do I import\ncontacts?', category: 'How-to', status: 'active' },
  { id: 'price', text: 'Was kostet Blåbær & Co? 💶', category: 'Pricing', status: 'active' },
  { id: 'price2', text: 'Was kostet Blåbær & Co? 💶💶', category: 'Pricing', status: 'active' },
  { id: 'brand', text: 'Is Acme Cloud any good?', category: 'Brand', status: 'active' },
  { id: 'Z', text: 'a', category: 'Brand', status: 'active' },
  { id: 'never', text: 'Never asked', category: 'Brand', status: 'active' },
  { id: 'never-2', text: 'Never asked either', category: 'Pricing', status: 'disabled' },
]
const NEVER_ASKED: ReadonlySet<string> = new Set(['never', 'never-2'])
const ASKED_PROMPTS = PROMPTS.filter(({ id }) => !NEVER_ASKED.has(id))

/**
 * A site's world; the same seed gives the same one. `share` of the possible days, engines and prompts have an answer. Besides
 * the prompts that are hard to handle it has `morePrompts`.
 */
export function makeWorld(seed: string, { share = 0.35, morePrompts = 0 } = {}): World {
  const more = Array.from({ length: morePrompts }, (_, index): WorldPrompt => ({
    id: `more-${index}`,
    text: `One more question, number ${index}`,
    category: CATEGORIES[index % CATEGORIES.length]!,
    status: 'active',
  }))
  const random = seededRandom(`world ${seed}`)
  const days = Array.from({ length: DAY_COUNT }, (_, day) => toDay(FIRST_DAY + day * 86_400_000))
  const calls: WorldRecord[][] = Array.from({ length: CALL_COUNT }, () => [])
  let number = 0
  for (const [dayNo, day] of days.entries()) {
    for (const platform of EMPTY_DAYS.has(dayNo) ? [] : ASKED) {
      for (const prompt of [...ASKED_PROMPTS, ...more]) {
        const samples = random.chance(share) ? (random.chance(0.15) ? random.between(2, 3) : 1) : 0
        for (let sample = 0; sample < samples; sample++) {
          const call = Math.min(CALL_COUNT - 1, Math.floor((dayNo / DAY_COUNT) * CALL_COUNT + random.next() * 0.3))
          calls[call]!.push(makeRecord(random, { day, platform, prompt, number: number++ }))
        }
      }
    }
  }
  const imports = calls.map((records, call) => {
    const copies = calls.slice(0, call + 1).flatMap((earlier) => earlier.filter(() => random.chance(0.04)))
    const shuffled = random.shuffle([...records, ...copies.map((copy) => makeCopy(random, copy))])
    const cut = random.between(0, shuffled.length)
    return [shuffled.slice(0, cut), shuffled.slice(cut)]
  })
  return { site: SITE, competitors: COMPETITORS, prompts: [...PROMPTS, ...more], imports, days }
}

/** More records of the same kind as the world's, with ids of their own. */
export function makeMoreRecords(seed: string, days: readonly string[], count: number): WorldRecord[] {
  const random = seededRandom(`more ${seed}`)
  return Array.from({ length: count }, (_, number) => {
    const slot = { day: random.pick(days), platform: random.pick(ASKED), prompt: random.pick(ASKED_PROMPTS), number }
    return { ...makeRecord(random, slot), id: `more-${seed}-${number}` }
  })
}

interface Slot {
  readonly day: string
  readonly platform: EngineId
  readonly prompt: WorldPrompt
  readonly number: number
}

function makeRecord(random: SeededRandom, { day, platform, prompt, number }: Slot): WorldRecord {
  const isNoAnswer = random.chance(0.05)
  const hasId = random.chance(0.8)
  // An answer without an id has a second of its own, so that the order of answers never hangs on an id made from it.
  const ownTime = new Date(Date.parse(`${day}T00:00:00Z`) + number * 1_000).toISOString()
  const tiedTime = `${day}T${random.pick(['07:00:00', '07:00:00.250', '19:30:00+02:00', '07:00'])}`
  const askedAt = hasId ? (random.chance(0.6) ? tiedTime : undefined) : ownTime
  const mentions = isNoAnswer ? undefined : makeGivenMentions(random)
  return {
    ...(hasId && { id: `${random.pick(['a', 'A', 'ä', '0', '~', '\uFB00', '😀'])}-${number}` }),
    ...((hasId || random.chance(0.5)) && { date: day }),
    ...(askedAt !== undefined && { asked_at: askedAt }),
    platform,
    ...(random.chance(0.7) ? { prompt_id: prompt.id } : { prompt: ` ${prompt.text.normalize('NFD')} ` }),
    text: isNoAnswer ? random.pick([null, '']) : makeText(random, number),
    ...(random.chance(0.85) && { citations: makeLinks(random) }),
    ...(mentions && { mentions }),
    ...(random.chance(0.8) && { sentiment: random.pick(['positive', 'neutral', 'negative', null] as const) }),
    ...makeSearches(number),
    ...makeBackground(number),
  }
}

const SEARCHES = [
  'best crm 2026',
  ' Best CRM 2026\t',
  'BEST CRM 2026\u00a0',
  'acme cloud reviews',
  'ÜBER-CRM',
  'über-crm',
  'İstanbul CRM',
  '東京 CRM 😀',
  '"; DROP TABLE answers; -- \\ $1',
  '  ',
  '',
  'rival vs acme',
]

/** By a source of chance of their own: all else stays as it was before there were searches. */
function makeSearches(number: number): Pick<WorldRecord, 'search_queries'> {
  const random = seededRandom(`searches ${number}`)
  if (random.chance(0.4)) return {}
  return { search_queries: Array.from({ length: random.between(0, 4) }, () => random.pick(SEARCHES)) }
}

/** The same record again; with an id of its own it may say something else, which must not matter. */
function makeCopy(random: SeededRandom, record: WorldRecord): WorldRecord {
  if (record.id === undefined || record.text === null || record.text === '' || random.chance(0.6)) return record
  return {
    ...record,
    text: 'Acme, Rival and Zeta 3 again.',
    mentions: ['Zeta 3'],
    citations: ['https://rival.com/copy'],
  }
}

const KNOWN_NAMES = [
  'acme',
  'ACME CLOUD',
  'Rival',
  'rvl',
  'RIVAL SHOP',
  'blåbær',
  'STRASSE',
  'zeta 3',
  'LINEAR',
  ' Upstart ',
  'HIDDEN GEM',
] as const
const UNKNOWN_NAMES = ['Newcomer', 'NEWCOMER', 'Ｎｅｗｃｏｍｅｒ', 'Data Dolphin', 'acme corp'] as const

/** Undefined: the brands are in the text. Names are spelled oddly; some are of no known brand, some come twice. */
function makeGivenMentions(random: SeededRandom): string[] | undefined {
  if (random.chance(0.55)) return undefined
  if (random.chance(0.15)) return []
  const name = (): string => random.pick<string>(random.chance(0.85) ? KNOWN_NAMES : UNKNOWN_NAMES)
  return Array.from({ length: random.between(1, 5) }, name)
}

const PHRASES = [
  'Acme Cloud is fine.',
  'acme’s price is high.',
  'Look at (ACME), ',
  'Ａｃｍｅ it is;',
  'Acmeville and macme are towns.',
  'Acme\u0336 is struck out, acme2 a version, acmé French.',
  'ACME® wins.',
  'Rival leads,',
  'Rival Shop and Rival differ:',
  '_rival_ is set in italics.',
  'rivals are many.',
  'See https://rival.com/Rival?x=Zeta 3 more,',
  'and (www.acme.example/Acme) too.',
  '[https://x.example/Upstart]Upstart',
  'the address rival.com is a text.',
  'RVL-1 came out,',
  'BLÅBÆR & CO or Blåbær alone,',
  'Bla\u030Abær decomposed,',
  'die Grosse STRASSE,',
  'STRASSE 7',
  'Zeta 3 and Zeta 33.',
  'Zeta  3?',
  'Upstart, up-start!',
  'a Hidden Gem.',
  'Newcomer again',
  'Data Dolphin swims.',
  'Nothing of note.',
  'Linear is fast,',
  'a linear trend, LINEAR and lnr,',
  'Straße, Linear.app or LNR',
  'STRASSE ß, linear: LinearとLNR、',
  'トヨタの車、ToyotaとRivalです。',
  '京都は町です、「京」は違う。',
  '使用Rival管理，推荐Acme Cloud和トヨタ14。',
  '삼성은 Rival을, 삼성에서 Samsung과',
  '삼성동에는 Zeta 3을',
  'يُعد سامسونج وRival بـUpstart',
  'Rivalом и в Acmeе',
  'ri\u00advalry, Ri\u00adval and Up–start\u200b,',
  'mail rival@rival.com or Zeta@example.org,',
  'Rivalʼs offer',
] as const

function makeText(random: SeededRandom, number: number): string {
  const phrases = Array.from({ length: random.between(0, 6) }, () => random.pick(PHRASES))
  return `${phrases.join(random.pick([' ', '\n', ' — ']))} (${number})`
}

/** Hosts and how often they are cited. */
const HOSTS = [
  ['shop.acme.co.uk', 5],
  ['EU.Shop.acme.co.uk', 2],
  ['acme.co.uk', 2],
  ['blog.acme.co.uk', 1],
  ['outlet.acme.co.uk', 2],
  ['myshop.acme.co.uk', 1],
  ['rival.com', 3],
  ['www.rival.com', 2],
  ['shop.rival.com', 2],
  ['a.shop.rival.com', 1],
  ['gem.rival.com', 1],
  ['rival.de', 1],
  ['notrival.com', 1],
  ['rival.com.evil.org', 1],
  ['blaabaer.no', 2],
  ['docs.blaabaer.no', 1],
  ['blaabaer.github.io', 2],
  ['someone.github.io', 1],
  ['github.io', 1],
  ['upstart.io', 2],
  ['en.wikipedia.org', 4],
  ['de.wikipedia.org', 2],
  ['www.reddit.com', 3],
  ['old.reddit.com', 1],
  ['WWW.YouTube.com', 2],
  ['acme.blogspot.com', 1],
  ['example.gov.uk', 1],
  ['news.example.org', 1],
  ['203.0.113.7', 2],
  ['localhost', 1],
  ['intranet', 1],
] as const
const STARTS = ['https', 'https', 'HTTPS', 'http', 'https :443', 'http :80', 'http :8080', 'https :80'] as const
const USERS = ['me@', 'me:secret@', 'rival.com@'] as const
const PATHS = [
  '',
  '/',
  '/a',
  '/A',
  '/a/',
  '/a%20b',
  '/a%20B',
  '/b.html',
  '/r/acme',
  '/ä',
  '/%c3%a4',
  '/%7Ea%2D',
  '/~a-',
] as const
const QUERIES = [
  '',
  '',
  '',
  '?x=1',
  '?x=1&y=2',
  '?b=%26&utm_source=chatgpt',
  '?utm_source=chatgpt.com&utm_medium=ai',
  '?gclid=1&x=1',
  '?x=1&fbclid=2&y=2',
  '?msclkid=9',
  '?q=utm_source',
] as const
const FRAGMENTS = ['', '', '', '#top', '#utm_source=x', '#:~:text=a'] as const
const REDIRECTED = ['en.wikipedia.org', 'rival.com', 'Shop.Acme.co.uk', 'blaabaer.github.io', 'www.reddit.com'] as const
const REDIRECTS = [
  'https://redirect.example.net/to/1',
  'https://redirect.example.net/to/2',
  'https://vertexaisearch.cloud.google.com/grounding-api-redirect/AAA',
  'https://vertexaisearch.cloud.google.com/grounding-api-redirect/BBB',
  'https://www.rival.com/a',
] as const
const WRAPPED = [
  'https://www.google.com/url?q=https://rival.com/a%3Fx%3D1%26utm_source%3Dg&sa=U',
  'https://www.google.com/url?q=best+crm',
  'https://www.bing.com/ck/a?p=1&u=a1aHR0cHM6Ly9lbi53aWtpcGVkaWEub3JnL2E',
  'https://l.facebook.com/l.php?u=https%3A%2F%2Fshop.acme.co.uk%2F%C3%A4&h=1',
] as const
const NO_LINKS = [
  'ftp://rival.com/a',
  'no link at all',
  '',
  '//rival.com/a',
  'mailto:a@rival.com',
  'https://',
  '/a',
  'javascript:alert(1)',
] as const

function makeLinks(random: SeededRandom): (string | WorldLink)[] {
  const links: (string | WorldLink)[] = []
  const count = random.pick([0, 1, 2, 3, 4, 5, 6, 8])
  for (let i = 0; i < count; i++) {
    const isRepeated = links.length > 0 && random.chance(0.25)
    links.push(isRepeated ? random.pick(links) : makeLink(random))
  }
  return links
}

function makeLink(random: SeededRandom): string | WorldLink {
  if (random.chance(0.04)) return random.pick(NO_LINKS)
  if (random.chance(0.06)) {
    const url = random.pick(REDIRECTS)
    return { url, domain: random.pick(REDIRECTED), title: 'Redirect' }
  }
  if (random.chance(0.06)) return random.pick(WRAPPED)
  const [host] = random.pickWeighted(HOSTS, ([, weight]) => weight)
  const [scheme, port = ''] = random.pick(STARTS).split(' ')
  const user = random.chance(0.04) ? random.pick(USERS) : ''
  const url = `${scheme}://${user}${host}${port}${random.pick(PATHS)}${random.pick(QUERIES)}${random.pick(FRAGMENTS)}`
  if (random.chance(0.4)) return url
  return { url, ...(random.chance(0.7) && { title: random.pick(['A title', 'Été "x"', '']) }) }
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

export const MODELS = ['gpt-5', 'gpt-5-mini', 'sonar', 'Größer 2 😀'] as const
export const PROVIDERS = ['openai', 'OpenAI', 'perplexity'] as const

/** Who answered, by which model, for which market, and what was read; as `makeSearches`, by a source of chance of its own. */
function makeBackground(number: number): Partial<WorldRecord> {
  const random = seededRandom(`background ${number}`)
  const sources = [
    'https://docs.example.org/a',
    { url: 'https://en.wikipedia.org/wiki/CRM', title: 'CRM – “all”' },
    { url: 'mailto:nobody' },
  ]
  return {
    ...(random.chance(0.6) && { model: random.pick(MODELS) }),
    ...(random.chance(0.5) && { provider: random.pick(PROVIDERS) }),
    ...(random.chance(0.4) && { market: random.pick(['Berlin, Germany', 'US']) }),
    ...(random.chance(0.4) && { consulted: random.shuffle(sources).slice(0, random.between(0, 3)) }),
  }
}
