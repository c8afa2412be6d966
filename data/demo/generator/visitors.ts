import { LOG_DAY_COUNT } from '../truths.ts'
import type { LogRequest } from './log-line.ts'
import { ASSETS, INVENTED_PATHS, SITE_PAGES, pickPage } from './own-site.ts'
import type { SeededRandom } from './random.ts'
import { OWN_BRAND } from './world.ts'

/** Where people come from; `utm` is what the engine adds to its links. */
interface Origin {
  readonly referer?: string
  readonly utm?: string
  /** Arrivals a day, first and last day. */
  readonly first: number
  readonly last: number
}

const ORIGINS: readonly Origin[] = [
  { referer: 'https://chatgpt.com/', utm: 'chatgpt.com', first: 8, last: 15 },
  { referer: 'https://chatgpt.com/', first: 2, last: 3 },
  { utm: 'chatgpt.com', first: 2, last: 4 },
  { referer: 'https://www.perplexity.ai/', first: 4, last: 5 },
  { utm: 'perplexity', first: 0.6, last: 0.8 },
  { referer: 'https://gemini.google.com/', first: 2, last: 4 },
  { referer: 'https://copilot.microsoft.com/', first: 2, last: 2.5 },
  { referer: 'https://claude.ai/', first: 1, last: 2.5 },
  { referer: 'https://chat.mistral.ai/', first: 0.2, last: 0.4 },
  { referer: 'https://chat.deepseek.com/', first: 0.2, last: 0.4 },
  { referer: 'https://www.google.com/', first: 38, last: 32 },
  { referer: 'https://www.bing.com/', first: 5, last: 5 },
  { referer: 'https://www.linkedin.com/', first: 3, last: 3 },
  { referer: 'https://www.g2.com/', first: 2, last: 3 },
  { utm: 'newsletter', first: 2, last: 2 },
  { first: 30, last: 30 },
]

const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
]
const OWN_REFERER = `https://www.${OWN_BRAND.domain}`
const WEEKEND_FACTOR = 0.45
const FIRST_WEEKDAY = 4

/** Everything that people's browsers asked for on a day. */
export function visitorRequests(day: number, random: SeededRandom): LogRequest[] {
  const weekday = (FIRST_WEEKDAY + day) % 7
  const factor = weekday === 0 || weekday === 6 ? WEEKEND_FACTOR : 1
  return ORIGINS.flatMap((origin) => {
    const mean = factor * (origin.first + ((origin.last - origin.first) * day) / (LOG_DAY_COUNT - 1))
    const count = Math.floor(mean * (0.7 + random.next() * 0.6) + random.next())
    return Array.from({ length: count }, () => visit(origin, random)).flat()
  })
}

/** A landing page with some of its assets, and sometimes further pages. */
function visit(origin: Origin, random: SeededRandom): LogRequest[] {
  const address = random.chance(0.15)
    ? `2001:db8:f${random.between(100, 999)}::${random.between(1, 9)}`
    : `203.0.113.${random.between(1, 254)}`
  const browser = { address, protocol: 'HTTP/2.0', userAgent: random.pick(BROWSERS) }
  const referer = origin.referer === undefined ? {} : { referer: origin.referer }
  const query = origin.utm === undefined ? '' : `?utm_source=${origin.utm}`
  let second = 21_600 + random.between(0, 28_000) + random.between(0, 28_000)

  if (origin.referer !== undefined && random.chance(0.03)) {
    const target = `${random.pick(INVENTED_PATHS)}${query}`
    return [{ ...browser, ...referer, second, target, status: 404, bytes: 1548 }]
  }
  const requests: LogRequest[] = []
  const landing = pickPage(SITE_PAGES, random)
  if (landing.path !== '/' && random.chance(0.03)) {
    requests.push({ ...browser, ...referer, second, target: `${landing.path}/${query}`, status: 301, bytes: 178 })
  }
  const first = random.chance(0.03) ? { status: 304, bytes: 0 } : { status: 200, bytes: landing.bytes }
  requests.push({ ...browser, ...referer, second, target: `${landing.path}${query}`, ...first })
  if (origin.referer !== undefined && random.chance(0.02)) {
    requests.push({ ...browser, ...referer, second, target: '/images/hero.webp', status: 200, bytes: 88_412 })
  }
  let current = landing
  for (let more = random.pick([0, 0, 0, 1, 1, 2]); ; more--) {
    for (const asset of random.shuffle(ASSETS).slice(0, random.pick([0, 1, 2]))) {
      const status = random.chance(0.3) ? { status: 304, bytes: 0 } : { status: 200, bytes: asset.bytes }
      const page = `${OWN_REFERER}${current.path}`
      requests.push({ ...browser, second: second + 1, target: asset.path, ...status, referer: page })
    }
    if (more === 0) break
    const next = pickPage(SITE_PAGES, random)
    second += random.between(8, 150)
    const page = `${OWN_REFERER}${current.path}`
    requests.push({ ...browser, second, target: next.path, status: 200, bytes: next.bytes, referer: page })
    current = next
  }
  if (random.chance(0.02)) {
    const form = { method: 'POST', target: '/api/demo-request', status: 201, bytes: 64 }
    requests.push({ ...browser, ...form, second: second + 40, referer: `${OWN_REFERER}${current.path}` })
  }
  return requests
}
