import { seededRandom, type SeededRandom } from '../../../data/demo/generator/random.ts'
import type { BotType, PageType } from '../../../src/domain/enums.ts'

/** A bot as its provider describes it, and addresses that its document lists, when one was loaded. */
interface WorldBot {
  readonly name: string
  readonly provider: string
  readonly type: BotType
  readonly userAgent: string
  /** Where the document stands; none is published for bots without one. */
  readonly document?: string
  /** What was loaded of it; a document that was never loaded has none. */
  readonly prefix?: string
}

/** A request that a bot made, with everything a report can say of it. */
export interface TrueHit {
  readonly timeMs: number
  readonly bot: WorldBot
  readonly verification: 'verified' | 'spoofed' | 'unverifiable'
  readonly path: string
  readonly pageType: PageType
  readonly isError: boolean
}

/** A person's arrival from an answer engine. */
export interface TrueVisit {
  readonly timeMs: number
  readonly source: string
  readonly path: string
  readonly pageType: PageType
}

/** An access log of a site, cut into files, and what is true of it. */
export interface LogWorld {
  readonly ranges: readonly { readonly document: string; readonly prefix: string }[]
  /** Calls of `import logs` in their order; each has files, each file lines. */
  readonly imports: readonly (readonly string[])[][]
  readonly hits: readonly TrueHit[]
  readonly visits: readonly TrueVisit[]
}

const BOTS: readonly WorldBot[] = [
  {
    name: 'GPTBot',
    provider: 'openai',
    type: 'ai_training',
    userAgent: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot',
    document: 'https://openai.com/gptbot.json',
    prefix: '192.0.2.0/25',
  },
  {
    name: 'OAI-SearchBot',
    provider: 'openai',
    type: 'index',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot',
    document: 'https://openai.com/searchbot.json',
    prefix: '192.0.2.128/25',
  },
  {
    name: 'ChatGPT-User',
    provider: 'openai',
    type: 'ai_assistant',
    userAgent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
    document: 'https://openai.com/chatgpt-user.json',
  },
  {
    name: 'ClaudeBot',
    provider: 'anthropic',
    type: 'ai_training',
    userAgent: 'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    document: 'https://claude.com/crawling/bots.json',
    prefix: '2001:db8:c1a::/48',
  },
  {
    name: 'Claude-User',
    provider: 'anthropic',
    type: 'ai_assistant',
    userAgent: 'Mozilla/5.0 (compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
    document: 'https://claude.com/crawling/bots.json',
    prefix: '2001:db8:c1a::/48',
  },
  {
    name: 'PerplexityBot',
    provider: 'perplexity',
    type: 'index',
    userAgent: 'Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
    document: 'https://www.perplexity.com/perplexitybot.json',
    prefix: '198.51.100.64/26',
  },
  {
    name: 'Googlebot',
    provider: 'google',
    type: 'index',
    userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    document: 'https://developers.google.com/static/crawling/ipranges/common-crawlers.json',
    prefix: '203.0.113.0/28',
  },
  {
    name: 'bingbot',
    provider: 'microsoft',
    type: 'index',
    userAgent: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/136.0.0.0 Safari/537.36',
    document: 'https://www.bing.com/toolbox/bingbot.json',
  },
  {
    name: 'Bytespider',
    provider: 'bytedance',
    type: 'ai_training',
    userAgent: 'Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com)',
  },
  {
    name: 'meta-externalagent',
    provider: 'meta',
    type: 'ai_training',
    userAgent: 'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  },
  {
    name: 'Devin',
    provider: 'cognition',
    type: 'ai_agent',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/137.0.0.0 Safari/537.36; Devin/1.0; +https://devin.ai',
  },
]

/** Paths as requested, with the type that contract/api 5.13 gives them. */
const PATHS: readonly (readonly [path: string, type: PageType])[] = [
  ['/', 'landing_page'],
  ['/robots.txt', 'technical_infra'],
  ['/sitemap-news.xml', 'technical_infra'],
  ['/llms.txt', 'technical_infra'],
  ['/.well-known/security.txt', 'technical_infra'],
  ['/api/v2/items', 'technical_infra'],
  ['/assets/app.3f2a.css', 'technical_infra'],
  ['/blog/', 'blog_editorial'],
  ['/blog/why-crm', 'blog_editorial'],
  ['/blog/Why-CRM', 'blog_editorial'],
  ['/news/2026/launch', 'blog_editorial'],
  ['/de/blog/warum', 'blog_editorial'],
  ['/docs/setup', 'docs_support'],
  ['/docs/%F0%9F%92%B6', 'docs_support'],
  ['/help/100%25', 'docs_support'],
  ['/faq', 'docs_support'],
  ['/products/crm', 'product_page'],
  ['/product/x_y', 'product_page'],
  ["/features/a'b", 'product_page'],
  ['/pricing', 'pricing'],
  ['/pricing/teams', 'pricing'],
  ['/plans', 'pricing'],
  ['/en-us/pricing', 'pricing'],
  ['/about-us', 'brand_about'],
  ['/careers', 'brand_about'],
  ['/contact', 'brand_about'],
  ['/community/t/42', 'ugc_page'],
  ['/u/anna', 'ugc_page'],
  ['/reviews/crm', 'ugc_page'],
  ['/lp/spring', 'landing_page'],
  ['/solutions/dental', 'landing_page'],
  ['/de/', 'landing_page'],
  ['/something/else', 'other'],
  ['/something/else/', 'other'],
  ['/größe', 'other'],
  ['/gr%C3%B6%C3%9Fe', 'other'],
  ['/İstanbul', 'other'],
  ['/a b', 'other'],
  ["/x'); DROP TABLE hits; --", 'other'],
  ['/x%', 'other'],
  [`/long/${'x'.repeat(900)}`, 'other'],
]

/** How a visitor shows where it comes from: `Referer`, query of the request. */
const ARRIVALS: readonly (readonly [source: string, referer: string, query: string])[] = [
  ['chatgpt', 'https://chatgpt.com/', ''],
  ['chatgpt', '-', '?utm_source=chatgpt.com'],
  ['chatgpt', 'https://www.example.com/other', '?a=1&utm_source=chatgpt.com&utm_medium=referral'],
  ['perplexity', 'https://www.perplexity.ai/search?q=crm', ''],
  ['perplexity', 'https://www.perplexity.ai/', '?utm_source=chatgpt.com'],
  ['gemini', 'https://gemini.google.com/app', ''],
  ['copilot', 'https://copilot.microsoft.com/', ''],
  ['claude', 'https://claude.ai/chat/1', ''],
  ['mistral', 'https://chat.mistral.ai/chat', ''],
]

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

/** Days around which clocks change in Europe, North America, Lord Howe and Chatham, and borders of months and years. */
const BUSY_DAYS = [
  '2026-03-29',
  '2026-03-08',
  '2026-04-05',
  '2026-09-06',
  '2026-09-27',
  '2026-10-04',
  '2026-10-25',
  '2026-11-01',
  '2026-12-31',
  '2026-02-28',
]
const SEASONS = [
  ['2026-02-20T00:00:00Z', '2026-04-10T00:00:00Z'],
  ['2026-08-30T00:00:00Z', '2027-01-09T00:00:00Z'],
] as const

export function makeLogWorld(key: string, size = { hits: 5_000, visits: 1_200 }): LogWorld {
  const random = seededRandom(key)
  const hits: TrueHit[] = []
  const visits: TrueVisit[] = []
  const lines: string[] = []
  for (let no = 0; no < size.hits; no++) lines.push(...makeHit(random, hits))
  for (let no = 0; no < size.visits; no++) lines.push(...makeVisit(random, visits))
  for (let no = 0; no < 400; no++) lines.push(makeNoise(random))
  return {
    ranges: BOTS.flatMap(({ document, prefix }) => (document && prefix ? [{ document, prefix }] : [])),
    imports: cut(random, random.shuffle(lines)),
    hits,
    visits,
  }
}

/** Every tenth request is made twice in the same second: two equal lines are two hits. */
function makeHit(random: SeededRandom, hits: TrueHit[]): string[] {
  const bot = random.pick(BOTS)
  const [path, pageType] = random.pick(PATHS)
  const { address, verification } = makeAddress(random, bot)
  const status = random.pick([200, 200, 200, 301, 304, 404, 404, 410, 500, 503])
  const hit = { timeMs: makeTime(random), bot, verification, path, pageType, isError: status >= 400 }
  const query = random.pick(['', '', '?page=2', '?q=a/b#c'])
  const method = random.pick(['GET', 'GET', 'HEAD', 'POST'])
  const line = toLine({
    timeMs: hit.timeMs,
    address,
    target: `${path}${query}`,
    method,
    status,
    referer: '-',
    userAgent: bot.userAgent,
  })
  const times = random.chance(0.1) ? 2 : 1
  for (let time = 0; time < times; time++) hits.push(hit)
  return Array.from({ length: times }, () => line)
}

function makeAddress(
  random: SeededRandom,
  { document, prefix }: WorldBot,
): { address: string; verification: TrueHit['verification'] } {
  const stranger = random.pick(['203.0.113.200', '2001:db8:bad::7'])
  if (prefix === undefined || random.chance(0.1)) {
    const address = prefix === undefined ? stranger : random.pick(['crawl-7.example.net', '-'])
    return { address, verification: 'unverifiable' }
  }
  if (document === undefined || random.chance(0.2)) return { address: stranger, verification: 'spoofed' }
  const own: Readonly<Record<string, string>> = {
    '192.0.2.0/25': `192.0.2.${random.between(0, 127)}`,
    '192.0.2.128/25': `192.0.2.${random.between(128, 255)}`,
    '2001:db8:c1a::/48': `2001:db8:c1a:${random.between(1, 99)}::${random.between(1, 99)}`,
    '198.51.100.64/26': `198.51.100.${random.between(64, 127)}`,
    '203.0.113.0/28': `203.0.113.${random.between(0, 15)}`,
  }
  return { address: own[prefix]!, verification: 'verified' }
}

function makeVisit(random: SeededRandom, visits: TrueVisit[]): string[] {
  const [source, referer, query] = random.pick(ARRIVALS)
  const [path, pageType] = random.pick(PATHS)
  const timeMs = makeTime(random)
  const status = random.pick([200, 200, 200, 304, 302, 404])
  const method = random.pick(['GET', 'GET', 'GET', 'GET', 'POST', 'HEAD'])
  const isVisit = method === 'GET' && (status === 200 || status === 304) && pageType !== 'technical_infra'
  if (isVisit) visits.push({ timeMs, source, path, pageType })
  return [
    toLine({ timeMs, address: '203.0.113.99', target: `${path}${query}`, method, status, referer, userAgent: BROWSER }),
  ]
}

/** Lines that are counted and nothing more. */
function makeNoise(random: SeededRandom): string {
  const timeMs = makeTime(random)
  const [path] = random.pick(PATHS)
  const of = {
    timeMs,
    address: '203.0.113.50',
    target: path,
    method: 'GET',
    status: 200,
    referer: '-',
    userAgent: BROWSER,
  }
  return random.pick([
    toLine(of),
    toLine({ ...of, referer: 'https://www.google.com/' }),
    toLine({
      ...of,
      userAgent: 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
      referer: 'https://chatgpt.com/',
    }),
    toLine({ ...of, userAgent: 'curl/8.5.0', referer: 'https://chatgpt.com/' }),
    toLine({ ...of, userAgent: '-' }),
  ])
}

function makeTime(random: SeededRandom): number {
  if (random.chance(0.5)) {
    const [first, last] = random.pick(SEASONS)
    return random.between(Date.parse(first) / 1_000, Date.parse(last) / 1_000) * 1_000
  }
  const noon = Date.parse(`${random.pick(BUSY_DAYS)}T12:00:00Z`)
  return noon + random.between(-26 * 3_600, 26 * 3_600) * 1_000
}

interface LineParts {
  readonly timeMs: number
  readonly address: string
  readonly target: string
  readonly method: string
  readonly status: number
  readonly referer: string
  readonly userAgent: string
}

/** The combined format as nginx writes it, by a server in a zone of its own. */
function toLine({ timeMs, address, target, method, status, referer, userAgent }: LineParts): string {
  const eastSeconds = timeMs % 3_000 === 0 ? 5.5 * 3_600 : 0
  const [date = '', clock = ''] = new Date(timeMs + eastSeconds * 1_000).toISOString().split('T')
  const [year, month, day] = date.split('-')
  const time = `${day}/${MONTHS[Number(month) - 1]}/${year}:${clock.slice(0, 8)} ${eastSeconds === 0 ? '+0000' : '+0530'}`
  return `${address} - - [${time}] "${method} ${target} HTTP/1.1" ${status} 512 "${referer}" "${userAgent}"`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Into calls and files of all sizes, so that rows of one quarter of an hour lie in several files of the lake. */
function cut(random: SeededRandom, lines: readonly string[]): string[][][] {
  const files: string[][] = []
  for (let start = 0; start < lines.length;) {
    const length = random.between(1, 3_000)
    files.push(lines.slice(start, start + length))
    start += length
  }
  const calls: string[][][] = []
  while (files.length > 0) calls.push(files.splice(0, random.between(1, 4)))
  return calls
}
