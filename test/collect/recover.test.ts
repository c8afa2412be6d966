import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { runScan } from '../../src/collect/run-scan.ts'
import { seal } from '../../src/collect/spool.ts'
import { KILL_POINTS, type KilledScan } from './support/kill-points.ts'
import { type ScriptedServer, sendJson, startScriptedServer, toResponse } from './support/scripted-server.ts'
import { toTarget } from './support/test-provider.ts'
import { countLake, DAY, importSpool, listSpool, makeDataDir, openScanWorld, statusesOf } from './support/test-scan.ts'

const SCRIPT = fileURLToPath(new URL('./support/killed-scan.ts', import.meta.url))

async function scanUntilKilled(task: KilledScan): Promise<NodeJS.Signals | null> {
  const child = startScan(task)
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  return signal
}

function startScan(task: KilledScan): ChildProcess {
  return spawn(process.execPath, [SCRIPT, JSON.stringify(task)], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Question 3 is answered by a task. */
async function startEngine(): Promise<ScriptedServer> {
  return startScriptedServer((asked, response) => {
    if (asked.json.input === 'Question 3?') sendJson(response, { task: 't3' })
    else sendJson(response, toResponse(`Acme: ${asked.json.input ?? 'Question 3?'}`))
  })
}

const purchasesOf = ({ received }: ScriptedServer): string[] =>
  received.filter(({ method }) => method === 'POST').map(({ json }) => json.input ?? '')

/** A site with ten prompts, which no process has open. */
async function makeSite(url: string): Promise<string> {
  const dataDir = makeDataDir()
  const { app } = await openScanWorld({ dataDir, targets: [toTarget(url)], prompts: 10 })
  await app[Symbol.asyncDispose]()
  return dataDir
}

const POINTS = KILL_POINTS.filter((point) => point !== 'while it is under way')

describe('a scan that was killed', () => {
  test.each(POINTS.map((point, index) => [point, 1 + (index % 3)] as const))(
    '%s is put in order by the next one, and nothing is bought twice',
    async (point, nth) => {
      const engine = await startEngine()
      const dataDir = await makeSite(engine.url)
      const signal = await scanUntilKilled({
        dataDir,
        url: engine.url,
        day: DAY,
        point,
        nth: ONCE.has(point) ? 1 : nth,
      })
      expect(signal).toBe(point === 'nowhere' ? null : 'SIGKILL')
      const boughtBefore = purchasesOf(engine).length
      const world = await openScanWorld({ dataDir, targets: [toTarget(engine.url)] })
      const result = await runScan(world.context, world.site, world.plan)
      const bought = purchasesOf(engine)
      expect(new Set(bought).size).toBe(bought.length)
      const statuses = statusesOf(world)
      const { answered = 0, uncertain = 0 } = statuses
      expect(answered + uncertain).toBe(10)
      // At most those that were under way, and none whose reply was stored.
      expect(uncertain).toBeLessThanOrEqual(LATE.has(point) ? 0 : 6)
      expect(result.recovered.runs).toBe(point === 'nowhere' ? 0 : 1)
      expect(result.recovered.uncertain).toBe(uncertain)
      expect(countLake(world)).toBe(answered)
      expect(bought.length).toBeGreaterThanOrEqual(Math.max(boughtBefore, answered))
      expect(listSpool(dataDir).every((name) => name.endsWith('.ndjson.zst'))).toBe(true)
      expect(await importSpool(world)).toMatchObject({ imported: 0, duplicates: answered, differing: 0, rejected: 0 })
      const { dayMicros } = world.app.catalog.spend.sum(
        world.site.organizationId,
        new Date().toISOString().slice(0, 10),
      )
      expect(dayMicros).toBe(answered * 1_000 + uncertain * 5_000)
    },
  )

  test('while calls were under way leaves these uncertain, and asks the others', async () => {
    const engine = await startScriptedServer((_, response, nth) => {
      if (nth === 5) child.kill('SIGKILL')
      else if (nth < 4) sendJson(response, toResponse('Acme.'))
    })
    const dataDir = await makeSite(engine.url)
    const child = startScan({ dataDir, url: engine.url, day: DAY, point: 'nowhere', nth: 1 })
    await once(child, 'exit')
    const before = purchasesOf(engine)
    engine.respond = (_, response) => sendJson(response, toResponse('Acme.'))
    const world = await openScanWorld({ dataDir, targets: [toTarget(engine.url)] })
    const result = await runScan(world.context, world.site, world.plan)
    expect(result.recovered.uncertain).toBeGreaterThanOrEqual(2)
    expect(statusesOf(world)).toEqual({
      answered: 10 - result.recovered.uncertain,
      uncertain: result.recovered.uncertain,
    })
    expect(purchasesOf(engine).filter((input) => before.includes(input))).toEqual(before)
  })

  test('is left as it is while its replies cannot be listed', async () => {
    const engine = await startEngine()
    const dataDir = await makeSite(engine.url)
    await scanUntilKilled({ dataDir, url: engine.url, day: DAY, point: 'before the import', nth: 1 })
    const directory = join(dataDir, 'scans', DAY, 'shadow')
    writeFileSync(directory, '')
    const world = await openScanWorld({ dataDir, targets: [toTarget(engine.url)] })
    await expect(runScan(world.context, world.site, world.plan)).rejects.toThrow(`${directory} can't be read`)
    rmSync(directory)
    await runScan(world.context, world.site, world.plan)
    const { answered = 0, uncertain = 0 } = statusesOf(world)
    expect([answered + uncertain, countLake(world)]).toEqual([10, answered])
  })

  test('in the midst of a line loses that line alone', async () => {
    const engine = await startEngine()
    const dataDir = await makeSite(engine.url)
    await scanUntilKilled({ dataDir, url: engine.url, day: DAY, point: 'when the reply is stored', nth: 3 })
    const directory = join(dataDir, 'scans', DAY)
    const plain = readdirSync(directory).filter((name) => name.endsWith('.ndjson'))
    expect(plain).toHaveLength(1)
    const path = join(directory, plain[0]!)
    truncateSync(path, readFileSync(path).length - 40)
    writeFileSync(`${path}.zst.tmp`, 'half')
    const world = await openScanWorld({ dataDir, targets: [toTarget(engine.url)] })
    const result = await runScan(world.context, world.site, world.plan)
    expect(result.recovered.uncertain).toBeGreaterThanOrEqual(1)
    expect(countLake(world)).toBe(10 - result.recovered.uncertain)
    expect(listSpool(dataDir).every((name) => name.endsWith('.ndjson.zst'))).toBe(true)
    expect(await importSpool(world)).toMatchObject({ imported: 0, rejected: 0 })
  })
})

test.each([
  ['a longer one that is there already stays', 'one\ntwo\nthree\n', 'one\ntwo\nthree\n'],
  ['a shorter one gives way', 'one\n', 'one\ntwo\n'],
])('sealing a file: %s', async (_, there, after) => {
  const dataDir = makeDataDir()
  mkdirSync(dataDir)
  const path = join(dataDir, 'run-1.ndjson')
  writeFileSync(path, 'one\ntwo\n')
  writeFileSync(`${path}.zst`, zstdCompressSync(there))
  await seal(dataDir, 'run-1.ndjson')
  expect(zstdDecompressSync(readFileSync(`${path}.zst`)).toString()).toBe(after)
  expect(readdirSync(dataDir)).toEqual(['run-1.ndjson.zst'])
})

/** Points that a scan is sure to come to once alone. */
const ONCE: ReadonlySet<string> = new Set([
  'when a task is bought',
  'before the import',
  'after the import',
  'before sealing',
  'before its end',
])
/** Points at which nothing is under way. */
const LATE: ReadonlySet<string> = new Set(['before its end', 'nowhere'])
