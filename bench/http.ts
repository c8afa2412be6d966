/**
 * `GET /v1/me` with all its checks against a constant JSON body from h3 alone, in the same process and run, asked by another
 * process over loopback: `node bench/http.ts`. Compared is the server's processor time a request, which other work on the
 * machine hardly changes. The figures are in docs/benchmarks.md.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { H3, toNodeHandler } from 'h3'
import { openApp } from '../src/app.ts'
import { parseConfig } from '../src/config.ts'
import { startServer } from '../src/http/server.ts'

const ROUNDS = 5
const SECONDS = 2
const CONNECTIONS = 16
const RATIO_MAX = 3

const [role, url = '', key = ''] = process.argv.slice(2)
if (role === 'client') await ask(new URL(url), key)
else await measure()

async function measure(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'answerlake-bench-'))
  try {
    await using app = await openApp(parseConfig({ dataDir: join(dir, 'data'), environment: {} }, {}, ''), {
      mode: 'server',
      create: true,
    })
    const organization = app.catalog.organizations.create({ name: 'Example', requestsPerMinute: 1_000_000_000 })
    const { value } = app.catalog.keys.create({
      name: 'bench',
      expiresInDays: 30,
      creator: 'bench',
      organizationId: organization.id,
    })
    const ours = await startServer(app, { host: '127.0.0.1', port: 0, log: { write: () => true } })
    const raw = createServer(toNodeHandler(new H3().get('/v1/me', () => ({ data: 'constant' }))))
    await once(raw.listen(0, '127.0.0.1'), 'listening')
    const address = raw.address()
    const rawUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const plain = await time(rawUrl, value)
      const checked = await time(ours.url, value)
      ratios.push(checked.us / plain.us)
      console.log(
        `h3 ${plain.us.toFixed(1)} µs, /v1/me ${checked.us.toFixed(1)} µs a request; ${plain.rate} and ${checked.rate} a second`,
      )
    }
    const ratio = ratios.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN
    console.log(`ratio ${ratio.toFixed(2)} (at most ${RATIO_MAX}): ${ratio <= RATIO_MAX ? 'met' : 'MISSED'}`)
    raw.close()
    raw.closeAllConnections()
    await ours.close()
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** Processor time of this process a request, in microseconds, and requests a second. */
async function time(server: string, value: string): Promise<{ us: number; rate: number }> {
  const client = spawn(process.execPath, [import.meta.filename, 'client', server, value], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  client.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(client.stdout, 'data')
  const before = process.cpuUsage()
  await once(client, 'close')
  const { user, system } = process.cpuUsage(before)
  const answers = Number(output.trim().split('\n').at(-1))
  return { us: (user + system) / answers, rate: Math.round(answers / SECONDS) }
}

/** Asks over some connections for some seconds, one request after the other on each; prints the number of answers. */
async function ask({ hostname, port }: URL, value: string): Promise<void> {
  const request = `GET /v1/me HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${value}\r\n\r\n`
  let answers = 0
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      // An answer is small enough to come in one piece.
      if (!chunk.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(chunk.toString())
      answers += 1
      socket.write(request)
    })
    return socket
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  console.log('connected')
  for (const socket of sockets) socket.write(request)
  setTimeout(() => {
    for (const socket of sockets) socket.destroy()
    console.log(answers)
  }, SECONDS * 1_000)
}
