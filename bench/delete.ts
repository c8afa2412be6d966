import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeSite } from './answer-lake.ts'
import { watchPeakMemory } from './peak-memory.ts'

// How long deletions take on a lake of 1.5 million answers with six links each, in months of some 105,000, and their peak
// memory: a month, a day of it, a prompt in all months, and the words of the oldest month.
const DAYS = Number(process.argv[2] ?? 429)
const FIRST_DAY = '2025-09-01'

const dir = mkdtempSync(join(tmpdir(), 'answerlake-bench-'))
const PROGRAM = join(import.meta.dirname, '../bin/answerlake.js')

/** Runs a command; gives its seconds, those until it was done and only upkeep was left, the peak of its memory, and what it says. */
async function measure(...argv: readonly string[]) {
  const startedMs = performance.now()
  const args = [PROGRAM, ...argv, '--data-dir', join(dir, 'data')]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const memory = watchPeakMemory(child.pid)
  let said = ''
  let toldMs = startedMs
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (said === '') toldMs = performance.now()
    said += text
  })
  const [code] = (await once(child, 'close')) as [number]
  const peakMib = memory.stop()
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`)
  const toSeconds = (ms: number): number => Number((ms / 1_000).toFixed(1))
  return {
    done_seconds: toSeconds(toldMs - startedMs),
    seconds: toSeconds(performance.now() - startedMs),
    peak_rss_mib: peakMib,
    said: said.trim().replaceAll(/\s+/g, ' '),
  }
}

try {
  let siteId: string
  {
    await using made = await makeSite(dir, { firstDay: FIRST_DAY, days: DAYS })
    siteId = made.siteId
  }
  const remove = ['answers', 'delete', '--site', siteId, '--yes']
  const month = await measure(...remove, '--from', '2025-11-01', '--to', '2025-11-30')
  const day = await measure(...remove, '--from', '2025-12-05', '--to', '2025-12-05')
  const again = await measure(...remove, '--from', '2025-12-05', '--to', '2025-12-05', '--dry-run')
  const prompt = await measure(...remove, '--prompt', 'Question 7')
  process.env['ANSWERLAKE_RETENTION_RAW'] = `${Math.floor((Date.now() - Date.parse('2025-10-01')) / 86_400_000)}d`
  const words = await measure('lake', 'retention')
  const blank = await measure('lake', 'retention')
  console.log(JSON.stringify({ days: DAYS, month, day, again, prompt, words, blank }, undefined, 1))
} finally {
  rmSync(dir, { recursive: true, force: true })
}
