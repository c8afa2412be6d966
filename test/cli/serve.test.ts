import { systemClock } from '../../src/clock.ts'
import { parseConfig, toConfigFile } from '../../src/config.ts'
import { spawnSync } from 'node:child_process'
import { createServer, connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeDirectory, run } from './support/run.ts'
import { makeEnvironment, startProgram, type RunningProgram } from './support/program.ts'

const LISTENING = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/m

async function waitForUrl(program: RunningProgram): Promise<string> {
  return (await program.waitFor(LISTENING))[1] ?? ''
}

describe('serve', () => {
  test('serves an empty directory, says where, and exits 0 on SIGTERM', async () => {
    const directory = makeDirectory()
    const program = startProgram(['serve', '--port', '0'], directory)
    const url = await waitForUrl(program)
    expect((await fetch(`${url}/v1/openapi.json`)).status).toBe(200)
    expect((await fetch(`${url}/v1/sites`)).status).toBe(401)
    program.child.kill('SIGTERM')
    expect(await program.finish()).toEqual({ status: 0, signal: null })
    expect(program.output.stdout).toBe('')
    // The executable unpacks itself into the home's cache, which is here.
    expect(readdirSync(directory).filter((name) => name !== '.cache')).toEqual(['answerlake-data'])
    const [first, ...requests] = program.output.stderr.trimEnd().split('\n')
    expect(first).toMatch(LISTENING)
    expect(requests.map((line) => (JSON.parse(line) as { status: number }).status)).toEqual([200, 401])
  })

  test('SIGINT ends it as cleanly', async () => {
    const program = startProgram(['serve', '--port=0', '--log-level', 'error'], makeDirectory())
    await waitForUrl(program)
    program.child.kill('SIGINT')
    expect(await program.finish()).toEqual({ status: 0, signal: null })
  })

  test('a second signal ends it at once, whatever is under way', async () => {
    const program = startProgram(['serve', '--port', '0', '--shutdown-grace', '5m'], makeDirectory())
    const url = new URL(await waitForUrl(program))
    const socket = connect(Number(url.port), url.hostname)
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    socket.write('GET /v1/me HTTP/1.1\r\nHost: half-a-request\r\n')
    await once(socket, 'connect')
    // Further apart than what is taken for one signal, and than the end itself takes: a third would end it by its force.
    const signals = setInterval(() => program.child.kill('SIGTERM'), 1_000)
    onTestFinished(() => clearInterval(signals))
    expect(await program.finish()).toEqual({ status: 143, signal: null })
  })

  test('a host that no address belongs to is refused with what to do', async () => {
    const program = startProgram(['serve', '--port', '0', '--host', 'no-such-host.invalid'], makeDirectory())
    expect(await program.finish()).toEqual({ status: 1, signal: null })
    expect(program.output.stderr).toMatch(
      /^answerlake: [^;]+; choose an address of this machine with --host \(getaddrinfo \w+ no-such-host\.invalid\)\n$/,
    )
  })

  test('a port in use is refused with what to do', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const program = startProgram(['serve', '--port', String(port)], makeDirectory())
    expect(await program.finish()).toEqual({ status: 1, signal: null })
    expect(program.output).toEqual({
      stdout: '',
      stderr:
        'answerlake: the address is in use; choose another --port or stop what listens there ' +
        `(listen EADDRINUSE: address already in use 127.0.0.1:${port})\n`,
    })
  })

  test('--print-config shows the settings in force and does not serve', async () => {
    const dataDir = join(makeDirectory(), 'none')
    const environment = { ANSWERLAKE_QUERY_TIMEOUT: '90s', ANSWERLAKE_QUERY_THREADS: '3' }
    const result = await run(['serve', '--print-config', '--port', '0', '--data-dir', dataDir], { environment })
    expect({ ...result, stdout: JSON.parse(result.stdout) as unknown }).toEqual({
      status: 0,
      // Every setting with its default stands in test/config.unit.test.ts.
      stdout: {
        ...toConfigFile(parseConfig({ dataDir, environment: {} }, {}, '')),
        port: 0,
        query_timeout: '90s',
        query_threads: 3,
      },
      stderr: '',
    })
  })
})

test('a link for the dashboard begins where a server is found that shows it, and otherwise says that none was', async () => {
  const directory = makeDirectory()
  const dataDir = join(directory, 'answerlake-data')
  await run(['sites', 'create', '--name', 'Acme', '--domain', 'acme.com', '--data-dir', dataDir])
  const invite = async (mail = 'ana@acme.com') => {
    const argv = ['users', 'invite', '--role', 'owner', mail, '--data-dir', dataDir]
    const { stdout, stderr } = await run(argv, { clock: systemClock })
    return { link: new URL(stdout.trim()), stderr }
  }
  const guess =
    'No running server was found that shows the dashboard of this data directory. The link begins with http://127.0.0.1:8080, where one with these settings would.\n'
  const before = await invite()
  expect([before.link.origin, before.stderr]).toEqual(['http://127.0.0.1:8080', expect.stringContaining(guess)])
  const program = startProgram(['serve', '--port', '0'], directory)
  const url = await waitForUrl(program)
  const { link, stderr } = await invite()
  expect([link.origin, stderr]).toEqual([url, expect.not.stringContaining('No running server')])
  expect((await useLink(link, 'correct horse battery')).status).toBe(200)
  program.child.kill('SIGKILL')
  await program.finish()
  expect((await invite('ben@acme.com')).stderr).toContain(guess)
})

describe('demo', () => {
  async function startDemo(directory: string) {
    const program = startProgram(['demo', '--port', '0'], directory)
    await program.waitFor(/^Stop with Ctrl-C\.$/m)
    await program.waitFor(/(^curl .*\n\n?){3}/m, 'stdout')
    await program.waitFor(/^http:.*\/sign-in#[\w-]{43}\n/m, 'stdout')
    const { stdout } = program.output
    const link = new URL(stdout.trimEnd().split('\n').at(-1) ?? '')
    const keys = [...stdout.matchAll(/^(?:read|write) key: +(alk_\w{40})$/gm)].map(([, key]) => key)
    return { program, keys, link, curl: stdout.split('\n').filter((line) => line.startsWith('curl ')) }
  }

  test(
    'imports, makes two keys and prints curl lines that work; a second time nothing is imported twice',
    { timeout: 180_000 },
    async () => {
      const directory = makeDirectory()
      const first = await startDemo(directory)
      expect(first.keys).toHaveLength(2)
      // Real sites, which go into the usual directory, don't meet the demo's.
      expect(readdirSync(directory)).toEqual(['answerlake-demo'])
      expect(first.curl[1]).toContain('"site_id":"site_fernwick"')
      expect(first.curl).toHaveLength(3)
      const answers = ask(first.curl, directory)
      expect(answers.map((rows) => rows.length)).toEqual([1, 5, 10])
      const come = (link: URL) => useLink(link).then(({ status }) => status)
      expect([await come(first.link), await come(first.link)]).toEqual([200, 404])
      first.program.child.kill('SIGTERM')
      expect(await first.program.finish()).toEqual({ status: 0, signal: null })

      const second = await startDemo(directory)
      expect(second.program.output.stderr).toMatch(/^0 answers imported, /m)
      expect(second.keys).toHaveLength(2)
      expect(second.keys).not.toContain(first.keys[0])
      expect(ask(second.curl, directory)).toEqual(answers)
      const { cookie } = await useLink(second.link)
      const session = await fetch(`${second.link.origin}/ui/v1/session`, { headers: { cookie } })
      expect(await session.json()).toMatchObject({
        data: { user: { mail: 'owner@demo.example', role: 'owner' }, has_password: false },
      })
      second.program.child.kill('SIGTERM')
      expect(await second.program.finish()).toEqual({ status: 0, signal: null })
    },
  )

  test('a directory with sites of its own is left alone', async () => {
    const dataDir = join(makeDirectory(), 'data')
    mkdirSync(dataDir, { mode: 0o700 })
    await run(['sites', 'create', '--name', 'Acme', '--domain', 'acme.com', '--data-dir', dataDir])
    expect(await run(['demo', '--port', '0', '--data-dir', dataDir])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'answerlake: The data directory holds sites of your own. Give the demo a directory for itself: ' +
        'answerlake demo --data-dir DIR\n',
    })
  })
})

/** Opens a link as the dashboard's page does. */
async function useLink({ origin, hash }: URL, password?: string): Promise<{ status: number; cookie: string }> {
  const answer = await fetch(`${origin}/ui/v1/links/use`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ secret: hash.slice(1), password }),
  })
  const [cookie = ''] = answer.headers.getSetCookie()
  return { status: answer.status, cookie: cookie.split(';')[0] ?? '' }
}

/** The rows that curl lines get, run as they are printed. */
function ask(lines: readonly string[], directory: string): readonly (readonly object[])[] {
  return lines.map((line) => {
    const { stdout } = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8', env: makeEnvironment(directory) })
    return (JSON.parse(stdout) as { data: object[] }).data
  })
}
