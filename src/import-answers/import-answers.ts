import type { Snapshot } from '../domain/manifest.ts'
import type { AnswersUndo } from '../domain/recorded-change.ts'
import { newId } from '../ids.ts'
import { type AnswerWriterResult, openAnswerWriter } from '../lake/write/answer-writer.ts'
import { type Rejections, type ReportedRejection, openRejections } from '../input/rejections.ts'
import { type ChangeContext, changeLake } from '../change/change-lake.ts'
import { getEngineId } from '../reference/engines.ts'
import { AnswerImporter } from './answer-importer.ts'
import type { ImportAnswersOptions } from './import-options.ts'
import { openSiteBrands, type SettledBrands } from './site-brands.ts'
import { type NewPrompt, openSitePrompts } from './site-prompts.ts'

interface FileResult {
  readonly file: string
  readonly records: number
  readonly imported: number
  readonly duplicates: number
  readonly differing: number
  readonly no_answer: number
  readonly rejected: number
}

/** The result as `--json` prints it (contract/imports 2.4); `snapshot` is null when nothing was committed. */
export interface ImportAnswersResult {
  readonly site_id: string
  readonly files: readonly FileResult[]
  readonly imported: number
  readonly duplicates: number
  /** Of the duplicates, those without an id: told by their prompt, engine, day and text alone. */
  readonly duplicates_by_text: number
  /** Of the duplicates, those that say something else than what is stored under their id. */
  readonly differing: number
  readonly no_answer: number
  readonly rejected: number
  readonly rejections: readonly ReportedRejection[]
  readonly prompts_created: number
  readonly competitors_discovered: number
  /** Links that were dropped because they are no absolute http(s) URL. */
  readonly citations_dropped: number
  /** Imported answers that came with a sentiment. */
  readonly judged: number
  /** What may be a mistake in the records that were kept. */
  readonly warnings: readonly string[]
  readonly snapshot: Snapshot | null
}

/**
 * Imports answers from files: one transaction a call. A bad record is rejected and listed; an unreadable file, a full
 * disk or a signal fails the call, and nothing of it is kept. Throws CommandError. With `strict` and rejections the
 * result has no snapshot.
 */
export async function importAnswers(
  context: ChangeContext,
  options: ImportAnswersOptions,
): Promise<ImportAnswersResult> {
  await using rejections = await openRejections(options.rejectsFile, options.files)
  const { site, files } = options
  return await changeLake(context, { ...options, group: 'answers', kind: 'import_answers' }, async (change) => {
    const prompts = openSitePrompts(context.catalog, site, { create: options.createPrompts, dryRun: options.dryRun })
    const brands = openSiteBrands(context.catalog, site, options)
    const writer = await openAnswerWriter({
      staging: change.staging,
      lakeDir: context.lakeDir,
      liveFiles: change.files,
      counters: {
        answer_no: context.catalog.sites.counter(site.id, 'answer_no', 1),
        host_no: context.catalog.sites.counter(site.id, 'host_no', 1),
        page_no: context.catalog.sites.counter(site.id, 'page_no', 1),
      },
      fileCount: files.length,
    })
    try {
      const importer = new AnswerImporter({ options, prompts, brands, writer, rejections, nowMs: context.clock.now() })
      for (const [fileNo, file] of files.entries()) await importer.readFile(file, fileNo)
      const written = await writer.finish()
      const settled = brands.settle()
      const created = prompts.created.filter(({ promptNo }) => importer.promptNos.has(promptNo))
      const result = {
        ...toResult(options, importer, written, rejections),
        prompts_created: created.length,
        competitors_discovered: settled.discovered.length,
      }
      const isKept = !options.dryRun && !(options.strict && result.rejected > 0)
      if (!isKept) return result
      if (change.staging.files.length === 0)
        return { ...result, snapshot: context.catalog.manifest.currentSnapshot(site.id) }
      const months = [...new Set(change.staging.files.map((file) => file.month))]
      const snapshot = await change.commit((committed) =>
        commitDecided(context, options, { written, created, settled, result, months }, committed),
      )
      return { ...result, snapshot }
    } finally {
      await writer.close()
    }
  })
}

function toResult(
  { site, files }: ImportAnswersOptions,
  importer: AnswerImporter,
  { counts }: AnswerWriterResult,
  rejections: Rejections,
): Omit<ImportAnswersResult, 'prompts_created' | 'competitors_discovered'> {
  const perFile = files.map((file, fileNo): FileResult => {
    const { imported = 0, duplicates = 0, differing = 0, no_answer = 0 } = counts[fileNo] ?? {}
    return {
      file,
      records: importer.records[fileNo] ?? 0,
      imported,
      duplicates,
      differing,
      no_answer,
      rejected: importer.rejected[fileNo] ?? 0,
    }
  })
  const sum = (key: 'imported' | 'duplicates' | 'differing' | 'no_answer' | 'rejected'): number =>
    perFile.reduce((total, file) => total + file[key], 0)
  const differing = sum('differing')
  return {
    site_id: site.id,
    files: perFile,
    imported: sum('imported'),
    duplicates: sum('duplicates'),
    duplicates_by_text: importer.duplicatesByText,
    differing,
    no_answer: sum('no_answer'),
    rejected: sum('rejected'),
    rejections: rejections.first,
    citations_dropped: importer.citationsDropped,
    judged: importer.judged,
    warnings: [
      ...importer.futureDays.toWarnings(site),
      ...warnOfTexts(importer.duplicatesByText),
      ...warnOfDiffering(differing),
    ],
    snapshot: null,
  }
}

function warnOfTexts(duplicates: number): string[] {
  if (duplicates === 0) return []
  const records = duplicates === 1 ? '1 duplicate was' : `${duplicates} duplicates were`
  return [
    `${records} told by prompt, engine, day and text alone. Give records an \`id\` where one prompt is asked several times a day: equal answers count as one without it.`,
  ]
}

function warnOfDiffering(differing: number): string[] {
  if (differing === 0) return []
  const records = differing === 1 ? '1 duplicate differs' : `${differing} duplicates differ`
  return [
    `${records} from what is stored under the same id, which stays. To put the records in its place, import them with --replace.`,
  ]
}

interface Decided {
  readonly written: AnswerWriterResult
  readonly created: readonly NewPrompt[]
  readonly settled: SettledBrands
  readonly result: ImportAnswersResult
  readonly months: readonly string[]
}

/** What the commit writes to the catalog beside the manifest, in the same transaction. */
function commitDecided(
  { catalog, clock }: ChangeContext,
  { site }: ImportAnswersOptions,
  { written, created, settled, result, months }: Decided,
  snapshot: Snapshot,
): void {
  catalog.prompts.createReserved(site.id, created)
  catalog.competitors.createDiscovered(site.id, settled.discovered)
  const evidence = [...settled.evidence, ...written.listings]
  const firstAnswerNo = catalog.sites.counter(site.id, 'answer_no', 1)
  catalog.competitors.addEvidence(site.id, evidence)
  for (const [name, next] of Object.entries(written.counters)) catalog.sites.setCounter(site.id, name, next)
  catalog.derivations.forget(site.id, months)
  catalog.scans.record(
    site.id,
    written.newestScan.map(({ platformNo, ...entry }) => ({
      ...entry,
      platform: getEngineId(platformNo),
    })),
  )
  const undo: AnswersUndo = {
    firstAnswerNo,
    nextAnswerNo: written.counters.answer_no,
    hasNumberedNoAnswers: true,
    months: months.filter((month) => month !== 'all').sort(),
    promptNos: created.map(({ promptNo }) => promptNo),
    brandNos: settled.discovered.map(({ brandNo }) => brandNo),
    evidence,
  }
  const id = newId('imp', clock.now())
  catalog.recordedChanges.record({ id, siteId: site.id, kind: 'import_answers', snapshot, result, undo })
}
