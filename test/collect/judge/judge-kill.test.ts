import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { App } from '../../../src/app.ts'
import { judgeAnswers } from '../../../src/collect/judge/judge-answers.ts'
import { importAnswers } from '../../../src/import-answers/import-answers.ts'
import { openChangeDatabase } from '../../../src/lake/instance.ts'
import { readFiles } from '../../../src/lake/read/files-relation.ts'
import { sql } from '../../../src/lake/sql.ts'
import { readCells } from '../../../src/lake/statement.ts'
import { makeEnvironment } from '../../cli/support/program.ts'
import { openData } from '../../faults/support/world.ts'
import { SITE } from '../../maintenance/support/lake.ts'
import { JudgeServer, readTone } from './support/judge-server.ts'
import { makeOpinions, SECRET, toJudging } from './support/judge-world.ts'

const ANSWERS = 24
const CONCURRENCY = 4
const ARGUMENTS = ['--site', SITE, '--from', '2026-10-01', '--to', '2026-11-30', '--budget', '50']

/** A data directory that nobody has open, with the answers and a judge. */
async function makeDataDir(root: string, url: string): Promise<string> {
  const dataDir = join(root, 'data')
  await using app = await openData(dataDir, true)
  const site = app.catalog.sites.create({ id: SITE, name: 'Acme', domain: 'acme.com' })
  const file = join(root, 'answers.ndjson')
  writeFileSync(
    file,
    makeOpinions(ANSWERS)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  )
  await importAnswers(app.change, {
    site,
    files: [file],
    format: 'native',
    defaults: {},
    createPrompts: true,
    dryRun: false,
    strict: true,
    discoverMin: 5,
  })
  const config = {
    providers: { custom: { base_url: url, per_minute: 100_000, concurrency: CONCURRENCY } },
    judge: { provider: 'custom', model: 'tiny' },
  }
  writeFileSync(join(dataDir, 'scan.json'), JSON.stringify(config))
  return dataDir
}

/** Starts the command and kills it at a moment. */
async function killAt(dataDir: string, isTime: () => boolean, afterMs: number): Promise<string | null> {
  const child = spawn(
    process.execPath,
    [resolve('bin/answerlake.js'), 'sentiment', 'judge', ...ARGUMENTS, '--data-dir', dataDir],
    { env: { ...makeEnvironment(dataDir), ANSWERLAKE_SECRET_CUSTOM: SECRET }, stdio: 'ignore' },
  )
  const ended = once(child, 'close') as Promise<[number | null, string | null]>
  while (!isTime() && child.exitCode === null) await pause(2)
  await pause(afterMs)
  child.kill('SIGKILL')
  const [, signal] = await ended
  return signal
}

/** Rows of `judgements` in the lake: the answer's id and the sentiment's number. */
async function readJudgements({ change, catalog }: App, spillDir: string): Promise<readonly (readonly unknown[])[]> {
  using database = await openChangeDatabase(spillDir)
  const files = catalog.manifest.listFiles(SITE, catalog.manifest.currentSnapshot(SITE))
  return await readCells(
    await database.connect(),
    sql`SELECT id, after_no FROM ${readFiles(change.lakeDir, 'judgements', files)}
      JOIN ${readFiles(change.lakeDir, 'answers', files)} USING (answer_no) ORDER BY id`,
  )
}

test.each([
  ['after the first purchase', 1, 0],
  ['in the middle', 12, 0],
  ['while judgements are taken in', ANSWERS, 60],
  ['while they are committed', ANSWERS, 250],
  ['when all is done, or nearly', ANSWERS, 900],
])(
  'killed %s, every judgement that was received is in the lake once, and none is paid for twice',
  async (_, purchases, afterMs) => {
    const root = mkdtempSync(join(tmpdir(), 'answerlake-judge-'))
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    await using server = await JudgeServer.start()
    server.delayMs = 25
    const dataDir = await makeDataDir(root, server.url)
    await killAt(dataDir, () => server.bought.length >= purchases, afterMs)
    await using app = await openData(dataDir)
    const { context, request } = await toJudging(app, server.url)
    const result = await judgeAnswers(context, request)
    const counts = Map.groupBy(server.bought, (answer) => answer)
    expect([...counts.values()].filter(({ length }) => length > 1)).toEqual([])
    const judged = await readJudgements(app, root)
    const { uncertain } = result.recovered
    // As many may be under way, and as many waiting to be stored.
    expect(uncertain).toBeLessThanOrEqual(2 * CONCURRENCY)
    expect(judged).toHaveLength(ANSWERS - uncertain)
    expect(new Set(judged.map(([id]) => id)).size).toBe(judged.length)
    const tones = new Map(makeOpinions(ANSWERS).map(({ id, text }) => [id, readTone(text)]))
    const numbers = { positive: 1, neutral: 2, negative: 3 }
    expect(judged.filter(([id, no]) => numbers[tones.get(String(id))!] !== no)).toEqual([])
    expect(await judgeAnswers(context, { ...request, retries: true })).toMatchObject({
      calls: uncertain,
      answered: uncertain,
    })
    expect(await readJudgements(app, root)).toHaveLength(ANSWERS)
    expect(server.bought.length).toBeLessThanOrEqual(ANSWERS + uncertain)
  },
)
