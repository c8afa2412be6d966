import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { AnswerRecord } from '../../domain/answer.ts'
import { ENGINE_IDS, type EngineId } from '../../domain/enums.ts'
import type { Snapshot } from '../../domain/manifest.ts'
import { isRejection } from '../../domain/rejection.ts'
import { toScanTime } from '../../domain/scan-time.ts'
import type { Site } from '../../domain/site.ts'
import { CommandError } from '../../errors.ts'
import { newId, toBase32 } from '../../ids.ts'
import { type AnswerWriter, type AnswerWriterResult, openAnswerWriter } from '../../lake/answer-writer.ts'
import { openInput } from '../input.ts'
import { type Rejections, type ReportedRejection, openRejections } from '../rejections.ts'
import { type ChangeContext, changeLake } from '../../change/change-lake.ts'
import { deriveCitations, deriveMentions } from './derive-answer.ts'
import { type AnswerFormat, readRecords } from './envelope.ts'
import { readDocuments } from './documents.ts'
import { openSiteBrands, type SiteBrands } from './site-brands.ts'
import { openSitePrompts, type SitePrompts } from './site-prompts.ts'

export interface ImportAnswersOptions {
  readonly site: Site
  /** Paths, `-` for standard input. */
  readonly files: readonly string[]
  readonly format: AnswerFormat | 'auto'
  /** What payloads don't hold themselves (formats.md 2.2). */
  readonly defaults: { readonly date?: string; readonly platform?: EngineId; readonly promptId?: string }
  readonly createPrompts: boolean
  readonly dryRun: boolean
  /** Any rejection refuses the whole call. */
  readonly strict: boolean
  /** Where all rejections go as NDJSON. */
  readonly rejectsFile?: string
  /** Answers of different prompts that must list a name before it becomes an unconfirmed competitor. */
  readonly discoverMin: number
  readonly stdin?: Readable
  readonly signal?: AbortSignal
  onProgress?(progress: ImportProgress): void
  onWait?(): void
}

export interface ImportProgress {
  readonly file: string
  readonly readBytes: number
  readonly totalBytes: number | undefined
  readonly records: number
}

interface FileResult {
  readonly file: string
  readonly records: number
  readonly imported: number
  readonly duplicates: number
  readonly no_answer: number
  readonly rejected: number
}

/** The result as `--json` prints it (formats.md 2.4); `snapshot` is null when nothing was committed. */
export interface ImportAnswersResult {
  readonly site_id: string
  readonly files: readonly FileResult[]
  readonly imported: number
  readonly duplicates: number
  readonly no_answer: number
  readonly rejected: number
  readonly rejections: readonly ReportedRejection[]
  readonly prompts_created: number
  readonly competitors_discovered: number
  /** Links that were dropped because they are no absolute http(s) URL. */
  readonly citations_dropped: number
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
      spillDir: join(change.staging.dir, 'spill'),
      liveFiles: change.files,
      counters: {
        answer_no: context.catalog.sites.counter(site.id, 'answer_no', 1),
        host_no: context.catalog.sites.counter(site.id, 'host_no', 1),
        page_no: context.catalog.sites.counter(site.id, 'page_no', 1),
      },
      fileCount: files.length,
    })
    try {
      const step = new ImportStep({ options, prompts, brands, writer, rejections })
      for (const [fileNo, file] of files.entries()) await step.readFile(file, fileNo)
      const written = await writer.finish()
      const result = toResult(options, step, written, rejections, prompts, brands)
      const isKept = !options.dryRun && !(options.strict && result.rejected > 0)
      if (!isKept) return result
      if (change.staging.files.length === 0)
        return { ...result, snapshot: context.catalog.manifest.currentSnapshot(site.id) }
      const months = [...new Set(change.staging.files.map((file) => file.month))]
      const snapshot = await change.commit((committed) =>
        commitDecided(context, options, { written, prompts, brands, result, months }, committed),
      )
      return { ...result, snapshot }
    } finally {
      await writer.close()
    }
  })
}

interface StepParts {
  readonly options: ImportAnswersOptions
  readonly prompts: SitePrompts
  readonly brands: SiteBrands
  readonly writer: AnswerWriter
  readonly rejections: Rejections
}

/** Carries records from a file to the writer, counting what happens to each. */
class ImportStep {
  readonly records: number[] = []
  readonly rejected: number[] = []
  citationsDropped = 0
  readonly #parts: StepParts

  constructor(parts: StepParts) {
    this.#parts = parts
  }

  async readFile(path: string, fileNo: number): Promise<void> {
    const { options, writer } = this.#parts
    this.records[fileNo] = 0
    this.rejected[fileNo] = 0
    await using input = await openInput(path, options.stdin ? { stdin: options.stdin } : {})
    for await (const documents of readDocuments(input)) {
      options.signal?.throwIfAborted()
      for (const document of documents) {
        if ('reason' in document) await this.#reject(fileNo, document.line, document.reason, document.text)
        else await this.#readDocument(fileNo, document)
        if (writer.full) await writer.flush()
      }
      options.onProgress?.({ file: input.name, ...input.progress(), records: this.records[fileNo] })
    }
  }

  async #readDocument(fileNo: number, document: { line: number; text: string; json: unknown }): Promise<void> {
    const { options } = this.#parts
    for (const record of readRecords(document.json, { format: options.format, defaults: options.defaults })) {
      const reason = isRejection(record) ? record.reason : this.#take(record, fileNo)
      if (reason === undefined) this.records[fileNo] = (this.records[fileNo] ?? 0) + 1
      else await this.#reject(fileNo, document.line, reason, document.text)
    }
  }

  /** Hands one record to the writer; the reason when it has to be rejected. */
  #take(record: AnswerRecord, fileNo: number): string | undefined {
    const { options, prompts, brands, writer } = this.#parts
    const prompt = prompts.find(record)
    if ('reason' in prompt) return prompt.reason
    const platformNo = ENGINE_IDS.findIndex((id) => id === record.platform) + 1
    const { day, askedAtMs } = toScanTime(record)
    const text = record.text ?? ''
    const { citations, dropped } = deriveCitations(text === '' ? [] : record.citations)
    this.citationsDropped += dropped.length
    writer.add({
      fileNo,
      id: record.id ?? toAnswerId(options.site.id, record.platform ?? '', prompt.text, day, text),
      day: Date.parse(`${day}T00:00:00Z`) / 86_400_000,
      askedAtMs,
      platformNo,
      promptNo: prompt.promptNo,
      market: record.market ?? null,
      text,
      sentiment: record.sentiment ?? null,
      provider: record.provider ?? null,
      model: record.model ?? null,
      searchQueries: toJson(record.search_queries),
      givenMentions: toJson(record.mentions),
      consulted: toJson(record.consulted),
      mentions:
        text === ''
          ? []
          : deriveMentions({ text, givenMentions: record.mentions }, brands.matcher, (name) => brands.take(name)),
      citations,
    })
    if (text !== '') brands.look(text, prompt.promptNo)
    return undefined
  }

  async #reject(fileNo: number, line: number, reason: string, record: string): Promise<void> {
    this.records[fileNo] = (this.records[fileNo] ?? 0) + 1
    this.rejected[fileNo] = (this.rejected[fileNo] ?? 0) + 1
    const file = this.#parts.options.files[fileNo] ?? ''
    await this.#parts.rejections.add({ file, line, reason, record })
  }
}

/** An id for a record that has none, from what makes it the same record when it is imported again (formats.md 2.1). */
function toAnswerId(siteId: string, platform: string, prompt: string, day: string, text: string): string {
  const hash = createHash('sha256')
  for (const part of [siteId, platform, prompt, day]) hash.update(`${part.length}:${part};`)
  return `ans_${toBase32(hash.update(text).digest().subarray(0, 20))}`
}

function toJson(values: readonly unknown[] | undefined): string | null {
  return values === undefined ? null : JSON.stringify(values)
}

function toResult(
  { site, files }: ImportAnswersOptions,
  step: ImportStep,
  { counts }: AnswerWriterResult,
  rejections: Rejections,
  prompts: SitePrompts,
  brands: SiteBrands,
): ImportAnswersResult {
  const perFile = files.map((file, fileNo): FileResult => {
    const { imported = 0, duplicates = 0, no_answer = 0 } = counts[fileNo] ?? {}
    return {
      file,
      records: step.records[fileNo] ?? 0,
      imported,
      duplicates,
      no_answer,
      rejected: step.rejected[fileNo] ?? 0,
    }
  })
  const sum = (key: 'imported' | 'duplicates' | 'no_answer' | 'rejected'): number =>
    perFile.reduce((total, file) => total + file[key], 0)
  return {
    site_id: site.id,
    files: perFile,
    imported: sum('imported'),
    duplicates: sum('duplicates'),
    no_answer: sum('no_answer'),
    rejected: sum('rejected'),
    rejections: rejections.first,
    prompts_created: prompts.created.length,
    competitors_discovered: brands.discovered().length,
    citations_dropped: step.citationsDropped,
    snapshot: null,
  }
}

interface Decided {
  readonly written: AnswerWriterResult
  readonly prompts: SitePrompts
  readonly brands: SiteBrands
  readonly result: ImportAnswersResult
  readonly months: readonly string[]
}

/** What the commit writes to the catalog beside the manifest, in the same transaction. */
function commitDecided(
  { catalog, clock }: ChangeContext,
  { site }: ImportAnswersOptions,
  { written, prompts, brands, result, months }: Decided,
  snapshot: Snapshot,
): void {
  catalog.prompts.createReserved(site.id, prompts.created)
  catalog.competitors.createDiscovered(site.id, brands.discovered())
  catalog.competitors.addEvidence(site.id, [...brands.evidence(), ...written.listings])
  for (const [name, next] of Object.entries(written.counters)) catalog.sites.setCounter(site.id, name, next)
  catalog.derivations.forget(site.id, months)
  catalog.scans.record(
    site.id,
    written.newestScan.map(({ platformNo, ...entry }) => ({
      ...entry,
      platform: ENGINE_IDS[platformNo - 1] ?? 'chatgpt',
    })),
  )
  catalog.imports.record({ id: newId('imp', clock.now()), siteId: site.id, kind: 'import_answers', snapshot, result })
}

/** What an operator is told when `strict` refused the call. */
export function toStrictError({ rejected }: ImportAnswersResult): CommandError {
  return new CommandError(
    `${rejected === 1 ? '1 record was' : `${rejected} records were`} rejected, and --strict refuses the whole call then: nothing was imported. Correct the records listed above, or leave --strict out.`,
  )
}
