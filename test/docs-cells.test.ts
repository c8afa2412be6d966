import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'

const PROGRAM = join(import.meta.dirname, '../bin/answerlake.js')
const PAGE = readFileSync(join(import.meta.dirname, '../docs/cells.md'), 'utf8')
const hasNginx = spawnSync('nginx', ['-v']).status === 0
if (!hasNginx) console.warn('SKIPPED: two cells behind a proxy (needs nginx)')

/** The commands of the page, in the words of a test: its organization, its directories. */
function run(dataDir: string, ...words: string[]): string {
  return execFileSync(process.execPath, [PROGRAM, ...words, '--data-dir', dataDir], { encoding: 'utf8', stdio: 'pipe' })
}

async function serve(dataDir: string): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', '--data-dir', dataDir])
  onTestFinished(() => end(child))
  for await (const line of createInterface(child.stderr)) {
    const [, address] = /^listening on http:\/\/(.*)$/.exec(line) ?? []
    if (address === undefined) continue
    child.stderr.resume()
    return address
  }
  throw new Error(`the server of ${dataDir} ended`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** nginx with the page's configuration, of which only addresses and certificates are others; `route` reloads it. */
async function startProxy(dir: string, first: string): Promise<{ url: string; route: (lines: string[]) => void }> {
  const port = await findFreePort()
  const [, printed = ''] = /```nginx\n(.*?)```/s.exec(PAGE) ?? []
  const file = join(dir, 'nginx.conf')
  const write = (lines: readonly string[]): void => {
    const block = printed
      .replace('127.0.0.1:8080', first)
      .replace(/ +~\^alk_c07.*\n/, lines.map((line) => `  ${line};\n`).join(''))
      .replace('443 ssl', `127.0.0.1:${port}`)
      .replaceAll(/ +ssl_certificate.*\n/g, '')
    writeFileSync(file, `pid ${dir}/pid;\ndaemon off;\nevents {}\nhttp {\naccess_log off;\n${block}\n}\n`)
  }
  write([])
  const options = ['-e', join(dir, 'error.log'), '-c', file]
  const child = spawn('nginx', options, { stdio: 'ignore' })
  onTestFinished(() => end(child))
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries++) {
    const isUp = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) break
    if (tries > 100) throw new Error(readFileSync(join(dir, 'error.log'), 'utf8'))
    await setTimeout(50)
  }
  return {
    url,
    route: (lines) => {
      write(lines)
      execFileSync('nginx', ['-s', 'reload', ...options], { stdio: 'pipe' })
    },
  }
}

const RANGE = { start_date: '2026-10-01', end_date: '2026-10-31' }
const QUESTIONS: readonly (readonly [method: 'GET' | 'POST', path: string, body?: object])[] = [
  ['GET', '/v1/me'],
  ['GET', '/v1/sites'],
  ['GET', '/v1/sites/SITE'],
  ['GET', '/v1/platforms'],
  ['GET', '/v1/sites/SITE/prompts'],
  ['GET', '/v1/sites/SITE/competitors'],
  ['GET', '/v1/sites/SITE/actions'],
  ['POST', '/v1/reports/visibility', { ...RANGE, group_by: ['platform'], brands: 'all' }],
  ['POST', '/v1/reports/citations', { ...RANGE, entity: 'page' }],
  ['POST', '/v1/reports/sentiment', RANGE],
  ['POST', '/v1/reports/bots', RANGE],
  ['POST', '/v1/reports/referrals', RANGE],
  ['POST', '/v1/reports/searches', RANGE],
  ['POST', '/v1/answers', RANGE],
]

async function ask(base: string, key: string, siteId: string): Promise<{ status: number; text: string }[]> {
  return Promise.all(
    QUESTIONS.map(async ([method, path, body]) => {
      const reply = await fetch(base + path.replace('SITE', siteId), {
        method,
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        ...(body ? { body: JSON.stringify({ site_id: siteId, ...body }) } : {}),
      })
      // Cursors are signed by each cell; a key's last use is noted now and then.
      const text = (await reply.text()).replaceAll(/"(next_cursor|request_id|last_used_at)":"[^"]*"/g, '"$1":"…"')
      return { status: reply.status, text }
    }),
  )
}

/** A data directory with an organization of its own. */
function fill(dir: string, name: string, cell: string[]): { dataDir: string; key: string } {
  const dataDir = join(dir, name)
  const answers = Array.from({ length: 60 }, (_, index) => ({
    id: `${name}-${index}`,
    date: `2026-10-${String(1 + (index % 30)).padStart(2, '0')}`,
    platform: ['chatgpt', 'gemini', 'perplexity'][index % 3],
    prompt: `What of ${index % 4}?`,
    text: index % 3 === 0 ? `${name} and Globex lead.` : 'Globex leads.',
    citations: [`https://${name}.example/${index % 5}`],
    search_queries: [`best ${index % 4}`],
  }))
  const file = join(dir, `${name}.ndjson`)
  writeFileSync(file, answers.map((answer) => JSON.stringify(answer)).join('\n'))
  const log = join(dir, `${name}.log`)
  writeFileSync(log, '20.15.240.64 - - [20/Oct/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 1 "-" "GPTBot/1.2"\n')
  run(dataDir, 'orgs', 'create', '--name', name, '--id', name)
  run(dataDir, 'sites', 'create', '--org', name, '--name', name, '--domain', `${name}.example`, '--id', `site-${name}`)
  run(dataDir, 'import', 'answers', '--site', `site-${name}`, '--create-prompts', file)
  run(dataDir, 'import', 'logs', '--site', `site-${name}`, log)
  const key = run(dataDir, 'keys', 'create', '--org', name, '--name', 'bi', '--expires', '30', ...cell).trim()
  return { dataDir, key }
}

test.skipIf(!hasNginx)(
  'two cells behind the proxy of the page answer as one, also while an organization moves',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'answerlake-cells-'))
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    const one = fill(dir, 'acme', [])
    const seven = fill(dir, 'initech', ['--cell', 'c07'])
    expect(seven.key).toMatch(/^alk_c07[0-9A-Za-z]{37}$/)
    const [first, second] = [await serve(one.dataDir), await serve(seven.dataDir)]
    const proxy = await startProxy(dir, first)
    proxy.route([`~^alk_c07 ${second}`])

    const copy = join(dir, 'move')
    run(one.dataDir, 'orgs', 'export', 'acme', copy, '--keep-changing')
    const late = join(dir, 'late.ndjson')
    writeFileSync(late, JSON.stringify({ date: '2026-11-01', platform: 'claude', prompt: 'What of 0?', text: 'acme' }))
    run(one.dataDir, 'import', 'answers', '--site', 'site-acme', late)

    const before = await ask(`http://${first}`, one.key, 'site-acme')
    expect(before.map(({ status }) => status)).toEqual(QUESTIONS.map(() => 200))
    await expect
      .poll(() => ask(proxy.url, seven.key, 'site-initech'))
      .toEqual(await ask(`http://${second}`, seven.key, 'site-initech'))
    expect(await ask(proxy.url, one.key, 'site-acme')).toEqual(before)

    let asked = 0
    const load = new AbortController()
    const wrong: unknown[] = []
    const reading = (async () => {
      for (; !load.signal.aborted; asked++) {
        const now = await ask(proxy.url, one.key, 'site-acme')
        now.forEach((reply, index) => {
          if (reply.text !== before[index]?.text) wrong.push(QUESTIONS[index], reply)
        })
      }
    })()
    run(one.dataDir, 'orgs', 'export', 'acme', copy)
    expect(() => run(one.dataDir, 'import', 'answers', '--site', 'site-acme', late)).toThrow(/are stopped/)
    run(seven.dataDir, 'orgs', 'import', copy)
    const asksBefore = asked
    proxy.route([`~^alk_c07 ${second}`, `${one.key} ${second}`])
    await expect.poll(() => asked, { timeout: 30_000 }).toBeGreaterThan(asksBefore + 2)
    await setTimeout(500)
    run(one.dataDir, 'orgs', 'delete', 'acme', '--yes')
    const asksAfter = asked
    await expect.poll(() => asked, { timeout: 30_000 }).toBeGreaterThan(asksAfter + 2)
    load.abort()
    await reading
    expect(wrong).toEqual([])
    const imports = run(
      seven.dataDir,
      'report',
      'answers',
      '--site',
      'site-acme',
      '--from',
      '2026-11-01',
      '--to',
      '2026-11-01',
      '--format',
      'ndjson',
    )
    expect(imports.trim().split('\n')).toHaveLength(1)
    // What was refused meanwhile is imported where the organization is now.
    run(seven.dataDir, 'import', 'answers', '--site', 'site-acme', late)
    expect(
      await ask(proxy.url, seven.key, 'site-acme').then((replies) => replies.map(({ status }) => status)),
    ).toContain(404)
  },
)
