import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openInput } from '../../src/input/open.ts'
import type { LogLine } from '../../src/import-logs/formats/log-line.ts'
import { openLog } from '../../src/import-logs/open-log.ts'

/** A public log of May 2015; see samples/NOTICE. */
const LOG = join(import.meta.dirname, 'samples/apache-2015.log.gz')

/** What a command prints that reads the log's lines from its standard input. */
function shell(command: string): string {
  return execFileSync('sh', ['-c', `gzip -dc '${LOG}' | ${command}`], {
    encoding: 'utf8',
    maxBuffer: 10_000_000,
    env: { ...process.env, LC_ALL: 'C' },
  })
}

/** `uniq -c` as pairs. */
function counts(command: string): Record<string, number> {
  const lines = shell(`${command} | sort | uniq -c`).trim().split('\n')
  return Object.fromEntries(lines.map((line) => [line.trim().split(' ')[1], Number.parseInt(line, 10)]))
}

function countBy(lines: readonly LogLine[], key: (line: LogLine) => string): Record<string, number> {
  const groups = Object.entries(Object.groupBy(lines, key))
  return Object.fromEntries(groups.map(([value, group = []]) => [value, group.length]))
}

describe('a real log of 10,000 lines', () => {
  const lines: LogLine[] = []
  const rejected: number[] = []

  beforeAll(async () => {
    await using input = await openInput(LOG)
    const { format, splitter, reader } = (await openLog(input, { format: 'auto' }))!
    const visitor = {
      line(text: string, start: number, end: number) {
        const parsed = reader.parse(text, start, end)
        if (parsed !== undefined && !('reject' in parsed)) lines.push(parsed)
        else rejected.push(splitter.number)
      },
      fault: () => void rejected.push(splitter.number),
    }
    for await (const chunk of input) splitter.push(chunk, visitor)
    splitter.end(visitor)
    expect(format).toBe('combined')
  })

  it('has every line read but the one that was cut off', () => {
    expect(lines.length + rejected.length).toBe(Number(shell('wc -l')))
    expect(lines.length).toBe(Number(shell(`grep -c '"$'`)))
    expect(rejected).toEqual([Number.parseInt(shell(`grep -nv '"$'`), 10)])
  })

  it('has the statuses that awk counts', () => {
    expect(countBy(lines, (line) => String(line.status))).toEqual(counts(`grep '"$' | awk '{print $9}'`))
  })

  it('has the methods that cut counts', () => {
    expect(countBy(lines, (line) => line.method)).toEqual(counts(`grep '"$' | cut -d'"' -f2 | cut -d' ' -f1`))
  })

  it("has the hours that cut counts, in a time zone that is not the machine's", () => {
    const hour = (line: LogLine): string =>
      new Date(line.timeSeconds * 1_000).toISOString().slice(8, 13).replace('T', '/May/2015:')
    expect(countBy(lines, hour)).toEqual(counts(`grep '"$' | cut -d'[' -f2 | cut -c1-14`))
  })

  it.each([
    'Googlebot/2.1',
    'Googlebot-Image',
    'bingbot/',
    'msnbot',
    'YandexBot',
    'Baiduspider',
    'Slurp',
    'archive.org_bot',
    'Sogou',
  ])('has as many lines of %s as grep counts', (token) => {
    const expected = Number(shell(`grep '"$' | cut -d'"' -f6- | grep -cF '${token}'`))
    expect(lines.filter((line) => line.userAgent.includes(token))).toHaveLength(expected)
    expect(expected).toBeGreaterThan(10)
  })

  it('has the addresses, paths, queries, referers and user agents that the shell cuts out', () => {
    const whole = shell(`grep '"$' | grep -vF '\\x'`).trimEnd().split('\n')
    const plain = lines.filter((line) => !line.referer.includes('\uFFFD'))
    expect(plain).toHaveLength(whole.length)
    const rewritten = plain.map(
      ({ address, method, path, query, referer, userAgent }) =>
        `${address}|${method} ${path}${query === '' ? '' : `?${query}`}|${referer || '-'}|${userAgent || '-'}`,
    )
    const cut = whole.map((line) => {
      const [head = '', request = '', , referer = '', , agent = ''] = line.split('"')
      const target = request
        .replace(/ HTTP\/1\.\d$/, '')
        .replace(/\?$/, '')
        .replace(/#.*/, '')
      return `${head.split(' ')[0]}|${target}|${referer}|${agent}`
    })
    expect(rewritten).toEqual(cut)
  })
})
