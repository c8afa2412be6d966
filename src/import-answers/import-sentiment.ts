import type { Readable } from 'node:stream'
import { type ChangeContext, changeLake } from '../change/change-lake.ts'
import type { Snapshot } from '../domain/manifest.ts'
import type { SentimentUndo } from '../domain/recorded-change.ts'
import { isRejection } from '../domain/rejection.ts'
import type { Site } from '../domain/site.ts'
import { newId } from '../ids.ts'
import { openSentimentWriter, type SentimentWriter } from '../lake/write/sentiment-writer.ts'
import { openInput } from '../input/open.ts'
import { openRejections, type Rejections, type ReportedRejection } from '../input/rejections.ts'
import { readDocuments } from './documents.ts'
import type { ImportProgress } from './import-options.ts'
import { toSentimentRecord } from './judge-replies/sentiment-record.ts'

export interface ImportSentimentOptions {
  readonly site: Site
  /** Paths, `-` for standard input. */
  readonly files: readonly string[]
  readonly dryRun: boolean
  /** Any rejection refuses the whole call. */
  readonly strict: boolean
  /** Answers that have a sentiment keep it; without it the last judgement wins. */
  readonly keepsJudged?: boolean
  /** Where all rejections go as NDJSON. */
  readonly rejectsFile?: string
  readonly stdin?: Readable
  readonly signal?: AbortSignal
  onProgress?(progress: ImportProgress): void
  onWait?(): void
}

interface FileResult {
  readonly file: string
  readonly records: number
  readonly changed: number
  readonly unchanged: number
  readonly rejected: number
}

/** The result as `--json` prints it; `snapshot` is null when nothing was kept. */
export interface ImportSentimentResult {
  readonly site_id: string
  readonly files: readonly FileResult[]
  readonly changed: number
  readonly unchanged: number
  readonly rejected: number
  readonly rejections: readonly ReportedRejection[]
  /** The site's answers with a judgement now, and all its answers. */
  readonly judged: number
  readonly answers: number
  readonly snapshot: Snapshot | null
}

/**
 * Sets the sentiment of stored answers (contract/imports 2.5) from records `{id, sentiment, judge?}`, null for not judged, or
 * from lines that `sentiment judge` kept: one transaction a call. Of several records of one answer the last one counts; the
 * same file again changes nothing and makes no snapshot. Throws CommandError. With `strict` and rejections the result has no
 * snapshot.
 */
export async function importSentiment(
  context: ChangeContext,
  options: ImportSentimentOptions,
): Promise<ImportSentimentResult> {
  await using rejections = await openRejections(options.rejectsFile, options.files)
  const { site, files } = options
  return await changeLake(context, { ...options, group: 'answers', kind: 'import_sentiment' }, async (change) => {
    const importNo = context.catalog.sites.counter(site.id, 'sentiment_import_no', 1)
    using writer = await openSentimentWriter({
      staging: change.staging,
      lakeDir: context.lakeDir,
      liveFiles: change.files,
      importNo,
      keepsJudged: options.keepsJudged ?? false,
    })
    const counts = files.map(() => ({ records: 0, rejected: 0 }))
    const reject = async (fileNo: number, line: number, reason: string, record: string): Promise<void> => {
      const count = counts[fileNo]
      if (count) count.rejected += 1
      await rejections.add({ file: files[fileNo] ?? '', line, reason, record })
    }
    for (const [fileNo, count] of counts.entries()) count.records = await readFile({ options, writer, reject }, fileNo)
    for (const { fileNo, line, id, sentiment, reason } of await writer.listUnknown()) {
      await reject(fileNo, line, reason, JSON.stringify({ id, sentiment }))
    }
    const written = await writer.finish(files.length)
    const result = toResult(options, rejections, {
      ...written,
      perFile: files.map((file, fileNo) => ({
        file,
        records: counts[fileNo]?.records ?? 0,
        changed: written.counts[fileNo]?.changed ?? 0,
        unchanged: written.counts[fileNo]?.unchanged ?? 0,
        rejected: counts[fileNo]?.rejected ?? 0,
      })),
    })
    if (options.dryRun || (options.strict && result.rejected > 0)) return result
    const { catalog, clock } = context
    if (result.changed === 0) return { ...result, snapshot: catalog.manifest.currentSnapshot(site.id) }
    const undo: SentimentUndo = { importNo, months: written.replaced.map(({ month }) => month) }
    const snapshot = await change.commit(
      (committed) => {
        catalog.sites.setCounter(site.id, 'sentiment_import_no', importNo + 1)
        catalog.recordedChanges.record({
          id: newId('imp', clock.now()),
          siteId: site.id,
          kind: 'import_sentiment',
          snapshot: committed,
          result,
          undo,
        })
      },
      written.replaced.map(({ fileId }) => fileId),
    )
    return { ...result, snapshot }
  })
}

interface Reading {
  readonly options: ImportSentimentOptions
  readonly writer: SentimentWriter
  readonly reject: (fileNo: number, line: number, reason: string, record: string) => Promise<void>
}

/** Gives the number of records in the file. */
async function readFile({ options, writer, reject }: Reading, fileNo: number): Promise<number> {
  let records = 0
  const path = options.files[fileNo] ?? ''
  await using input = await openInput(path, options.stdin ? { stdin: options.stdin } : {})
  for await (const documents of readDocuments(input)) {
    options.signal?.throwIfAborted()
    for (const document of documents) {
      records += 1
      const judgement = 'reason' in document ? document : toSentimentRecord(document.json)
      if (isRejection(judgement)) await reject(fileNo, document.line, judgement.reason, document.text)
      else writer.add({ fileNo, line: document.line, ...judgement })
    }
    options.onProgress?.({ file: input.name, ...input.progress(), records })
  }
  return records
}

function toResult(
  { site }: ImportSentimentOptions,
  rejections: Rejections,
  { perFile, judged, answers }: { perFile: readonly FileResult[]; judged: number; answers: number },
): ImportSentimentResult {
  const sum = (key: 'changed' | 'unchanged' | 'rejected'): number =>
    perFile.reduce((total, file) => total + file[key], 0)
  return {
    site_id: site.id,
    files: perFile,
    changed: sum('changed'),
    unchanged: sum('unchanged'),
    rejected: sum('rejected'),
    rejections: rejections.first,
    judged,
    answers,
    snapshot: null,
  }
}
