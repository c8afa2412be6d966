import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { seededRandom } from '../../data/demo/generator/random.ts'
import { hits, openLogSite } from './support/log-site.ts'

const VICTIM = fileURLToPath(new URL('./support/import-victim.ts', import.meta.url))
const ROUNDS = 24
const LINES = 4_000

/** Imports in a process of its own, which is killed so many milliseconds after it has begun; whether it came to its end. */
async function importAndKill(dataDir: string, file: string, ms: number): Promise<boolean> {
  const victim = spawn(process.execPath, [VICTIM, dataDir, file])
  let told = ''
  victim.stdout.on('data', (chunk: Buffer) => {
    if (told === '') setTimeout(() => victim.kill('SIGKILL'), ms)
    told += chunk.toString()
  })
  await once(victim, 'close')
  return told.includes('done')
}

it(`a growing log whose import is killed ${ROUNDS} times counts each line once`, { timeout: 300_000 }, async () => {
  await using site = await openLogSite()
  const random = seededRandom('killed imports')
  const path = site.write('access.log', '')
  const outcomes = { finished: 0, killed: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    appendFileSync(path, hits(round * LINES + 1, (round + 1) * LINES))
    const isDone = await importAndKill(join(site.dir, 'data'), path, random.between(0, 400))
    outcomes[isDone ? 'finished' : 'killed'] += 1
    const stored = (await site.bots({ metrics: ['hits', 'pages'] }))[0] ?? { hits: 0, pages: 0 }
    expect(stored.hits).toBe(stored.pages)
    expect((stored.hits ?? 0) % LINES).toBe(0)
    if (random.chance(0.5)) continue
    await site.import(path)
    const all = (round + 1) * LINES
    expect(await site.bots({ metrics: ['hits', 'pages'] })).toEqual([{ hits: all, pages: all }])
  }
  await site.import(path)
  expect(await site.bots({ metrics: ['hits', 'pages'] })).toEqual([{ hits: ROUNDS * LINES, pages: ROUNDS * LINES }])
  expect(outcomes.killed).toBeGreaterThan(0)
})
