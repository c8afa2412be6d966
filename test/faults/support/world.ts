import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, openApp } from '../../../src/app.ts'
import { parseConfig } from '../../../src/config.ts'
import { IMPORT_KINDS, type ImportKind } from '../../../src/domain/recorded-change.ts'
import { importAnswers } from '../../../src/import-answers/import-answers.ts'
import type { ImportAnswersResult } from '../../../src/import-answers/import-result.ts'
import { importSentiment } from '../../../src/import-answers/import-sentiment.ts'
import { importLogs } from '../../../src/import-logs/import-logs.ts'
import { backUpLake } from '../../../src/maintenance/backup.ts'
import { compactLake } from '../../../src/maintenance/compaction.ts'
import { makeLogLines } from '../../maintenance/support/log-lines.ts'
import { makeOnce } from '../../support/made-once.ts'

export const SITE = 'acme'
/** Months of the answers; both are over. */
export const MONTHS = ['2026-03', '2026-04'] as const

/** Directories of a small world: the data directory, a backup of an earlier state, and files to be imported. */
export interface Dirs {
  readonly root: string
  readonly data: string
  readonly backup: string
  readonly restored: string
  /** Where a data directory is begun. */
  readonly fresh: string
  readonly inputs: string
}

export function toDirs(root: string): Dirs {
  const of = (name: string): string => join(root, name)
  return {
    root,
    data: of('data'),
    backup: of('backup'),
    restored: of('restored'),
    fresh: of('fresh'),
    inputs: of('inputs'),
  }
}

export async function openData(dir: string, create = false): Promise<App> {
  return openApp(parseConfig({ dataDir: dir, environment: {} }, {}, 'config.json'), { mode: 'command', create })
}

/**
 * A data directory that has something to do for everybody: small files in months that are over, replaced files, judged
 * answers, brands and rules changed since answers and logs were imported, and a backup that is older.
 */
export async function makeWorld(root: string): Promise<Dirs> {
  await makeOnce('faults-world', root, (dir) => fillWorld(toDirs(dir)))
  return toDirs(root)
}

async function fillWorld(dirs: Dirs): Promise<void> {
  mkdirSync(dirs.inputs, { recursive: true })
  await using app = await openData(dirs.data, true)
  const { catalog } = app
  const { id: organizationId } = catalog.organizations.create({ name: 'Acme' })
  catalog.sites.create({ id: SITE, name: 'Acme', domain: 'acme.com', organizationId })
  catalog.prompts.add(
    SITE,
    ['p1', 'p2', 'p3'].map((id) => ({ id, text: `What of ${id}?`, category: 'Discovery' })),
  )
  catalog.competitors.add(SITE, { id: 'globex', name: 'Globex', domains: ['globex.com'] })
  for (let batch = 0; batch < 2; batch++) await importBatch(app, dirs, batch)
  await compactLake(app.change, { isThorough: true })
  await backUpLake(app.change, { dir: dirs.backup })
  for (let batch = 2; batch < 7; batch++) await importBatch(app, dirs, batch)
  for (const day of [3, 4, 5]) await importLogLines(app, dirs, day)
  writeJudgements(join(dirs.inputs, 'judged.ndjson'), ['positive', 'negative'])
  await importJudgements(app, join(dirs.inputs, 'judged.ndjson'))
  catalog.competitors.set(SITE, 'globex', { aliases: ['Hooli'] })
  catalog.sites.set(SITE, { pageTypeRules: [{ pattern: '/docs/1', page_type: 'pricing' }] })
  writeAnswers(join(dirs.inputs, 'more.ndjson'), 7, 12)
  writeLog(join(dirs.inputs, 'more.log'), 6)
  writeCorrections(join(dirs.inputs, 'corrected.ndjson'))
  writeJudgements(join(dirs.inputs, 'judged-anew.ndjson'), ['neutral', null, 'positive'])
  writeFileSync(toImportsPath(dirs), JSON.stringify(listNewest(app)))
}

const toImportsPath = ({ inputs }: Dirs): string => join(inputs, 'imports.json')

function listNewest({ catalog }: App): Record<string, string> {
  const imports = catalog.recordedChanges.list({ siteId: SITE })
  return Object.fromEntries(IMPORT_KINDS.map((kind) => [kind, imports.find((one) => one.kind === kind)?.id ?? '']))
}

/** Id of the newest import of a kind that the world was made with. */
export function findNewest(dirs: Dirs, kind: ImportKind): string {
  return (JSON.parse(readFileSync(toImportsPath(dirs), 'utf8')) as Record<ImportKind, string>)[kind]
}

async function importBatch(app: App, { inputs }: Dirs, batch: number): Promise<void> {
  const path = join(inputs, `batch-${batch}.ndjson`)
  writeAnswers(path, batch, 12)
  await importFile(app, path)
}

async function importLogLines(app: App, { inputs }: Dirs, day: number): Promise<void> {
  const path = join(inputs, `day-${day}.log`)
  writeLog(path, day)
  await importLog(app, path)
}

/** Three hits of a bot and three visits on one day. */
export function writeLog(path: string, day: number, month: string = MONTHS[0]): void {
  const lines = makeLogLines(month, day, 3)
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
}

export async function importLog(app: App, path: string): Promise<void> {
  const site = app.catalog.sites.get(SITE)
  await importLogs(app.change, { site, files: [path], format: 'combined', dryRun: false, strict: true })
}

export async function importJudgements(app: App, path: string): Promise<void> {
  const site = app.catalog.sites.get(SITE)
  await importSentiment(app.change, { site, files: [path], dryRun: false, strict: true })
}

export function importFile(
  app: App,
  path: string,
  { replace = false, siteId = SITE }: { replace?: boolean; siteId?: string } = {},
): Promise<ImportAnswersResult> {
  return importAnswers(app.change, {
    site: app.catalog.sites.get(siteId),
    replace,
    files: [path],
    format: 'native',
    defaults: {},
    createPrompts: true,
    dryRun: false,
    strict: false,
    discoverMin: 5,
  })
}

/** Answers of both months, one of them without a text, one known from the batch before. */
function writeAnswers(path: string, batch: number, count: number): void {
  const lines = Array.from({ length: count }, (_, index) => {
    const no = batch * count + index
    return JSON.stringify({
      id: `a${index === 0 ? Math.max(0, no - 1) : no}`,
      date: `${MONTHS[index % 2]}-${['02', '11', '29'][no % 3]}`,
      platform: ['chatgpt', 'perplexity', 'gemini'][(no % 4) % 3],
      prompt: `What of p${1 + (no % 3)}?`,
      text: index === 5 ? '' : `Number ${no}: ${['Acme leads.', 'Globex leads Acme.', 'Hooli is new.'][no % 3]}`,
      citations: index === 5 ? [] : [`https://acme.com/${no % 4}`, `https://source${batch}.example/${no}`],
      ...(no % 4 === 3 ? { mentions: ['Acme', `Initech ${batch}`] } : {}),
    })
  })
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
}

/** Records for ids that are stored: other texts, links and days, a no_answer for an answer and the reverse, and a new one. */
function writeCorrections(path: string): void {
  const lines = [3, 5, 13, 17, 26, 40, 41, 63, 80, 2_000].map((no, index) =>
    JSON.stringify({
      id: `a${no}`,
      date: `${MONTHS[no % 2]}-${['02', '12', '29'][index % 3]}`,
      platform: 'gemini',
      prompt: `What of p${1 + (index % 3)}?`,
      text: index % 4 === 3 ? null : `Corrected ${no}: Acme, not Globex.`,
      citations: index % 4 === 3 ? [] : [`https://acme.com/${index}`, 'https://corrected.example/'],
      ...(index === 0 ? { mentions: ['Acme', 'Vandelay'] } : {}),
    }),
  )
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
}

/** Sentiments of some of the answers with a text, in turns. */
function writeJudgements(path: string, sentiments: readonly (string | null)[]): void {
  const lines = [1, 2, 14, 27, 39, 52, 66, 75, 80].map((no, index) =>
    JSON.stringify({ id: `a${no}`, sentiment: sentiments[index % sentiments.length] }),
  )
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
}
