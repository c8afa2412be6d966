import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApp } from '../src/app.ts'
import { parseConfig } from '../src/config.ts'
import { importAnswers } from '../src/import-answers/import-answers.ts'
import { readStatus } from '../src/maintenance/status.ts'
import { brandName, writeAnswerCorpus } from './answer-corpus.ts'
import { watchPeakMemory } from './peak-memory.ts'

// A month of answers of 2 KB with six links, imported in chunks: how long merging, verifying and backing up take, and
// their peak memory.
const ANSWERS = Number(process.argv[2] ?? 150_000)

const dir = mkdtempSync(join(tmpdir(), 'answerlake-bench-'))
const dataDir = join(dir, 'data')
const PROGRAM = join(import.meta.dirname, '../bin/answerlake.js')

/** Runs a command and gives its seconds and the peak of its resident memory. */
async function measure(...argv: readonly string[]): Promise<{ seconds: number; peak_rss_mib: number }> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [PROGRAM, ...argv], { stdio: ['ignore', 'ignore', 'inherit'] })
  const memory = watchPeakMemory(child.pid)
  const [code] = (await once(child, 'close')) as [number]
  const peakMib = memory.stop()
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`)
  return {
    seconds: Number(((performance.now() - startedMs) / 1_000).toFixed(1)),
    peak_rss_mib: peakMib,
  }
}

async function describe(): Promise<{ files: number; mib: number }> {
  await using app = await openApp(parseConfig({ dataDir, environment: {} }, {}, ''), { mode: 'command' })
  const { files, bytes } = await readStatus(app.change)
  return { files, mib: Math.round(bytes / 2 ** 20) }
}

try {
  const file = join(dir, 'answers.ndjson')
  await writeAnswerCorpus(file, { answers: ANSWERS, prompts: 500, brands: 50, days: 28, firstDay: '2026-03-01' })
  {
    await using app = await openApp(parseConfig({ dataDir, environment: {} }, {}, ''), {
      mode: 'command',
      create: true,
    })
    const site = app.catalog.sites.create({ name: brandName(0), domain: 'site0.com' })
    await importAnswers(app.change, {
      site,
      files: [file],
      format: 'native',
      defaults: {},
      createPrompts: true,
      dryRun: false,
      strict: false,
      discoverMin: 1_000_000,
    })
  }
  const before = await describe()
  const compact = await measure('lake', 'compact', '--data-dir', dataDir)
  const after = await describe()
  const verify = await measure('lake', 'verify', '--data-dir', dataDir)
  const backup = await measure('backup', join(dir, 'backup'), '--data-dir', dataDir)
  const again = await measure('backup', join(dir, 'backup'), '--data-dir', dataDir)
  const restore = await measure('restore', join(dir, 'backup'), '--data-dir', join(dir, 'restored'))
  console.log(
    JSON.stringify(
      { answers: ANSWERS, before, compact, after, verify, backup, backup_again: again, restore },
      undefined,
      1,
    ),
  )
} finally {
  rmSync(dir, { recursive: true, force: true })
}
