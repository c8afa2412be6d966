import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REPORTS } from '../../src/reports/index.ts'
import { serveWorld, type ServedWorld } from '../reports/support/served-world.ts'
import { makeWorld } from '../support/oracle/world.ts'
import { run, type RunOptions } from './support/run.ts'

const world = makeWorld('command line', { share: 0.03 })
const DAYS = { start_date: '2026-08-26', end_date: '2026-10-04' }
const COMPARED = { compare_start_date: '2026-07-01', compare_end_date: '2026-08-25', metric: 'mention_rate' }
const EVERY = ['--site', world.site.domain, '--from', DAYS.start_date, '--to', DAYS.end_date]
const EVERY_CHANGE = ['--compare-from', '2026-07-01', '--compare-to', '2026-08-25', '--metric', 'mention_rate']

/** Flags of each report and the body that they stand for. */
const ASKED: Readonly<Record<string, readonly (readonly [flags: readonly string[], body: object])[]>> = {
  visibility: [
    [[], {}],
    [
      ['--group-by', 'date, platform', '--metrics', 'answers,mention_rate', '--brands', 'all'],
      { group_by: ['date', 'platform'], metrics: ['answers', 'mention_rate'], brands: 'all' },
    ],
    [
      ['--brands', 'Acme,Rival', '--sort', '{"field":"answers","dir":"asc"}', '--limit', '2'],
      { brands: ['Acme', 'Rival'], sort: { field: 'answers', dir: 'asc' }, limit: 2 },
    ],
    [
      ['--filter', '{"not":{"field":"platform","op":"in","value":["chatgpt"]}}', '--group-by', '["prompt"]'],
      { filter: { not: { field: 'platform', op: 'in', value: ['chatgpt'] } }, group_by: ['prompt'] },
    ],
  ],
  citations: [[['--entity', 'page', '--group-by', 'prompt'], { entity: 'page', group_by: ['prompt'] }]],
  sentiment: [[['--metrics', 'judged_answers'], { metrics: ['judged_answers'] }]],
  bots: [
    [
      ['--timezone', 'Europe/Berlin', '--group-by', 'hour,bot_name'],
      { timezone: 'Europe/Berlin', group_by: ['hour', 'bot_name'] },
    ],
  ],
  referrals: [[['--group-by', 'referral_source'], { group_by: ['referral_source'] }]],
  changes: [[[...EVERY_CHANGE, '--group-by', 'platform'], { ...COMPARED, group_by: ['platform'] }]],
  searches: [[[], {}]],
  answers: [
    [[], {}],
    [
      ['--include', 'date,citations', '--platforms', 'chatgpt'],
      { include: ['date', 'citations'], platforms: ['chatgpt'] },
    ],
  ],
}

let served: ServedWorld
beforeAll(async () => {
  served = await serveWorld(world)
})
afterAll(() => served.close())

const report = (name: string, flags: readonly string[], options: RunOptions = {}) =>
  run(['report', name, ...flags, '--data-dir', served.service.dataDir], options)

async function ask(path: string, accept: string, body: object): Promise<string> {
  const key = served.app.catalog.keys.create({ name: 'report', expiresInDays: 30, creator: 'tests' }).value
  const asked = { method: 'POST', path, key, headers: { accept }, body: { site_id: world.site.id, ...DAYS, ...body } }
  const { status, text } = await served.service.send(asked)
  expect(status, text).toBe(200)
  return text
}

describe.each(REPORTS.map(({ contract }) => [contract.name, contract.path] as const))('report %s', (name, path) => {
  it('gives the same rows as the API, in every format', async () => {
    const asked = ASKED[name] ?? []
    expect(asked.length).toBeGreaterThan(0)
    for (const [flags, body] of asked) {
      const csv = await report(name, [...EVERY, ...flags])
      expect(csv).toMatchObject({ status: 0, stdout: await ask(path, 'text/csv', body) })
      const ndjson = await report(name, [...EVERY, ...flags, '--format', 'ndjson'])
      expect(ndjson.stdout).toBe(await ask(path, 'application/x-ndjson', body))
      const { info, data } = JSON.parse((await report(name, [...EVERY, ...flags, '--json'])).stdout)
      expect(data).toEqual(
        ndjson.stdout
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line)),
      )
      expect(info).toMatchObject({ ...DAYS, count: data.length })
      const notes: readonly string[] = info.notes ?? []
      expect(csv.stderr).toBe(notes.map((note) => `note: ${note}\n`).join(''))
      if (name === 'changes') expect(notes).not.toEqual([])
      const table = await report(name, [...EVERY, ...flags, '--format', 'table'])
      const [head = ''] = csv.stdout.split('\r\n')
      if (data.length > 0) expect(table.stdout.split('\n')[0]?.split(/ +/)).toEqual(head.toUpperCase().split(','))
    }
  })

  it('refuses what the API refuses, naming the flag', async () => {
    const changes = name === 'changes' ? EVERY_CHANGE : []
    const turned = ['--site', world.site.domain, '--from', '2026-10-04', '--to', '2026-08-26', ...changes]
    const { status, stderr, stdout } = await report(name, turned)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain('--to: Use a day not before start_date.')
  })
})

describe('the format', () => {
  it('is a table on a terminal and CSV elsewhere, unless a flag says so', async () => {
    const flags = [...EVERY, '--metrics', 'answers']
    expect((await report('visibility', flags, { terminal: true })).stdout).toMatch(
      /^BRAND.NAME +BRAND.OWNED +RANK +ANSWERS\n/,
    )
    expect((await report('visibility', flags)).stdout).toMatch(/^brand.name,brand.owned,rank,answers\r\n/)
    const shown = await report('visibility', [...flags, '--format', 'csv'], { terminal: true })
    expect(shown.stdout).toMatch(/^brand.name,brand.owned,rank,answers\n/)
    expect(await report('visibility', [...flags, '--json', '--format', 'csv'])).toMatchObject({ status: 2 })
  })

  it('is one JSON document where it is asked for, indented on a terminal, with rows and without', async () => {
    const none = ['--site', world.site.domain, '--from', '2020-01-01', '--to', '2020-01-02']
    for (const [flags, hasRows] of [
      [EVERY, true],
      [none, false],
    ] as const) {
      for (const terminal of [true, false]) {
        const { stdout } = await report('answers', [...flags, '--format', 'json'], { terminal })
        const document = JSON.parse(stdout) as { info: { count: number }; data: unknown[] }
        expect(stdout).toBe(`${JSON.stringify(document, undefined, terminal ? 2 : undefined)}\n`)
        expect([document.data.length, document.data.length > 0]).toEqual([document.info.count, hasRows])
      }
    }
  })

  it('shows a terminal no character that it would obey', async () => {
    await served.import([
      [{ id: 'obeyed', date: '2026-09-01', platform: 'chatgpt', prompt_id: 'brand', text: 'a\u001B[31mred\u202E' }],
    ])
    const flags = [...EVERY, '--include', 'text', '--limit', '50', '--format']
    for (const format of ['csv', 'ndjson', 'table']) {
      const { stdout } = await report('answers', [...EVERY, '--include', 'text', '--format', format], {
        terminal: true,
      })
      expect(stdout, format).toMatch(/a\\u001b\[31mred\\u202e/i)
      expect(stdout, format).not.toMatch(/[\u001B\u202E]/)
    }
    expect((await report('answers', [...flags, 'json'])).status).toBe(0)
  })
})

describe('wrong usage', () => {
  it.each([
    ['an unknown name', 'visibility', ['--group-by', 'platform,dat'], '--group-by (1): Use one of "date"'],
    ['a filter that is no JSON', 'visibility', ['--filter', '{platform}'], '--filter is not valid JSON'],
    [
      'a bad pattern',
      'visibility',
      ['--filter', '{"field":"prompt","op":"matches","value":"("}'],
      '--filter (value): Not a valid RE2',
    ],
    [
      'a brand that the site does not have',
      'visibility',
      ['--brands', 'Acme,Unheard Of'],
      '--brands (1): No brand of this site',
    ],
    ['an unknown zone', 'bots', ['--timezone', 'Mars/Base'], '--timezone: There is no such time zone'],
    ['a limit above the page', 'bots', ['--limit', '501'], '--limit: Use at most 500.'],
    ['a number that is none', 'bots', ['--limit', 'many'], '--limit: Use a number.'],
    [
      'a day that does not exist',
      'answers',
      ['--from', '2026-02-31', '--to', '2026-03-01'],
      '--from: There is no such day',
    ],
  ])('%s is told by its flag', async (_what, name, flags, message) => {
    const given = flags.includes('--from') ? ['--site', world.site.domain] : EVERY
    const { status, stderr } = await report(name, [...given, ...flags])
    expect(stderr).toContain(message)
    expect(status).toBe(2)
  })

  it('an unknown site is refused', async () => {
    const { status, stderr } = await report('bots', ['--site', 'nobody.example', ...EVERY.slice(2)])
    expect([status, stderr]).toEqual([1, expect.stringContaining('There is no site "nobody.example"')])
  })
})
