import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { listBots } from '../src/reference/bots.ts'
import { createDice } from './answer-corpus.ts'

export interface LogCorpusOptions {
  readonly lines: number
  readonly days: number
  /** First day, `YYYY-MM-DD`. */
  readonly firstDay: string
  /** How many lines in a hundred are of bots; the rest are browsers, one in forty of them sent by an answer engine. */
  readonly botPercent?: number
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const SECTIONS = ['blog', 'docs', 'products', 'pricing', 'about', 'community', 'news', 'assets']
const ENGINES = [
  'https://chatgpt.com/',
  'https://www.perplexity.ai/',
  'https://gemini.google.com/',
  'https://claude.ai/',
]

/** Writes a combined access log in the order of time, about 230 bytes a line: 20,000 paths, 300 browsers, bots of 3,000 addresses. */
export async function writeLogCorpus(path: string, options: LogCorpusOptions): Promise<void> {
  const { lines, days, firstDay, botPercent = 15 } = options
  const dice = createDice(11)
  const out = createWriteStream(path)
  const startSecond = Date.parse(`${firstDay}T00:00:00Z`) / 1_000
  const bots = listBots()
    .flatMap((bot) => (bot.type === null || bot.example === null ? [] : [bot.example]))
    .slice(0, 30)
  const paths = Array.from(
    { length: 20_000 },
    (_, no) => `/${SECTIONS[no % SECTIONS.length]}/page-${no}${no % 9 === 0 ? '.css' : ''}`,
  )
  const browsers = Array.from({ length: 300 }, (_, no) => toBrowser(no))
  const botAddresses = Array.from({ length: 3_000 }, () => toAddress(dice))
  const buffer: string[] = []
  for (let no = 0; no < lines; no++) {
    const isBot = dice(100) < botPercent
    const target = `${paths[dice(paths.length)]}${dice(10) === 0 ? `?page=${dice(50)}` : ''}`
    const referer =
      isBot || dice(3) === 0
        ? '-'
        : dice(40) === 0
          ? ENGINES[dice(ENGINES.length)]
          : `https://www.example.com${paths[dice(2_000)]}`
    const userAgent = isBot ? bots[dice(bots.length)] : browsers[dice(browsers.length)]
    const second = startSecond + Math.floor((no * days * 86_400) / lines)
    const status = [200, 200, 200, 200, 200, 304, 301, 404, 500, 200][dice(10)]
    const method = dice(20) === 0 ? 'POST' : 'GET'
    const address = isBot ? botAddresses[dice(botAddresses.length)] : toAddress(dice)
    const request = `${method} ${target} HTTP/1.1`
    buffer.push(`${address} - - [${toTime(second)}] "${request}" ${status} ${dice(90_000)} "${referer}" "${userAgent}"`)
    if (buffer.length < 10_000 && no < lines - 1) continue
    if (!out.write(`${buffer.splice(0).join('\n')}\n`)) await once(out, 'drain')
  }
  out.end()
  await finished(out)
}

function toAddress(dice: (limit: number) => number): string {
  return `${dice(220) + 1}.${dice(256)}.${dice(256)}.${dice(256)}`
}

function toBrowser(no: number): string {
  const version = `${120 + (no % 25)}.0.0.0`
  const system = [
    'Windows NT 10.0; Win64; x64',
    'Macintosh; Intel Mac OS X 10_15_7',
    'X11; Linux x86_64',
    'Linux; Android 10; K',
  ][no % 4]
  const tail = no % 3 === 0 ? ` Edg/${version}` : no % 3 === 1 ? '' : ` OPR/${100 + (no % 20)}.0.0.${no}`
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36${tail}`
}

let minute = { second: Number.NaN, text: '' }

/** `17/May/2026:10:05:03 +0000`. */
function toTime(second: number): string {
  const start = second - (second % 60)
  if (start !== minute.second) {
    const [, year = '', month = '', day = '', clock = ''] =
      /^(\d+)-(\d+)-(\d+)T(\d+:\d+)/.exec(new Date(start * 1_000).toISOString()) ?? []
    minute = { second: start, text: `${day}/${MONTHS[Number(month) - 1]}/${year}:${clock}:` }
  }
  return `${minute.text}${String(second - start).padStart(2, '0')} +0000`
}
