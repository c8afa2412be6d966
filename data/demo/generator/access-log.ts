import * as truths from '../truths.ts'
import { CRAWLERS, PUBLISHED_RANGES, type Crawler } from './crawlers.ts'
import { timestamp, toLine, type LogLine, type LogRequest } from './log-line.ts'
import { INVENTED_PATHS, MACHINE_FILES, PROBED_PATHS, SITE_PAGES, pickPage, type SitePage } from './own-site.ts'
import { seededRandom, type SeededRandom } from './random.ts'
import { visitorRequests } from './visitors.ts'

const DAY_SECONDS = 86_400
const ERROR_PAGE_BYTES = 1548

/** The whole log in the combined format, oldest line first. */
export function accessLog(): string {
  return Array.from({ length: truths.LOG_DAY_COUNT }, (_, day) => linesOfDay(day).join('')).join('')
}

function linesOfDay(day: number): string[] {
  const random = seededRandom([truths.SEED, 'log', day].join('/'))
  const visiting = CRAWLERS.filter((crawler) => !truths.ABSENT_CRAWLERS.includes(crawler.bot))
  const requests = [
    ...visiting.flatMap((crawler) => crawlerRequests(crawler, day, random)),
    ...truths.BROKEN_PATHS.flatMap((broken) => brokenRequests(broken, visiting, random)),
    ...spoofedRequests(visiting, random),
    ...probes(random),
    ...uptimeChecks(),
    ...visitorRequests(day, random),
  ]
  const lines = [...requests.map((request) => toLine(request, day)), ...junkOf(day)]
  return lines.sort((a, b) => a.second - b.second).map(({ text }) => `${text}\n`)
}

function crawlerRequests(crawler: Crawler, day: number, random: SeededRandom): LogRequest[] {
  const mean = crawler.hitsADay * (1 + ((crawler.growth - 1) * day) / (truths.LOG_DAY_COUNT - 1))
  const count = random.between(Math.floor(mean * 0.7), Math.ceil(mean * 1.3))
  return Array.from({ length: count }, () => {
    const page = random.chance(0.08) ? pickPage(MACHINE_FILES, random) : pickPage(SITE_PAGES, random)
    return crawlerRequest(crawler, page.path, usualOutcome(page, random), random)
  })
}

function brokenRequests(
  broken: (typeof truths.BROKEN_PATHS)[number],
  visiting: readonly Crawler[],
  random: SeededRandom,
): LogRequest[] {
  const readers = visiting.filter((crawler) => crawler.ai && crawler.rangesOf !== null)
  const count = random.between(broken.hitsADay - 2, broken.hitsADay + 2)
  return Array.from({ length: count }, () => {
    const crawler = random.pickWeighted(readers, ({ hitsADay }) => hitsADay)
    const outcome = random.chance(broken.errorShare)
      ? { status: broken.status, bytes: ERROR_PAGE_BYTES }
      : { status: 200, bytes: 18_240 }
    return crawlerRequest(crawler, broken.path, outcome, random)
  })
}

function crawlerRequest(
  crawler: Crawler,
  target: string,
  outcome: { status: number; bytes: number },
  random: SeededRandom,
): LogRequest {
  const second = random.between(0, DAY_SECONDS - 1)
  return { second, address: addressOf(crawler, random), target, ...outcome, userAgent: random.pick(crawler.userAgents) }
}

/** Requests under a crawler's name from addresses that nobody publishes, mostly looking for weak spots. */
function spoofedRequests(visiting: readonly Crawler[], random: SeededRandom): LogRequest[] {
  const copied = visiting.filter((crawler) => crawler.rangesOf !== null && crawler.hitsADay > 20)
  const genuine = copied.reduce((sum, crawler) => sum + crawler.hitsADay, 0)
  return Array.from({ length: Math.round(genuine * truths.SPOOFED_SHARE) }, () => {
    const crawler = random.pick(copied)
    const probing = random.chance(0.6)
    return {
      second: random.between(0, DAY_SECONDS - 1),
      address: `198.51.100.${random.between(1, 60)}`,
      target: probing ? random.pick(PROBED_PATHS) : pickPage(SITE_PAGES, random).path,
      ...(probing ? { status: 404, bytes: ERROR_PAGE_BYTES } : { status: 200, bytes: 17_001 }),
      userAgent: random.pick(crawler.userAgents),
    }
  })
}

function probes(random: SeededRandom): LogRequest[] {
  return Array.from({ length: random.between(6, 14) }, () => ({
    second: random.between(0, DAY_SECONDS - 1),
    address: `198.51.100.${random.between(61, 120)}`,
    method: random.pick(['GET', 'GET', 'POST']),
    target: random.pick(PROBED_PATHS),
    status: 404,
    bytes: ERROR_PAGE_BYTES,
    userAgent: random.pick(['python-requests/2.32.3', 'curl/8.9.1', 'Go-http-client/1.1']),
  }))
}

function uptimeChecks(): LogRequest[] {
  return Array.from({ length: 24 }, (_, hour) => ({
    second: hour * 3600 + 7,
    address: '198.51.100.250',
    method: 'HEAD',
    target: '/health',
    status: 200,
    bytes: 0,
    userAgent: 'UptimeCheck/3.1 (+https://status.fernwick.example/)',
  }))
}

function usualOutcome(page: SitePage, random: SeededRandom): { status: number; bytes: number } {
  const chance = random.next()
  if (chance < 0.05) return { status: 304, bytes: 0 }
  if (chance < 0.062) return { status: 301, bytes: 178 }
  if (chance < 0.075) return { status: 404, bytes: ERROR_PAGE_BYTES }
  return chance < 0.079 ? { status: 500, bytes: ERROR_PAGE_BYTES } : { status: 200, bytes: page.bytes }
}

function addressOf(crawler: Crawler, random: SeededRandom): string {
  const ranges = crawler.rangesOf === null ? undefined : PUBLISHED_RANGES[crawler.rangesOf]
  if (ranges === undefined) return `198.51.100.${random.between(130, 240)}`
  if (ranges.v6 !== undefined && random.chance(0.12)) {
    return ranges.v6.replace('::/48', `::${random.between(1, 40).toString(16)}`)
  }
  const [network = ''] = ranges.v4.split('/')
  const last = network.lastIndexOf('.') + 1
  return `${network.slice(0, last)}${Number(network.slice(last)) + random.between(0, 15)}`
}

/** Lines that real logs hold as well: half-written ones, foreign ones, requests that are no HTTP. */
function junkOf(day: number): LogLine[] {
  const random = seededRandom([truths.SEED, 'junk', day].join('/'))
  const second = random.between(0, DAY_SECONDS - 1)
  const stamp = `198.51.100.${random.between(61, 120)} - - [${timestamp(day, second)}]`
  switch (day % 10) {
    case 2:
      return [{ second, text: `${stamp} "\\x16\\x03\\x01\\x02\\x00\\x01\\x00\\x01\\xFC\\x03\\x03" 400 157 "-" "-"` }]
    case 4:
      return [{ second, text: `${stamp} "-" 408 0 "-" "-"` }]
    case 5:
      return [
        {
          second,
          text: `${stamp} "GET ${random.pick(INVENTED_PATHS)} HTTP/1.1" 404 1548 "-" "Mozilla/5.0 \\"quoted\\" agent"`,
        },
      ]
    case 7:
      return [{ second, text: stamp.slice(0, random.between(20, 30)) }]
    case 9:
      return [{ second, text: 'worker process 4127 exited on signal 9' }]
    default:
      return []
  }
}
