import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { get, request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedLogs, serveLogs } from '../reports/support/served-logs.ts'

const ROWS = 100_500
const ROWS_MAX = 100_000
/** Long enough that no socket's buffers hold all of it. */
const LONG = 'x'.repeat(200)

const AGENT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const lines = Array.from(
  { length: ROWS },
  (_, index) => `192.0.2.1 - - [01/Oct/2026:10:00:00 +0000] "GET /${index}/${LONG} HTTP/1.1" 200 10 "-" "${AGENT}"`,
)
const BY_PATH = {
  site_id: 'logs',
  start_date: '2026-10-01',
  end_date: '2026-10-01',
  group_by: ['path'],
  metrics: ['hits'],
}
const FEWER = { ...BY_PATH, filter: { field: 'path', op: 'starts_with', value: '/1' } }
const FEWER_ROWS = lines.filter((line) => line.includes('"GET /1')).length

let served: ServedLogs
let key: string
let port: number
beforeAll(async () => {
  served = await serveLogs({ ranges: [], imports: [[lines]] })
  const { app, url } = served.service
  key = app.catalog.keys.create({ name: 'whole', expiresInDays: 30, creator: 'tests' }).value
  port = Number(new URL(url).port)
}, 120_000)
afterAll(() => served.close())

const headersOf = (accept: string, encoding = 'identity') => ({
  'x-api-key': key,
  'content-type': 'application/json',
  accept,
  'accept-encoding': encoding,
})

/** The answer's head; its body waits to be read. */
async function open(accept: string, body: object = BY_PATH): Promise<IncomingMessage> {
  const sent = request({
    host: '127.0.0.1',
    port,
    path: '/v1/reports/bots',
    method: 'POST',
    headers: headersOf(accept),
    agent: false,
  })
  sent.end(JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

async function read(response: IncomingMessage): Promise<{ text: string; error?: NodeJS.ErrnoException }> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer)
    return { text: Buffer.concat(chunks).toString() }
  } catch (error) {
    return { text: Buffer.concat(chunks).toString(), error: error as NodeJS.ErrnoException }
  }
}

const loggedLast = (): Record<string, unknown> => JSON.parse(served.service.log.at(-1) ?? '{}')
const countLines = (text: string, end: string): number => text.split(end).length - 1

describe('more rows than a whole result may have', () => {
  it('end NDJSON with a line that is an error', async () => {
    const response = await open('application/x-ndjson')
    expect([response.statusCode, response.headers['x-total-results']]).toEqual([200, String(ROWS)])
    const { text, error } = await read(response)
    expect(error).toBeUndefined()
    const all = text.split('\n')
    expect(all.length).toBe(ROWS_MAX + 2)
    expect(JSON.parse(all[ROWS_MAX] ?? '')).toEqual({
      error: {
        code: 'too_many_rows',
        message: expect.stringContaining(`has ${ROWS} rows`),
        request_id: response.headers['x-request-id'],
      },
    })
    expect(new Set(all.slice(0, ROWS_MAX)).size).toBe(ROWS_MAX)
    expect(loggedLast()).toMatchObject({ status: 200, error: 'too_many_rows', bytes: Buffer.byteLength(text) })
  })

  it.each(['identity', 'gzip', 'br', 'zstd'])('cut CSV off, sent as %s', async (encoding) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path: '/v1/reports/bots',
      method: 'POST',
      headers: headersOf('text/csv', encoding),
      agent: false,
    })
    sent.end(JSON.stringify(BY_PATH))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const { text, error } = await read(response)
    expect(error?.code).toBe('ECONNRESET')
    expect([response.complete, response.headers['x-total-results']]).toEqual([false, String(ROWS)])
    if (encoding === 'identity') expect(countLines(text, '\r\n')).toBeLessThanOrEqual(ROWS_MAX + 1)
    await expect.poll(() => loggedLast()['error']).toBe('too_many_rows')
  })

  it('reset a connection of HTTP/1.0, whose end would be the end of the rows', async () => {
    const socket = connect({ host: '127.0.0.1', port })
    const body = JSON.stringify(BY_PATH)
    const head = Object.entries(headersOf('text/csv')).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(
      `POST /v1/reports/bots HTTP/1.0\r\nhost: x\r\ncontent-length: ${body.length}\r\n${head.join('')}\r\n${body}`,
    )
    socket.resume()
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
    expect(error.code).toBe('ECONNRESET')
  })

  it('are a failed transfer to curl, and to a program in Python', async () => {
    const flags = Object.entries(headersOf('text/csv')).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const url = `http://127.0.0.1:${port}/v1/reports/bots`
    const curl = await runProgram('curl', ['-sS', '-o', '/dev/null', ...flags, '-d', JSON.stringify(BY_PATH), url])
    if (curl !== undefined) {
      // 18: the transfer ended with data outstanding; 56: failure in receiving.
      expect([18, 56]).toContain(curl.status)
      const fewer = await runProgram('curl', ['-sS', ...flags, '-d', JSON.stringify(FEWER), url])
      expect([fewer?.status, countLines(fewer?.stdout ?? '', '\r\n')]).toEqual([0, FEWER_ROWS + 1])
    }
    const python = await runProgram('python3', [
      '-c',
      PYTHON,
      String(port),
      JSON.stringify(headersOf('text/csv')),
      JSON.stringify(BY_PATH),
      JSON.stringify(FEWER),
    ])
    if (python !== undefined) expect(python).toEqual({ status: 0, stdout: `cut\n${FEWER_ROWS}\n` })
  })
})

/** Reads rows with Python's own modules, the way a notebook does. */
const PYTHON = `
import csv, http.client, io, json, sys
port, headers, bodies = int(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3:]
for body in bodies:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/v1/reports/bots", body, headers)
    answer = connection.getresponse()
    try:
        rows = list(csv.DictReader(io.TextIOWrapper(answer, encoding="utf-8", newline="")))
        assert all(int(row["hits"]) == 1 and row["path"].startswith("/1") for row in rows)
        print(len(rows))
    except (http.client.IncompleteRead, ConnectionResetError):
        print("cut")
`

/** Status and output; undefined where the machine has no such program. */
async function runProgram(
  name: string,
  args: readonly string[],
): Promise<{ status: number; stdout: string } | undefined> {
  try {
    const { stdout } = await promisify(execFile)(name, args, { maxBuffer: 256 * 1_024 * 1_024 })
    return { status: 0, stdout }
  } catch (error) {
    const { code, stdout = '' } = error as { code?: number | string; stdout?: string }
    return code === 'ENOENT' ? undefined : { status: Number(code), stdout }
  }
}

describe('a whole result', () => {
  it('has each row once, in order, as pages have them', async () => {
    const { text } = await read(await open('application/x-ndjson', FEWER))
    const page = await served.ask('/v1/reports/bots', { ...FEWER, limit: 500 })
    const rows = text.split('\n').slice(0, -1)
    expect([rows.length, new Set(rows).size]).toEqual([FEWER_ROWS, FEWER_ROWS])
    expect(rows.slice(0, 500)).toEqual(page.body.data.map((row) => JSON.stringify(row)))
  })

  it('is the header alone, or no byte, where there are no rows', async () => {
    const none = { ...BY_PATH, start_date: '2026-09-01', end_date: '2026-09-01' }
    expect((await read(await open('text/csv', none))).text).toBe('path,hits\r\n')
    const ndjson = await open('application/x-ndjson', none)
    expect([(await read(ndjson)).text, ndjson.headers['x-total-results']]).toEqual(['', '0'])
  })

  it('is a page where limit is given, or a cursor', async () => {
    const first = await open('text/csv', { ...BY_PATH, limit: 5 })
    const { text } = await read(first)
    expect([countLines(text, '\r\n'), first.headers['x-total-results']]).toEqual([6, String(ROWS)])
    const second = await open('text/csv', { ...BY_PATH, cursor: first.headers['x-next-cursor'] })
    expect(countLines((await read(second)).text, '\r\n')).toBe(101)
  })

  it('waits for its client, holds no place of a query meanwhile, and ends when the client goes away', async () => {
    const slow = await Promise.all(Array.from({ length: 4 }, () => open('application/x-ndjson')))
    for (const response of slow) response.pause()
    const lines = served.service.log.length
    // One key has half of the places of whole results; pages and queries have others.
    expect((await served.ask('/v1/reports/bots', { ...BY_PATH, limit: 1 })).status).toBe(200)
    const fifth = open('text/csv', FEWER)
    const early = await Promise.race([
      fifth.then(() => 'answered'),
      new Promise((resolve) => setTimeout(resolve, 700, 'waits')),
    ])
    expect(early).toBe('waits')
    expect(served.service.log.length, 'nothing but the page is done').toBe(lines + 1)

    slow[0]?.destroy()
    expect(countLines((await read(await fifth)).text, '\r\n')).toBe(FEWER_ROWS + 1)
    for (const response of slow.slice(1)) response.destroy()
    const statuses = (): unknown[] => served.service.log.slice(lines + 1).map((line) => JSON.parse(line).status)
    await expect.poll(() => statuses().toSorted()).toEqual([200, 499, 499, 499, 499])
  })

  it('is let go of, however often its clients go away', async () => {
    for (let round = 0; round < 20; round++) {
      const response = await open('text/csv')
      response.destroy()
    }
    expect(countLines((await read(await open('text/csv', FEWER))).text, '\r\n')).toBe(FEWER_ROWS + 1)
    const health = await new Promise<IncomingMessage>((resolve) =>
      get({ host: '127.0.0.1', port, path: '/healthz' }, resolve),
    )
    health.resume()
    expect(health.statusCode).toBe(200)
  })
})
