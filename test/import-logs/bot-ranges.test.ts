import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openCatalog } from '../../src/catalog/catalog.ts'
import { fetchRanges, readRanges, saveRanges } from '../../src/import-logs/bot-ranges.ts'
import { botsOfDocument, listRangesDocuments, type RangesDocument } from '../../src/reference/bots.ts'
import { CommandError } from '../../src/errors.ts'

const GPTBOT = listRangesDocuments().find(({ bots }) => bots.some(({ name }) => name === 'GPTBot'))!
const DOCUMENTS = listRangesDocuments()
const body = (...prefixes: string[]) => JSON.stringify({ prefixes: prefixes.map((ipv4Prefix) => ({ ipv4Prefix })) })

function makeDirectory(files: Readonly<Record<string, string>> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'answerlake-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return directory
}

describe('readRanges', () => {
  test('a file named after a bot gives the ranges of its document, the rest is left alone', async () => {
    const directory = makeDirectory({
      'GPTBot.json': body('192.0.2.0/24', '198.51.100.7'),
      'notes.json': 'not read',
      'Bytespider.json': 'not read either: nothing is published for it',
      'README.md': '',
    })
    expect(await readRanges(DOCUMENTS, directory)).toEqual({
      loaded: [{ document: GPTBOT, prefixes: ['192.0.2.0/24', '198.51.100.7/32'] }],
      ignored: ['Bytespider.json', 'notes.json'],
    })
  })

  test('a file serves every bot that shares the document, and several of them are put together', async () => {
    const shared = DOCUMENTS.find(({ bots }) => bots.length > 1)!
    const [first, second] = shared.bots
    const both = {
      [`${first!.name}.json`]: body('192.0.2.0/24'),
      [`${second!.name}.json`]: body('192.0.2.0/24', '203.0.113.0/24'),
    }
    expect((await readRanges(DOCUMENTS, makeDirectory(both))).loaded).toEqual([
      { document: shared, prefixes: ['192.0.2.0/24', '203.0.113.0/24'] },
    ])
    expect(botsOfDocument(shared.url)).toEqual(shared.bots)
  })

  test.each([
    [{}, 'holds no <bot_name>.json of a bot with published ranges'],
    [{ 'gptbot.json': body('192.0.2.0/24') }, 'holds no <bot_name>.json of a bot with published ranges'],
    [{ 'GPTBot.json': '{' }, 'GPTBot.json: no list of address ranges'],
    [{ 'GPTBot.json': body('192.0.2.0/24'), 'ClaudeBot.json': body('300.0.0.0/8') }, 'ClaudeBot.json: prefixes[0]'],
  ])('%j is refused as a whole', async (files, message) => {
    const refusal = readRanges(DOCUMENTS, makeDirectory(files))
    await expect(refusal).rejects.toThrow(CommandError)
    await expect(refusal).rejects.toThrow(message)
  })

  test('a directory in the place of a file is refused', async () => {
    const directory = makeDirectory()
    const path = join(directory, 'GPTBot.json')
    mkdirSync(path)
    await expect(readRanges(DOCUMENTS, directory)).rejects.toThrow(
      new CommandError(`${path}: is a directory. Name a file in it.`),
    )
  })

  test.each(['nowhere', 'GPTBot.json'])('%s, which is no directory, is refused with what to name', async (name) => {
    const path = join(makeDirectory({ 'GPTBot.json': body('192.0.2.0/24') }), name)
    await expect(readRanges(DOCUMENTS, path)).rejects.toThrow(
      new CommandError(
        `${path}: there is no such directory. Name the one that holds the providers' documents, each as <bot_name>.json, like GPTBot.json.`,
      ),
    )
  })
})

describe('fetchRanges', () => {
  async function serve(listener: RequestListener): Promise<RangesDocument> {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bot.json`, isPage: false, bots: [] }
  }
  const options = { userAgent: 'answerlake/test', signal: new AbortController().signal }

  test('documents are fetched with the program’s name, in the given order', async () => {
    const agents: (string | undefined)[] = []
    const answer =
      (text: string): RequestListener =>
      (request, response) => {
        agents.push(request.headers['user-agent'])
        response.end(text)
      }
    const first = await serve(answer(body('192.0.2.0/24')))
    const second = await serve(answer(body('203.0.113.0/24')))
    expect(await fetchRanges([first, second], options)).toEqual({
      loaded: [
        { document: first, prefixes: ['192.0.2.0/24'] },
        { document: second, prefixes: ['203.0.113.0/24'] },
      ],
      unreachable: [],
    })
    expect(agents).toEqual(['answerlake/test', 'answerlake/test'])
  })

  test('what cannot be reached is listed with the reason, the others arrive', async () => {
    const good = await serve((_request, response) => response.end(body('192.0.2.0/24')))
    const moved = await serve((_request, response) => response.writeHead(302, { location: good.url }).end())
    const gone = await serve((_request, response) => response.writeHead(404).end())
    const cut = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{')
      response.destroy()
    })
    const closed: RangesDocument = { url: 'http://127.0.0.1:1/bot.json', isPage: false, bots: [] }
    const { loaded, unreachable } = await fetchRanges([moved, gone, cut, closed, good], options)
    expect(loaded).toEqual([{ document: good, prefixes: ['192.0.2.0/24'] }])
    expect(unreachable).toEqual([
      { document: moved, reason: 'unexpected redirect' },
      { document: gone, reason: 'it answered with status 404' },
      { document: cut, reason: 'other side closed' },
      { document: closed, reason: 'bad port' },
    ])
  })

  test('a document without an end is left off at the limit', async () => {
    const endless = await serve((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1 << 20, 32)));
      }
      response.on('drain', more)
      more()
    })
    expect((await fetchRanges([endless], options)).unreachable).toEqual([
      { document: endless, reason: 'it is larger than 4 MiB' },
    ])
  })

  test('a malformed document refuses the whole call', async () => {
    const good = await serve((_request, response) => response.end(body('192.0.2.0/24')))
    const bad = await serve((_request, response) => response.end('<h1>moved</h1>'))
    await expect(fetchRanges([good, bad], options)).rejects.toThrow(`${bad.url}: no list of address ranges`)
  })

  test('a stopped call rejects instead of calling providers unreachable', async () => {
    const controller = new AbortController()
    const silent = await serve(() => controller.abort(new Error('stopped')))
    await expect(fetchRanges([silent], { ...options, signal: controller.signal })).rejects.toThrow('stopped')
  })
})

test('what was loaded is kept, and a prefix that is listed no longer stays', () => {
  using catalog = openCatalog(join(makeDirectory(), 'catalog.sqlite'), { mode: 'command', create: true })
  const at = (day: number) => ({ now: () => Date.UTC(2026, 10, day) })
  saveRanges(catalog, [{ document: GPTBOT, prefixes: ['192.0.2.0/24', '198.51.100.0/24'] }], at(1))
  saveRanges(catalog, [{ document: GPTBOT, prefixes: ['192.0.2.0/24'] }], at(2))
  const range = { documentUrl: GPTBOT.url, firstSeen: '2026-11-01T00:00:00.000Z' }
  expect(catalog.botRanges.list()).toEqual([
    { ...range, prefix: '192.0.2.0/24', lastSeen: '2026-11-02T00:00:00.000Z' },
    { ...range, prefix: '198.51.100.0/24', lastSeen: '2026-11-01T00:00:00.000Z' },
  ])
})

/** `count` prefixes of the length side by side, from 1.0.0.0 on. */
const makePrefixes = (length: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const first = 2 ** 24 + index * 2 ** (32 - length)
    return `${first >>> 24}.${(first >>> 16) & 255}.${(first >>> 8) & 255}.${first & 255}/${length}`
  })

test('ranges that would verify much of the internet are refused, together with those of earlier documents', () => {
  using catalog = openCatalog(join(makeDirectory(), 'catalog.sqlite'), { mode: 'command', create: true })
  const clock = { now: () => Date.UTC(2026, 10, 1) }
  const save = (...prefixes: string[]) => saveRanges(catalog, [{ document: GPTBOT, prefixes }], clock)
  const all = makePrefixes(12, 32)
  const message = /^GPTBot: its ranges, .* more addresses than a crawler has .*Nothing was changed.*bots forget GPTBot/
  expect(() => save(...all)).toThrow(message)
  expect(() => save('2a02:6b0::/28', '2001:db8::/32')).toThrow(message)
  expect(catalog.botRanges.list()).toEqual([])
  // 2^24 addresses, and what Yandex publishes, its 2a02:6b8::/29 the widest of all known prefixes.
  save(...all.slice(0, 16), '2a02:6b8::/29', '2620:10f:d000::/44')
  expect(() => save('100.0.0.0/24')).toThrow(message)
  expect(catalog.botRanges.list()).toHaveLength(18)
  expect(catalog.botRanges.forgetDocument(GPTBOT.url)).toBe(18)
  expect(catalog.botRanges.forgetDocument(GPTBOT.url)).toBe(0)
  expect([catalog.botRanges.list(), catalog.botRanges.listDocuments()]).toEqual([[], []])
  save('100.0.0.0/24')
})
