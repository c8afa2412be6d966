import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startIcebergServer } from '../../src/http/iceberg-server.ts'
import type { RunningServer } from '../../src/http/server.ts'
import { publishLake } from '../../src/iceberg/publish.ts'
import { PUBLISHED_TABLES } from '../../src/iceberg/tables.ts'
import { type DemoService, openDemoService } from '../http/support/demo-service.ts'
import { CHOSEN, ENVIRONMENTS, READS_STORAGE, STANDARD } from './engines.ts'
import { type ObjectStorage, startObjectStorage } from './object-storage.ts'
import { type Asked, type AskedSite, makeQuestions, toNamed, type Value } from './questions.ts'
import { addSecondSite } from './second-site.ts'
import { startTrino, type TrinoServer } from './trino-server.ts'
import { WRONG } from './wrong-variants.ts'

/** Requests of each report and site; ENGINE_REQUESTS says otherwise. */
const REQUESTS = Number(process.env['ENGINE_REQUESTS'] ?? 60)
const SEED = Number(process.env['ENGINE_SEED'] ?? 20261122)
/** Where the environments with the engines are, so that a second run need not install them again. */
const VENVS = process.env['ENGINE_VENVS'] ?? join(tmpdir(), 'answerlake-engines')

const hasPython = spawnSync('python3', ['-m', 'venv', '--help']).status === 0
if (!hasPython) console.warn('SKIPPED: the engines that read a publication need python3 with venv')

interface Answered {
  readonly asked: Asked
  readonly rows: readonly (readonly Value[])[]
}

let service: DemoService
let dir: string
let catalog: RunningServer
let token: string
let trino: TrinoServer | undefined
let storage: ObjectStorage | undefined
const answered: Answered[] = []

beforeAll(async () => {
  if (!hasPython) return
  const environments = [...CHOSEN.map((engine) => engine.environment), ...(READS_STORAGE ? ['storage' as const] : [])]
  for (const environment of new Set(environments)) {
    if (!existsSync(toPython(environment))) execFileSync('python3', ['-m', 'venv', join(VENVS, environment)])
    execFileSync(toPython(environment), ['-m', 'pip', 'install', '--quiet', ...ENVIRONMENTS[environment]], {
      stdio: 'inherit',
    })
  }
  dir = mkdtempSync(join(tmpdir(), 'answerlake-publication-'))
  service = await openDemoService()
  for (const { id } of service.app.catalog.organizations.list()) {
    service.app.catalog.organizations.set(id, { requestsPerMinute: 1_000_000_000 })
  }
  const second = await addSecondSite(service)
  await publishLake(service.app.change, { directory: dir, graceMs: 3_600_000 })
  catalog = await startIcebergServer(service.app, {
    directory: dir,
    host: '127.0.0.1',
    port: 0,
    log: { write: () => {} },
    shutdownGraceMs: 1_000,
  })
  token = service.app.catalog.operatorKeys.create({ name: 'engines', expiresInDays: 30, creator: 'tests' }).value
  if (CHOSEN.some(({ name }) => name === 'trino')) trino = await startTrino({ catalog: catalog.url, token })
  if (READS_STORAGE) storage = await publishToStorage()
  for (const [index, { site, key }] of [{ site: describeDemo(), key: service.key }, second].entries()) {
    for (const asked of makeQuestions(site, REQUESTS, SEED + index))
      answered.push({ asked, rows: await askAll(asked, key) })
  }
})

afterAll(async () => {
  if (!hasPython) return
  await trino?.close()
  await storage?.close()
  await catalog.close()
  await service.close()
  rmSync(dir, { recursive: true })
})

/** What a publication for an object store takes: the lake's files and the publication's in one tree. */
async function publishToStorage(): Promise<ObjectStorage> {
  const { change } = service.app
  const started = await startObjectStorage(toPython('storage'))
  const directory = join(dir, 'for-storage')
  await publishLake(change, { directory, location: started.location, graceMs: 3_600_000 })
  await started.upload(change.lakeDir)
  await started.upload(directory)
  return started
}

const DEMO_DAYS = { firstDay: '2026-09-17', lastDay: '2026-11-15' }

function describeDemo(): AskedSite {
  const { catalog } = service.app
  return {
    siteId: service.siteId,
    answers: DEMO_DAYS,
    logs: DEMO_DAYS,
    promptIds: catalog.prompts.list(service.siteId).prompts.map(({ id }) => id),
    domains: ['fernwick.example', 'reddit.com', 'youtube.com', 'wikipedia.org'],
    bots: ['GPTBot', 'ClaudeBot', 'PerplexityBot', 'OAI-SearchBot'],
    sources: ['chatgpt', 'perplexity', 'copilot'],
  }
}

/** All pages of a request. */
async function askAll({ path, body, limit, toRows }: Asked, key: string): Promise<(readonly Value[])[]> {
  const rows: (readonly Value[])[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const reply = await service.send({
      method: 'POST',
      path,
      key,
      body: { ...body, limit, ...(cursor === undefined ? {} : { cursor }) },
    })
    if (reply.status !== 200) throw new Error(`${path} ${JSON.stringify(body)}: ${reply.text}`)
    rows.push(...(reply.body.data as Record<string, unknown>[]).flatMap(toRows))
    cursor = reply.body.info.next_cursor as string | null
  }
  return rows
}

const toPython = (environment: string): string => join(VENVS, environment, 'bin/python')

type EngineAnswer = { readonly rows: Value[][] } | { readonly error: string }

async function run(
  { name, environment }: (typeof CHOSEN)[number],
  queries: readonly string[],
): Promise<EngineAnswer[]> {
  const [path, out] = [join(dir, `${name}.json`), join(dir, `${name}.out`)]
  const tables = PUBLISHED_TABLES.map((table) => table.name)
  const job = {
    dir,
    out,
    tables,
    queries,
    catalog: catalog.url,
    token,
    trino: trino?.url,
    ivy: join(VENVS, 'ivy'),
    storage: storage?.endpoint,
    location: storage?.location,
  }
  writeFileSync(path, JSON.stringify(job))
  await promisify(execFile)(toPython(environment), [join(import.meta.dirname, 'engines.py'), name, path], {
    maxBuffer: 1 << 26,
  })
  return readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as EngineAnswer)
}

const toLines = (rows: readonly (readonly Value[])[]): string[] => rows.map((row) => JSON.stringify(row)).sort()

/** The first difference between what the API and an engine say, in words; undefined for none. */
function findDifference(
  { asked, rows }: Answered,
  columns: readonly string[],
  answer: EngineAnswer | undefined,
): string | undefined {
  if (!answer || 'error' in answer) return answer?.error ?? 'no answer'
  const [expected, found] = [toLines(rows), toLines(answer.rows.map((row) => toNamed(columns, row)))]
  const index = expected.findIndex((line, at) => line !== found[at])
  if (index < 0 && expected.length === found.length) return undefined
  const at = Math.max(index, 0)
  return `${asked.report} ${JSON.stringify(asked.body)}: ${expected.length} rows, engine ${found.length}; API ${expected[at]}, engine ${found[at]}`
}

describe.skipIf(!hasPython)('a publication', () => {
  for (const engine of CHOSEN) {
    test(`gives on ${engine.name} what the API gives, row by row`, async () => {
      const queries = answered.map(({ asked }) => asked.toQuery(engine.dialect))
      const startedMs = performance.now()
      const answers = await run(
        engine,
        queries.map(({ sql }) => sql),
      )
      const seconds = Math.round((performance.now() - startedMs) / 1_000)
      const differences = answered.flatMap(
        (each, index) => findDifference(each, queries[index]?.columns ?? [], answers[index]) ?? [],
      )
      console.log(
        `${engine.name}: ${answered.length} requests, ${answered.reduce((sum, { rows }) => sum + rows.length, 0)} rows, ${differences.length} differ, ${seconds} s`,
      )
      expect(differences.slice(0, 5)).toEqual([])
    })
  }

  const standard = CHOSEN.find(({ dialect }) => dialect === STANDARD)
  test.skipIf(!standard)('a report that is wrong in one place is found out', async () => {
    if (!standard) return
    const jobs = Object.entries(WRONG).flatMap(([name, { report, spoil }]) =>
      answered
        .filter(({ asked }) => asked.report === report)
        .map((each) => ({ name, each, query: each.asked.toQuery(STANDARD), spoil })),
    )
    const answers = await run(
      standard,
      jobs.map(({ query, spoil }) => spoil(query.sql)),
    )
    const caught = new Set(
      jobs.flatMap(({ name, each, query }, index) => {
        const answer = answers[index]
        // One that isn't SQL any more proves nothing.
        if (answer && 'error' in answer) throw new Error(`${name}: ${answer.error}`)
        return findDifference(each, query.columns, answer) === undefined ? [] : [name]
      }),
    )
    expect([...caught].sort()).toEqual(Object.keys(WRONG).sort())
  })
})
