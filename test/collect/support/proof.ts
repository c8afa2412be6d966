import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { listStray, listUnsound } from '../../faults/support/inspection.ts'
import { answerTo } from '../engines/answers.ts'
import type { Entry } from '../engines/ledger.ts'
import { spellingsOf, TEST_SECRETS } from '../engines/secrets.ts'
import { countStoredNoAnswers, readAsJson, readStoredAnswers } from './stored-answers.ts'

/** A call as the catalog has it, with what it asked. */
export interface CallRow {
  readonly site_id: string
  readonly day: string
  readonly prompt_id: string
  readonly prompt_no: number
  readonly market: string | null
  readonly question: string
  readonly target: string
  readonly sample: number
  readonly role: 'main' | 'shadow'
  readonly provider: string
  readonly status: string
  readonly run_id: string | null
  readonly asked_ms: number | null
  readonly reserved_micros: number
  readonly cost_micros: number
  readonly reason: string | null
  readonly spool: string | null
}

/** Of a data directory that nobody writes to. */
export function readCalls(dataDir: string): CallRow[] {
  return query<CallRow>(
    dataDir,
    `SELECT calls.*, prompts.id AS prompt_id, coalesce(prompts.market, sites.market) AS market,
       prompts.text || CASE WHEN coalesce(prompts.market, sites.market) IS NULL THEN ''
         ELSE ' ' || coalesce(prompts.market, sites.market) END AS question
     FROM calls JOIN prompts USING (site_id, prompt_no) JOIN sites ON sites.id = calls.site_id
     WHERE kind = 'answer'`,
  )
}

export function readSpentMicros(dataDir: string): number {
  return query<{ spent: number }>(dataDir, 'SELECT coalesce(sum(micros), 0) AS spent FROM spend')[0]?.spent ?? 0
}

function query<Row>(dataDir: string, sql: string): Row[] {
  const db = new Database(join(dataDir, 'catalog.sqlite'))
  try {
    return db.prepare<[], Row>(sql).all()
  } finally {
    db.close()
  }
}

const SENT: ReadonlySet<string> = new Set(['asked', 'task', 'answered', 'no_answer', 'uncertain'])
const OVER: ReadonlySet<string> = new Set(['answered', 'no_answer', 'failed', 'uncertain', 'skipped_budget'])

/**
 * No question is bought more often than it was planned, what was bought stands as bought, and nothing is told to be answered
 * that nobody sold. `retries` are calls that were asked once more on purpose. A line for each fault.
 */
export function listMispurchased(calls: readonly CallRow[], entries: readonly Entry[], retries = 0): string[] {
  const bought = Map.groupBy(
    entries.filter((entry) => entry.bought),
    ({ provider, question }) => `${provider}: ${question}`,
  )
  const planned = Map.groupBy(calls, ({ provider, question }) => `${provider}: ${question}`)
  return [...new Set([...bought.keys(), ...planned.keys()])].flatMap((key) => {
    const purchases = bought.get(key)?.length ?? 0
    const own = planned.get(key) ?? []
    const sent = own.filter((call) => SENT.has(call.status) || (call.status === 'failed' && call.asked_ms !== null))
    const answered = own.filter(({ status }) => status === 'answered' || status === 'no_answer')
    return [
      ...(purchases > own.length + retries ? [`bought ${purchases} times, planned ${own.length} times`] : []),
      ...(purchases > sent.length + retries ? [`bought ${purchases} times, and ${sent.length} stand as sent`] : []),
      ...(answered.length > purchases ? [`${answered.length} answers of ${purchases} purchases`] : []),
    ].map((fault) => `${key}: ${fault} (${own.map(({ status, reason }) => `${status} ${reason ?? ''}`).join(', ')})`)
  })
}

/** After a run that came to its end no call is under way; a task may be, where its provider was switched off. */
export function listUnfinished(calls: readonly CallRow[], mayLeaveTasks: boolean): string[] {
  return calls
    .filter(({ status }) => !OVER.has(status) && !(status === 'task' && mayLeaveTasks))
    .map((call) => `${call.target} ${call.prompt_id} ${call.sample} is ${call.status}: ${call.reason ?? 'no reason'}`)
}

/** Each answer that came is in the lake exactly once, with the engine's words, under its call's id; nothing else is there. */
export async function listMisstored(dataDir: string, calls: readonly CallRow[], siteId: string): Promise<string[]> {
  const byId = Map.groupBy(await readStoredAnswers(dataDir, siteId), ({ id }) => id)
  const own = calls.filter(({ role, site_id }) => role === 'main' && site_id === siteId)
  const wrong = own
    .filter(({ status }) => status === 'answered')
    .flatMap((call) => {
      const id = toAnswerId(call)
      const rows = byId.get(id) ?? []
      byId.delete(id)
      const text = rows[0]?.text ?? ''
      const reply = answerTo(call.provider, call.question)
      const words = reply.kind === 'answer' ? reply.sentences[0] : undefined
      if (rows.length !== 1) return [`${id} is answered, and ${rows.length} times in the lake`]
      return words !== undefined && text.includes(words) ? [] : [`${id} has the words of another: ${text}`]
    })
  const none = own.filter(({ status }) => status === 'no_answer').length
  const stored = await countStoredNoAnswers(dataDir, siteId)
  return [
    ...wrong,
    ...[...byId].map(([id, rows]) => `${rows.length} times in the lake, and no answered call's: ${id}`),
    ...(none === stored ? [] : [`${none} calls have no answer, and ${stored} such are in the lake`]),
  ]
}

/** Under which the answer of a call is imported. */
export function toAnswerId({ site_id, day, prompt_no, target, sample }: CallRow): string {
  return `scn_${site_id}_${day}_${prompt_no}_${target}_${sample}`
}

/** Places in which a secret stands: all files below the directory, unpacked, and the given outputs. */
export async function listLeaks(dataDir: string, outputs: Readonly<Record<string, string>>): Promise<string[]> {
  const texts = Object.entries(outputs)
  for (const path of listFilesBelow(dataDir)) texts.push([path, await readUnpacked(join(dataDir, path))])
  const forms = Object.entries(TEST_SECRETS).flatMap(([name, secret]) =>
    spellingsOf(secret).map((form) => [name, form.toLowerCase()] as const),
  )
  return texts.flatMap(([place, text]) => {
    const lower = text.toLowerCase()
    const found = new Set(forms.filter(([, form]) => lower.includes(form)).map(([name]) => name))
    return [...found].map((name) => `the secret of ${name} stands in ${place}`)
  })
}

async function readUnpacked(path: string): Promise<string> {
  const bytes = readFileSync(path)
  if (path.endsWith('.zst')) return zstdDecompressSync(bytes).toString('latin1')
  return path.endsWith('.parquet') ? readAsJson(path) : bytes.toString('latin1')
}

/** The lake is sound, and after a collection nothing lies about that nobody knows; raw answers are packed. */
export async function listUntidy(dataDir: string): Promise<string[]> {
  const stray = await listStray(dataDir)
  return [
    ...(await listUnsound(dataDir)),
    ...stray.filter(
      (line) => !/: (?:scan\.json|scans\/(?:[\d-]{10}\/(?:(?:shadow|failed)\/)?(?:[\w-]+\.ndjson\.zst)?)?)$/.test(line),
    ),
  ]
}

/** Files with raw answers that belong into reports, oldest first. */
export function listSpools(dataDir: string): string[] {
  const dir = join(dataDir, 'scans')
  if (!existsSync(dir)) return []
  return listFilesBelow(dir)
    .filter((path) => /^[\d-]{10}\/[^/]+\.ndjson(?:\.zst)?$/.test(path))
    .map((path) => join(dir, path))
}

function listFilesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .toSorted()
}
