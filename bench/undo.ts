import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, openApp } from '../src/app.ts'
import { parseConfig } from '../src/config.ts'
import { shiftDay } from '../src/domain/day.ts'
import { importAnswers } from '../src/import-answers/import-answers.ts'
import { newId } from '../src/ids.ts'
import { compactLake } from '../src/maintenance/compaction.ts'
import { writeAnswerCorpus } from './answer-corpus.ts'
import { type AnswerDays, makeSite } from './answer-lake.ts'
import { watchPeakMemory } from './peak-memory.ts'

// A site that 400 imports brought 1.5 million answers, each of about a day: how long it takes to take the newest back, as its
// files were written and after they were merged into its month's, and the peak memory.
const DAYS = Number(process.argv[2] ?? 428)
const IMPORTS = 400
const ANSWERS = 3_500
const SPAN: AnswerDays = { firstDay: shiftDay('2026-10-31', 1 - DAYS), days: DAYS }

const dir = mkdtempSync(join(tmpdir(), 'answerlake-bench-'))
const dataDir = join(dir, 'data')
const PROGRAM = join(import.meta.dirname, '../bin/answerlake.js')

async function inData<T>(work: (app: App) => T | Promise<T>): Promise<T> {
  await using app = await openApp(parseConfig({ dataDir, environment: {} }, {}, ''), { mode: 'command' })
  return await work(app)
}

/** Takes the newest import back: the time until the result is told, that of all with the upkeep after it, and the memory. */
async function measure() {
  const id = await inData(({ catalog }) => catalog.recordedChanges.list({ isStanding: true, limit: 1 })[0]?.id ?? '')
  const startedMs = performance.now()
  const since = (): number => Number(((performance.now() - startedMs) / 1_000).toFixed(2))
  const argv = [PROGRAM, 'import', 'undo', id, '--json', '--data-dir', dataDir]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  const memory = watchPeakMemory(child.pid)
  let told = ''
  let told_s = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text
    told_s ||= since()
  })
  const [code] = (await once(child, 'close')) as [number]
  const peak_rss_mib = memory.stop()
  if (code !== 0) throw new Error(`the undo ended with ${code}`)
  const { answers, mentions, citations } = JSON.parse(told) as Record<string, number>
  return { answers, mentions, citations, told_s, with_upkeep_s: since(), peak_rss_mib }
}

async function importNewest(file: string): Promise<void> {
  await inData(async (app) => {
    const [site] = app.catalog.sites.list()
    if (!site) throw new Error('there is no site')
    const options = { format: 'native', defaults: {}, createPrompts: true, dryRun: false, strict: true } as const
    await importAnswers(app.change, { ...options, site, files: [file], discoverMin: 1_000_000 })
  })
}

try {
  {
    await using made = await makeSite(dir, SPAN)
    const { catalog } = made.app
    const share = Math.ceil((DAYS * ANSWERS) / (IMPORTS - 1))
    for (let no = 0; no < IMPORTS - 1; no++) {
      const undo = { firstAnswerNo: 1 + no * share, nextAnswerNo: 1 + (no + 1) * share, hasNumberedNoAnswers: true }
      const result = { imported: share, duplicates: 0, no_answer: 0 }
      const id = newId('imp', Date.now())
      catalog.recordedChanges.record({ id, siteId: made.siteId, kind: 'import_answers', snapshot: 1, result, undo })
    }
    catalog.organizations.set(catalog.sites.get(made.siteId).organizationId, { promptLimit: 10_000 })
  }
  const file = join(dir, 'newest.ndjson')
  await writeAnswerCorpus(file, { answers: ANSWERS, prompts: 500, brands: 50, days: 1, firstDay: '2026-10-31' })
  await importNewest(file)
  const asWritten = await measure()
  await importNewest(file)
  await inData((app) => compactLake(app.change, { isThorough: true }))
  const merged = await measure()
  console.log(JSON.stringify({ stored: DAYS * ANSWERS, imports: IMPORTS, as_written: asWritten, merged }, undefined, 1))
} finally {
  rmSync(dir, { recursive: true, force: true })
}
