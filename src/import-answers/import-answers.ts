import { join } from 'node:path'
import type { ScanEntry } from '../catalog/scans.ts'
import { type Change, type ChangeContext, changeLake } from '../change/change-lake.ts'
import { readScanWithout } from '../change/newest-scan.ts'
import { REPLIES_DIR } from '../domain/forgotten-replies.ts'
import type { Snapshot } from '../domain/manifest.ts'
import type { AnswersUndo } from '../domain/recorded-change.ts'
import type { Site } from '../domain/site.ts'
import { newId } from '../ids.ts'
import { openRejections } from '../input/rejections.ts'
import { isWithin, toRealPath } from '../lake/checksums/real-path.ts'
import { type AnswerWriter, type AnswerWriterResult, openAnswerWriter } from '../lake/write/answer-writer.ts'
import type { ReplacedAnswers } from '../lake/write/replaced-answers.ts'
import { getEngineId } from '../reference/engines.ts'
import { AnswerIntake } from './answer-intake.ts'
import { AnswerReader } from './answer-reader.ts'
import type { ImportAnswersOptions } from './import-options.ts'
import { type ImportAnswersResult, toResult } from './import-result.ts'
import { openRecordSpool, type RecordSpool } from './record-spool.ts'
import { openSiteBrands, type SettledBrands } from './site-brands.ts'
import { type NewPrompt, openSitePrompts } from './site-prompts.ts'

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
  const { catalog } = context
  const { site, replace = false, dryRun } = options
  const kind = replace ? 'replace_answers' : 'import_answers'
  return await changeLake(context, { ...options, group: 'answers', kind }, async (change) => {
    const prompts = openSitePrompts(catalog, site, { create: options.createPrompts, dryRun })
    const brands = openSiteBrands(catalog, site, options)
    const reader = new AnswerReader({ options, prompts, rejections })
    await using spool = replace ? await openRecordSpool(change.staging.spillDir) : undefined
    if (spool) await reader.readFiles((placed) => spool.add(placed))
    const writer = await openWriter(context, change, options)
    try {
      const intake = new AnswerIntake({ brands, writer, nowMs: context.clock.now() })
      if (spool) await takeLast(spool, intake, options)
      else await reader.readFiles((placed) => intake.take(placed))
      const written = await writer.finish()
      const settled = brands.settle()
      const created = prompts.created.filter(({ promptNo }) => intake.promptNos.has(promptNo))
      const result = {
        ...toResult(options, { reader, intake, counts: written.counts, rejections }),
        prompts_created: created.length,
        competitors_discovered: settled.discovered.length,
      }
      if (dryRun || (options.strict && result.rejected > 0)) return result
      if (change.staging.files.length === 0) return { ...result, snapshot: catalog.manifest.currentSnapshot(site.id) }
      const replaced = result.replaced > 0 ? await writer.takeOutReplaced() : undefined
      const removed = replaced?.files.map(({ fileId }) => fileId) ?? []
      const forgets = catalog.forgottenReplies.concerns(site.id) && !(await readsKept(context, options))
      const forgotten = forgets ? await replaced?.listIds() : undefined
      const scan = replaced && (await readScanWithout(context, change, new Set(removed)))
      const snapshot = await change.commit((committed) => {
        const months = [...new Set(change.staging.files.map(({ month }) => month))]
        commitDecided(
          context,
          site,
          { written, created, settled, result, months, replaced, forgotten, scan },
          committed,
        )
      }, removed)
      return { ...result, snapshot }
    } finally {
      await writer.close()
    }
  })
}

/** Whether all that is imported are raw replies that are kept: what they replace was read from them too. */
async function readsKept({ lakeDir }: ChangeContext, { files }: ImportAnswersOptions): Promise<boolean> {
  const kept = await toRealPath(join(lakeDir, '..', REPLIES_DIR))
  const paths = await Promise.all(files.map((path) => (path === '-' ? Promise.resolve(path) : toRealPath(path))))
  return paths.every((path) => isWithin(path, kept))
}

function openWriter(
  { catalog, lakeDir }: ChangeContext,
  { staging, files }: Change,
  { site, files: { length: fileCount }, replace = false }: ImportAnswersOptions,
): Promise<AnswerWriter> {
  return openAnswerWriter({
    staging,
    lakeDir,
    liveFiles: files,
    counters: {
      answer_no: catalog.sites.counter(site.id, 'answer_no', 1),
      host_no: catalog.sites.counter(site.id, 'host_no', 1),
      page_no: catalog.sites.counter(site.id, 'page_no', 1),
    },
    fileCount,
    replaces: replace,
  })
}

/** Takes the last record of each id. */
async function takeLast(spool: RecordSpool, intake: AnswerIntake, options: ImportAnswersOptions): Promise<void> {
  let records = 0
  for await (const { placed, isLast, readBytes, totalBytes } of spool.read()) {
    if (isLast) await intake.take(placed)
    else intake.supersede(placed)
    records += 1
    if (records % RECORDS_A_REPORT !== 0) continue
    options.signal?.throwIfAborted()
    options.onProgress?.({ file: 'comparing', readBytes, totalBytes, records })
  }
}

const RECORDS_A_REPORT = 256

interface Decided {
  readonly written: AnswerWriterResult
  readonly created: readonly NewPrompt[]
  readonly settled: SettledBrands
  readonly result: ImportAnswersResult
  readonly months: readonly string[]
  /** What went, and the newest day without it. */
  readonly replaced: ReplacedAnswers | undefined
  /** Ids of answers whose raw replies go with them. */
  readonly forgotten: readonly string[] | undefined
  readonly scan: readonly ScanEntry[] | undefined
}

/** What the commit writes to the catalog beside the manifest, in the same transaction. */
function commitDecided(
  { catalog, clock }: ChangeContext,
  site: Site,
  { written, created, settled, result, months, replaced, forgotten, scan }: Decided,
  snapshot: Snapshot,
): void {
  catalog.prompts.createReserved(site.id, created)
  catalog.competitors.createDiscovered(site.id, settled.discovered)
  const firstAnswerNo = catalog.sites.counter(site.id, 'answer_no', 1)
  catalog.competitors.addEvidence(site.id, [...settled.evidence, ...written.listings])
  if (replaced) {
    catalog.competitors.takeEvidence(site.id, replaced.listings)
    catalog.competitors.removeUnfounded(site.id, replaced.unnamed)
  }
  if (forgotten) catalog.forgottenReplies.add(site.id, { ids: forgotten })
  for (const [name, next] of Object.entries(written.counters)) catalog.sites.setCounter(site.id, name, next)
  catalog.derivations.forget(site.id, months)
  if (scan) catalog.scans.replace(site.id, scan)
  else {
    const newest = written.newestScan.map(({ platformNo, ...entry }) => ({
      ...entry,
      platform: getEngineId(platformNo),
    }))
    catalog.scans.record(site.id, newest)
  }
  const undo: AnswersUndo = {
    firstAnswerNo,
    nextAnswerNo: written.counters.answer_no,
    hasNumberedNoAnswers: true,
    months: months.filter((month) => month !== 'all').sort(),
    promptNos: created.map(({ promptNo }) => promptNo),
    brandNos: settled.discovered.map(({ brandNo }) => brandNo),
    evidence: settled.evidence,
  }
  const id = newId('imp', clock.now())
  // What was replaced is gone, so that such an import can't be taken back.
  const recorded = { id, siteId: site.id, kind: 'import_answers', snapshot, result } as const
  catalog.recordedChanges.record(replaced ? recorded : { ...recorded, undo })
}
