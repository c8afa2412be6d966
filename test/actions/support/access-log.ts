import { findBotByName } from '../../../src/reference/bots.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Equal hits of a crawler but for their status: the first `errors` end with 404. */
export interface HitGroup {
  readonly bot: string
  readonly path: string
  readonly hits: number
  readonly errors?: number
  /** The first of the days that the hits are spread over. */
  readonly firstDay: string
  readonly days: number
}

/** Lines of the combined format. */
export function hits({ bot, path, hits: count, errors = 0, firstDay, days }: HitGroup): readonly string[] {
  const userAgent = toUserAgent(bot)
  return Array.from({ length: count }, (_, index) => {
    const moment = new Date(Date.parse(firstDay) + (index % days) * 86_400_000 + index * 1_000)
    return toLine({ moment, path, status: index < errors ? 404 : 200, userAgent })
  })
}

/** The user agent that the catalogue has for the crawler. */
export function toUserAgent(bot: string): string {
  const userAgent = findBotByName(bot)?.example
  if (typeof userAgent !== 'string') throw new Error(`the catalogue knows no user agent of ${bot}`)
  return userAgent
}

export function toLine(hit: { moment: Date; path: string; status: number; userAgent: string }): string {
  const [year, month, day] = hit.moment.toISOString().slice(0, 10).split('-')
  const time = `${day}/${MONTHS[Number(month) - 1]}/${year}:${hit.moment.toISOString().slice(11, 19)} +0000`
  return `203.0.113.5 - - [${time}] "GET ${hit.path} HTTP/1.1" ${hit.status} 512 "-" "${hit.userAgent}"`
}
