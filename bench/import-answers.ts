import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApp } from '../src/app.ts'
import { parseConfig } from '../src/config.ts'
import { importAnswers } from '../src/import-answers/import-answers.ts'
import { brandName, writeAnswerCorpus } from './answer-corpus.ts'
import { readOwnPeakMib } from './peak-memory.ts'

// Answers of 2 KB with six links against 50 brands: answers a second, and peak memory of the whole process.
const ANSWERS = Number(process.argv[2] ?? 150_000)
const BRANDS = 50

const dir = mkdtempSync(join(tmpdir(), 'answerlake-bench-'))
try {
  const file = join(dir, 'answers.ndjson')
  await writeAnswerCorpus(file, { answers: ANSWERS, prompts: 500, brands: BRANDS, days: 60, firstDay: '2026-08-01' })
  const config = parseConfig({ dataDir: join(dir, 'data'), environment: {} }, {}, '')
  await using app = await openApp(config, { mode: 'command', create: true })
  const site = app.catalog.sites.create({ name: brandName(0), domain: 'site0.com' })
  for (let no = 1; no < BRANDS; no++) {
    app.catalog.competitors.add(site.id, { name: brandName(no), domains: [`site${no}.com`] })
  }
  const cpu = process.cpuUsage()
  const thread = process.threadCpuUsage()
  const started = performance.now()
  const result = await importAnswers(app.change, {
    site,
    files: [file],
    format: 'auto',
    defaults: {},
    createPrompts: true,
    dryRun: false,
    strict: false,
    discoverMin: 5,
  })
  const seconds = (performance.now() - started) / 1_000
  console.log(
    JSON.stringify({
      answers: result.imported,
      input_mib: Math.round(statSync(file).size / 2 ** 20),
      seconds: Number(seconds.toFixed(2)),
      answers_per_second: Math.round(result.imported / seconds),
      cpu_us_per_answer: Math.round(sum(process.cpuUsage(cpu)) / result.imported),
      main_thread_us_per_answer: Math.round(sum(process.threadCpuUsage(thread)) / result.imported),
      peak_rss_mib: readOwnPeakMib(),
    }),
  )
} finally {
  rmSync(dir, { recursive: true, force: true })
}

function sum({ user, system }: { user: number; system: number }): number {
  return user + system
}
