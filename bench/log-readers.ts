/**
 * How fast access logs are read, on one core: `node bench/log-readers.ts [LINES]`. Writes a combined log of a million lines
 * into a temporary directory, reads it plain and compressed, and prints the best of several rounds.
 */
import { execFileSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openInput } from '../src/input/open.ts'
import { LineSplitter, type LineVisitor } from '../src/input/lines.ts'
import { createClassification } from '../src/import-logs/classify.ts'
import { BlockClassifier } from '../src/import-logs/classify-block.ts'
import type { LogFormat } from '../src/import-logs/formats.ts'
import { openLog } from '../src/import-logs/open-log.ts'
import { LOG_BLOCK_BYTES, LOG_LINE_BYTES_MAX } from '../src/log-limits.ts'

const OPTIONS = { ranges: [], pageTypeRules: [], hosts: undefined, keepsRejected: false }
const LINES = Number(process.argv[2] ?? 1_000_000)
const ROUNDS = 5

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36',
]
const REFERERS = ['-', '-', 'https://www.example.com/products/list', 'https://chatgpt.com/', 'https://www.google.com/']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A busy site's line: a dozen a second, a query in every fifth. */
function toLine(index: number): string {
  const time = new Date(Date.UTC(2026, 10, 21) + Math.floor(index / 12) * 1_000).toISOString()
  const clf = `${time.slice(8, 10)}/${MONTHS[Number(time.slice(5, 7)) - 1]}/${time.slice(0, 4)}:${time.slice(11, 19)} +0000`
  const hash = (index * 2_654_435_761) % 4_294_967_296
  const query = hash % 5 === 0 ? `?utm_source=news&page=${hash % 97}` : ''
  const request = `GET /section-${hash % 40}/article-${hash % 5_000}.html${query} HTTP/1.1`
  const address = `198.51.100.${hash % 256}`
  const referer = REFERERS[hash % REFERERS.length]
  return `${address} - - [${clf}] "${request}" 200 ${hash % 100_000} "${referer}" "${AGENTS[hash % AGENTS.length]}"\n`
}

async function writeLog(path: string): Promise<void> {
  const file = createWriteStream(path)
  for (let index = 0; index < LINES;) {
    let text = ''
    for (const end = Math.min(LINES, index + 10_000); index < end; index++) text += toLine(index)
    if (!file.write(text)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
}

async function readLines(path: string): Promise<number> {
  await using input = await openInput(path)
  const splitter = new LineSplitter({ bytesMax: LOG_LINE_BYTES_MAX })
  let lines = 0
  const visitor: LineVisitor = {
    line: () => void (lines += 1),
    fault: (reason) => {
      throw new Error(reason)
    },
  }
  for await (const chunk of input) splitter.push(chunk, visitor)
  splitter.end(visitor)
  return lines
}

async function readLog(path: string, format: LogFormat): Promise<number> {
  await using input = await openInput(path)
  const log = await openLog(input, { format })
  if (!log) throw new Error(`${path}: too short to tell its format`)
  const { splitter, reader } = log
  let lines = 0
  const visitor: LineVisitor = {
    line(text, start, end) {
      const parsed = reader.parse(text, start, end)
      if (parsed === undefined || 'reject' in parsed) throw new Error(`not read: ${text.slice(start, end)}`)
      lines += 1
    },
    fault: (reason) => {
      throw new Error(reason)
    },
  }
  for await (const chunk of input) splitter.push(chunk, visitor)
  splitter.end(visitor)
  return lines
}

/** As the import does it in each of its threads. */
async function classifyLog(path: string): Promise<number> {
  await using input = await openInput(path)
  const block = Buffer.allocUnsafeSlow(LOG_BLOCK_BYTES)
  const kind = { format: 'combined', options: { format: 'combined' } } as const
  const classifier = new BlockClassifier(kind, createClassification(OPTIONS))
  let lines = 0
  for (let held = 0; ;) {
    const bytes = held + (await input.read(block.subarray(held)))
    if (bytes === held) return lines
    const whole = block.subarray(0, bytes).lastIndexOf('\n') + 1
    lines += classifier.classify(block.subarray(0, whole), 0).lines
    block.copyWithin(0, whole, bytes)
    held = bytes - whole
  }
}

/** Seconds of the fastest round; every round must read all lines. */
async function measure(read: () => Promise<number> | number): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    const lines = await read()
    best = Math.min(best, (performance.now() - start) / 1_000)
    if (lines !== LINES) throw new Error(`${lines} lines instead of ${LINES}`)
  }
  return best
}

function report(name: string, seconds: number): void {
  console.log(
    `${name.padEnd(46)} ${seconds.toFixed(3)} s  ${(LINES / seconds / 1e6).toFixed(2)} million lines a second`,
  )
}

const directory = mkdtempSync(join(tmpdir(), 'answerlake-bench-'))
try {
  const plain = join(directory, 'access.log')
  await writeLog(plain)
  execFileSync('gzip', ['-k', plain])
  const gzip = `${plain}.gz`
  report('plain: lines alone', await measure(() => readLines(plain)))
  report('plain: lines and fields of combined', await measure(() => readLog(plain, 'combined')))
  report('plain: lines of combined classified', await measure(() => classifyLog(plain)))
  report('gzip: lines alone', await measure(() => readLines(gzip)))
  report('gzip: lines and fields of combined', await measure(() => readLog(gzip, 'combined')))
  const ours = await measure(() => classifyLog(gzip))
  report('gzip: lines of combined classified', ours)
  const theirs = await measure(() => {
    execFileSync('sh', ['-c', 'gzip -dc "$1" > /dev/null', 'sh', gzip])
    return LINES
  })
  report('gzip -dc alone', theirs)
  console.log(`gzip: classified at ${((theirs / ours) * 100).toFixed(0)} % of the speed of gzip -dc`)
} finally {
  rmSync(directory, { recursive: true })
}
