import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { listStray, listUnsound } from './inspection.ts'
import { runProgram } from './program.ts'
import { createRandom } from './random.ts'
import { openData, SITE } from './world.ts'

const PROGRAM = fileURLToPath(new URL('../../../bin/answerlake.js', import.meta.url))
const FILES = 200
const ANSWERS_EACH = 20
/** An import that is to be killed may run as long: some begin, some are done. */
const DEATH_MS_MAX = 4_000

export interface CrowdResult {
  readonly seconds: number
  readonly imports: number
  /** Imports that were killed. */
  readonly kills: number
  readonly compactions: number
  readonly requests: number
  readonly walks: number
  /** Answers in the files that were imported, each counted once. */
  readonly answers: number
  /** What went wrong, a line each. */
  readonly wrong: readonly string[]
}

/**
 * Importers of overlapping files, a process each call, beside two servers that are asked all the time, somebody who merges
 * and collects, somebody who makes keys and prompts, and an importer that is killed again and again. At the end every answer
 * must be there once, when the killed imports were repeated.
 */
export async function runCrowd({
  importers,
  clients,
  seconds,
}: {
  importers: number
  clients: number
  seconds: number
}): Promise<CrowdResult> {
  const root = mkdtempSync(join(tmpdir(), 'answerlake-crowd-'))
  const dataDir = join(root, 'data')
  const files = Array.from({ length: FILES }, (_, index) => {
    const path = join(root, `file-${index}.ndjson`)
    writeFile(path, index)
    return path
  })
  const key = await makeSite(dataDir)
  const servers = [await startServer(dataDir), await startServer(dataDir)] as const
  const random = createRandom(1)
  const wrong: string[] = []
  const imported = new Set<number>()
  const killed = new Set<number>()
  const counts = { imports: 0, kills: 0, compactions: 0, requests: 0, walks: 0 }
  const startedMs = performance.now()
  const isOver = (): boolean => performance.now() - startedMs > seconds * 1_000
  const command = async (...argv: string[]): Promise<void> => {
    const { status, stderr } = await runProgram([...argv, '--data-dir', dataDir])
    if (status !== 0) wrong.push(`${argv.slice(0, 2).join(' ')} ended with ${status}: ${stderr}`)
  }
  const importOn = async (): Promise<void> => {
    while (!isOver()) {
      const index = Math.floor(random() * FILES)
      await command('import', 'answers', '--site', SITE, files[index] ?? '')
      imported.add(index)
      counts.imports += 1
    }
  }
  const dieOn = async (): Promise<void> => {
    while (!isOver() || counts.kills === 0) {
      const index = Math.floor(random() * FILES)
      const argv = ['import', 'answers', '--site', SITE, files[index] ?? '', '--data-dir', dataDir]
      const { status, stderr } = await runProgram(argv, { killAfterMs: Math.round(random() * DEATH_MS_MAX) })
      if (status === null) counts.kills += 1
      else if (status !== 0) wrong.push(`an import that was to be killed ended with ${status}: ${stderr}`)
      killed.add(index)
    }
  }
  const tidyOn = async (): Promise<void> => {
    while (!isOver()) {
      await command('lake', 'compact')
      await command('lake', 'gc')
      counts.compactions += 1
    }
  }
  const decideOn = async (): Promise<void> => {
    while (!isOver()) {
      await command('keys', 'create', '--name', 'another', '--expires', '30')
      await command('prompts', 'add', '--site', SITE, '--text', `What of ${random()}?`, '--category', 'Brand')
    }
  }
  const askOn = async (_: unknown, index: number): Promise<void> => {
    const { url } = servers[index % servers.length === 0 ? 0 : 1]
    const ask = async (path: string, body: object): Promise<Page> => {
      counts.requests += 1
      return post(`${url}${path}`, key, body)
    }
    while (!isOver()) {
      try {
        await walk(ask)
        counts.walks += 1
        await ask('/v1/reports/visibility', { ...RANGE, group_by: ['date'] })
      } catch (error) {
        wrong.push(error instanceof Error ? error.message : String(error))
      }
    }
  }
  try {
    await Promise.all([
      ...Array.from({ length: importers }, importOn),
      ...Array.from({ length: clients }, askOn),
      dieOn(),
      tidyOn(),
      decideOn(),
    ])
    for (const index of killed) await command('import', 'answers', '--site', SITE, files[index] ?? '')
    for (const server of servers) {
      const { exitCode, errors } = await server.stop()
      if (exitCode !== 0) wrong.push(`a server ended with ${exitCode}`)
      wrong.push(...errors)
    }
    const answers = await checkAnswers(dataDir, new Set([...imported, ...killed]), wrong)
    wrong.push(...(await listUnsound(dataDir)), ...(await listStray(dataDir)))
    return { seconds: Math.round((performance.now() - startedMs) / 1_000), ...counts, answers, wrong }
  } finally {
    for (const server of servers) await server.stop()
    rmSync(root, { recursive: true, force: true })
  }
}

async function makeSite(dataDir: string): Promise<string> {
  await using app = await openData(dataDir, true)
  const { catalog } = app
  const plenty = 1_000_000_000
  const organization = catalog.organizations.create({ name: 'Acme', requestsPerMinute: plenty })
  catalog.sites.create({ id: SITE, name: 'Acme', domain: 'acme.com', organizationId: organization.id, discover: false })
  catalog.prompts.add(
    SITE,
    ['p1', 'p2', 'p3'].map((id) => ({ id, text: `What of ${id}?`, category: 'Discovery' })),
  )
  catalog.competitors.add(SITE, { id: 'globex', name: 'Globex', domains: ['globex.com'] })
  return catalog.keys.create({ name: 'crowd', expiresInDays: 30, organizationId: organization.id, creator: 'test' })
    .value
}

async function startServer(dataDir: string) {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', '--data-dir', dataDir], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  const errors: string[] = []
  const { promise: listening, resolve } = Promise.withResolvers<string>()
  createInterface(child.stderr).on('line', (line) => {
    const url = /^listening on (\S+)/.exec(line)?.[1]
    if (url !== undefined) resolve(url)
    else if (line.includes('"level":"error"') || !line.startsWith('{')) errors.push(`the server says ${line}`)
  })
  const url = await Promise.race([listening, ended.then(() => Promise.reject(new Error(errors.join('\n'))))])
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      const [exitCode] = await ended
      return { exitCode, errors }
    },
  }
}

const RANGE = { site_id: SITE, start_date: '2026-03-01', end_date: '2026-04-30' }

interface Page {
  readonly info: { readonly total_results: number; readonly next_cursor: string | null }
  readonly data: readonly { readonly id: string }[]
}

async function post(url: string, key: string, body: object): Promise<Page> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${url} was answered with ${response.status}: ${text}`)
  return JSON.parse(text) as Page
}

/** Walks through all pages of the answers; each must come once, and as many as the first page says. */
async function walk(ask: (path: string, body: object) => Promise<Page>): Promise<void> {
  const ids: string[] = []
  const totals = new Set<number>()
  let cursor: string | null = null
  do {
    const page: Page = await ask('/v1/answers', {
      ...RANGE,
      limit: 50,
      include: ['date'],
      ...(cursor === null ? {} : { cursor }),
    })
    totals.add(page.info.total_results)
    ids.push(...page.data.map(({ id }) => id))
    cursor = page.info.next_cursor
  } while (cursor !== null)
  const [total] = totals
  if (totals.size !== 1 || ids.length !== total || new Set(ids).size !== total) {
    throw new Error(`a walk of ${[...totals].join()} answers gave ${ids.length}, ${new Set(ids).size} different ones`)
  }
}

/** Holds what is there against the files that were imported; gives the number of answers. */
async function checkAnswers(dataDir: string, imported: ReadonlySet<number>, wrong: string[]): Promise<number> {
  const expected = new Set<string>()
  for (const index of imported) for (const id of listIds(index)) expected.add(id)
  await using app = await openData(dataDir)
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await app.reports.answers(SITE, {
      ...RANGE,
      limit: 500,
      include: [],
      ...(cursor === undefined ? {} : { cursor }),
    })
    found.push(...page.data.map(({ id }) => id))
    cursor = page.info.next_cursor ?? undefined
  } while (cursor !== undefined)
  if (JSON.stringify(found.toSorted()) !== JSON.stringify([...expected].toSorted())) {
    wrong.push(
      `${found.length} answers are there, ${new Set(found).size} different ones; ${expected.size} were imported`,
    )
  }
  return expected.size
}

/** A file has half of the answers of the one before it. */
function listIds(index: number): string[] {
  return Array.from({ length: ANSWERS_EACH }, (_, no) => `a${(index * ANSWERS_EACH) / 2 + no}`)
}

function writeFile(path: string, index: number): void {
  const lines = listIds(index).map((id, no) =>
    JSON.stringify({
      id,
      date: `2026-0${3 + (no % 2)}-${String(1 + (no % 28)).padStart(2, '0')}`,
      platform: ['chatgpt', 'perplexity'][no % 2],
      prompt: `What of p${1 + (no % 3)}?`,
      text: `${id}: Acme or Globex.`,
      citations: [`https://acme.com/${no}`, `https://source.example/${id}`],
    }),
  )
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
}
