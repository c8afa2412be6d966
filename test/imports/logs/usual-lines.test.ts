import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { compileUsualLines } from '../../../bin/compile-usual-lines.mts'
import { LineSplitter } from '../../../src/imports/lines.ts'
import { BatchJudge } from '../../../src/imports/logs/batch-judge.ts'
import { openLineMemory } from '../../../src/imports/logs/line-memory.ts'
import type { LogBatch } from '../../../src/imports/logs/log-batch.ts'
import { createLogTally, type TallyOptions } from '../../../src/imports/logs/log-tally.ts'
import { createLogReader, type LogReaderOptions } from '../../../src/imports/logs/reader.ts'
import { USUAL_LINES_CODE } from '../../../src/imports/logs/usual-lines-code.ts'
import { UsualLines } from '../../../src/imports/logs/usual-lines.ts'
import { LOG_LINE_BYTES_MAX } from '../../../src/limits.ts'
import { listBots } from '../../../src/reference/bots.ts'
import { hostileText } from './encoders.ts'

const OPENAI = 'https://openai.com/gptbot.json'
const TALLY: TallyOptions = {
  tallyNo: 0,
  ranges: [{ documentUrl: OPENAI, prefix: '203.0.113.0/29', firstSeen: '2026-01-05T00:00:00Z' }],
  pageTypeRules: [],
  keepsRejected: true,
}

/** What a batch says, whichever way it was counted: rows with the names of their paths, in an order of their own. */
function toMeaning(batch: LogBatch, names: readonly string[] = toNames(batch)) {
  const toRows = ({ path, ...columns }: LogBatch['hits'] | LogBatch['visits']): string[] =>
    [...path]
      .map((place, row) =>
        [names[place], ...Object.values(columns).map((column: Uint32Array) => column[row])].join(' '),
      )
      .toSorted()
  return { ...batch, paths: undefined, pathsBefore: undefined, hits: toRows(batch.hits), visits: toRows(batch.visits) }
}

const toNames = ({ paths }: LogBatch): string[] => (JSON.parse(paths.json) as { path: string[] }).path

/** Every line read as text, one after the other. */
function judgeAsTexts(log: Buffer, options: LogReaderOptions = {}): LogBatch {
  const splitter = new LineSplitter({ bytesMax: LOG_LINE_BYTES_MAX, encoding: 'lenient' })
  const tally = createLogTally(createLogReader('combined', options), TALLY, {
    lineNumber: () => splitter.number,
    onForget: () => undefined,
  })
  splitter.push(log, tally)
  return tally.take()
}

/** As the import does it: by a scan, and what that leaves as text. Each path is named by the first batch that has it. */
function openJudge(options: LogReaderOptions = {}): (log: Buffer) => ReturnType<typeof toMeaning> {
  const memory = openLineMemory(1)
  const judge = new BatchJudge(createLogReader('combined', options), TALLY, memory)
  const names: string[] = []
  return (log) => {
    log.copy(memory.slots[0]!)
    const batch = judge.judge({ slot: 0, bytes: log.length, offset: 0 })
    names.length = batch.pathsBefore
    names.push(...toNames(batch))
    return toMeaning(batch, names)
  }
}

/** How many lines of a log the scan counts before it meets one that it leaves. */
function countScanned(log: string): number {
  const { memory, slots } = openLineMemory(1)
  const meanings = { agent: () => 2, origin: () => 0, address: () => 0, path: () => 0 }
  const slot = slots[0]!
  const bytes = slot.write(log, 'latin1')
  return UsualLines.open(memory, meanings, { leavesBots: false })!.scan(slot.byteOffset, slot.byteOffset + bytes).lines
}

const LINE = '203.0.113.7 - - [21/Nov/2026:10:57:03 +0000] "GET /a HTTP/1.1" 200 5 "-" "GPTBot/1.3"\n'

const mostly = (usual: readonly string[], others: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 14, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const separators = [
  '"',
  '\\',
  ' ',
  '] "',
  ' - - [',
  '-',
  'GET ',
  ' HTTP/1.1',
  '?b#c',
  '200',
  '[',
  '#',
  '\r',
  '//',
  '\0',
]
const text = fc
  .array(
    fc.oneof(
      { weight: 24, arbitrary: fc.constantFrom('', 'plain', '-', 'a-somewhat-longer-piece/of-text') },
      { weight: 1, arbitrary: fc.constantFrom(...separators) },
      { weight: 1, arbitrary: hostileText },
    ),
    { maxLength: 3 },
  )
  .map((pieces) => pieces.join(''))

const agents = [
  ...listBots().flatMap(({ example }) => (example === null ? [] : [example])),
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'curl/8.5.0',
  '-',
  '',
]
const referers = [
  '-',
  '',
  'https://chatgpt.com/',
  'https://www.example.com/x',
  'http://perplexity.ai',
  'android-app://x/y',
  '//',
  '/',
]

const line = fc
  .record({
    address: mostly(['203.0.113.7', '203.0.113.9', '10.0.0.1', '2001:db8:0:1:1:1:1:1'], ['', '-', 'a b', 'é']),
    user: mostly([' -'], ['', ' x', 'x', ' x y']),
    time: mostly(
      [
        '21/Nov/2026:10:57:03 +0000',
        '21/Nov/2026:10:57:59 +0000',
        '21/Nov/2026:10:58:00 +0000',
        '21/Nov/2026:11:57:03 +0100',
      ],
      [
        '21/Nov/2026:10:57:60 +0000',
        '21/Nov/2026:10:57:61 +0000',
        '31/Feb/2026:10:57:03 +0000',
        '01/Jan/1969:00:00:00 +0000',
        '07/Feb/2106:06:28:15 +0000',
        'x',
        '',
      ],
    ),
    method: mostly(['GET', 'GET', 'GET', 'POST', 'HEAD'], ['get', 'G-T', 'Gx', '', 'GE', 'GETS']),
    query: mostly(
      ['', '', '?a=1', '#top', '?utm_source=chatgpt.com', '?a=1&UTM_source=perplexity#x'],
      ['?', '#?utm_source=openai', '? ut'],
    ),
    version: mostly(['1.1', '2.0'], ['3', '1.10', '', '?.?', '1#1', '1 x', '  x', '1. ']),
    rest: mostly([''], ['x', '"', ' ']),
    status: mostly(['200', '304', '404', '301', '299', '300', '599'], ['20', '-', '2000', '099']),
    bytes: mostly(['5', '-', '123456'], ['5x', '', '-5', '5 5']),
    path: text,
    referer: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...referers) }, { weight: 1, arbitrary: text }),
    agent: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...agents) }, { weight: 1, arbitrary: text }),
    tail: mostly(['', '', ' "-"', ' "198.51.100.1"', '\r'], [' "', ' 5', 'x', ' "" ""', ' "x" ', '\r\r']),
  })
  .map(
    (part) =>
      `${part.address} -${part.user} [${part.time}] "${part.method} /${part.path}${part.query} HTTP/${part.version}${part.rest}" ` +
      `${part.status} ${part.bytes} "${part.referer}" "${part.agent}"${part.tail}`,
  )
const anyLine = fc.oneof(
  { weight: 30, arbitrary: line },
  { weight: 1, arbitrary: fc.constantFrom('', 'x', '\r', '#Fields: a', LINE.slice(0, 60), LINE.slice(0, -3)) },
)

describe('usual lines of combined logs', () => {
  it('come to what all lines come to when each is read as text', { timeout: 120_000 }, () => {
    const judge = openJudge()
    const judgeForwarded = openJudge({ trustedProxies: 1 })
    let scanned = 0
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 12 }), (lines) => {
        const log = Buffer.from(`${lines.join('\n')}\n`)
        scanned += countScanned(log.toString('latin1'))
        expect(judge(log)).toEqual(toMeaning(judgeAsTexts(log)))
        expect(judgeForwarded(log)).toEqual(toMeaning(judgeAsTexts(log, { trustedProxies: 1 })))
      }),
      { numRuns: 2_000 },
    )
    expect(scanned).toBeGreaterThan(1_000)
  })

  it('are remembered by texts of any length, and of more kinds than there is room for', { timeout: 120_000 }, () => {
    const judge = openJudge()
    const toLine = (no: number): string =>
      LINE.replace('203.0.113.7', `2001:db8::${no.toString(16)}`)
        .replace('/a', `/${no}${'-'.repeat(no % 40 === 0 ? 3_000 : no % 40)}`)
        .replace('GPTBot/1.3', `${no % 2 === 0 ? 'GPTBot' : 'x'}/${no}${'.'.repeat(no % 50 === 0 ? 3_000 : no % 50)}`)
    const nos = Array.from({ length: 6_000 }, (_, no) => no)
    for (const start of [0, 6_000, 12_000, 0, 18_000, 24_000, 30_000, 36_000, 42_000, 48_000, 54_000, 0]) {
      const log = Buffer.from(nos.map((no) => toLine(start + no)).join(''))
      const judged = judge(log)
      expect(judged.hits).toHaveLength(3_000)
      expect(judged).toEqual(toMeaning(judgeAsTexts(log)))
    }
  })

  it('are read alike where everybody writes texts that look the same in memory', () => {
    const judge = openJudge()
    // Alike in all but one byte, wherever in a step of sixteen it stands.
    const lines = Array.from({ length: 200 }, (_, at) =>
      LINE.replace('/a', `/${'-'.repeat(at)}a${'-'.repeat(199 - at)}`).replace(
        'GPTBot/1.3',
        `GPTBot/${'.'.repeat(at)}1${'.'.repeat(199 - at)}`,
      ),
    )
    const log = Buffer.from([...lines, ...lines].join(''))
    expect(new Set(judge(log).hits)).toEqual(new Set(toMeaning(judgeAsTexts(log)).hits))
  })

  it('are nearly all scanned', () => {
    expect(countScanned(LINE.repeat(1_000))).toBe(1_000)
    expect(countScanned(LINE.replace('\n', ' "198.51.100.1"\r\n').repeat(1_000))).toBe(1_000)
  })

  it('are left where they are longer than a line may be', () => {
    const longest = LINE.replace('GET /', `GET /${'a'.repeat(LOG_LINE_BYTES_MAX - LINE.length + 1)}`)
    expect(countScanned(longest)).toBe(1)
    expect(countScanned(longest.replace('GET /', 'GET /a'))).toBe(0)
  })

  it('have a time, also the first of them', () => {
    const line = LINE.replace('21/Nov/2026:10:57:03 +0000', `${'\0'.repeat(18)}03${'\0'.repeat(6)}`)
    expect(openJudge()(Buffer.from(line))).toMatchObject({ lines: 1, rejected: 1 })
  })
})

it('leaves a last line without its end for later, also when it is too long already', () => {
  const judge = new BatchJudge(createLogReader('combined'), TALLY, openLineMemory(1))
  expect(judge.judgeLast(Buffer.from('x'.repeat(LOG_LINE_BYTES_MAX + 2)), 0)).toBe('left')
  expect(judge.judgeLast(Buffer.from(LINE.slice(0, 60)), 0)).toBe('left')
  expect(judge.judgeLast(Buffer.from(LINE.slice(0, -1)), 0)).toMatchObject({ lines: 1, hits: { path: { length: 1 } } })
  for (const nothing of ['', ' ', '\r']) expect(judge.judgeLast(Buffer.from(nothing), 0)).toBeUndefined()
})

it('counts usual lines by the code that its source compiles to', () => {
  expect(compileUsualLines().toString('base64')).toBe(USUAL_LINES_CODE)
})

it.skipIf(process.arch !== 'x64')('reads all lines as text where the processor has no SSE 4.1', async () => {
  const root = mkdtempSync(join(tmpdir(), 'answerlake-usual-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const log = join(root, 'access.log')
  writeFileSync(log, `${LINE.repeat(1_000)}${LINE.replace('GPTBot', 'x').repeat(100)}`)
  const answerlake = (flags: readonly string[], ...args: readonly string[]): string => {
    const program = join(import.meta.dirname, '../../../bin/answerlake.js')
    return execFileSync(process.execPath, [...flags, program, ...args, '--data-dir', join(root, 'data')]).toString()
  }
  answerlake([], 'sites', 'create', '--name', 'Example', '--domain', 'example.com')
  const result = ['import', 'logs', '--dry-run', '--json', '--site', 'example.com', log]
  const old = answerlake(['--no-enable-sse4-1'], ...result)
  expect(old).toBe(answerlake([], ...result))
  expect(JSON.parse(old)).toMatchObject({ lines: 1_100, bot_hits: 1_000, ignored: 100 })
})
