import type { Snapshot } from '../domain/manifest.ts'
import type { Rejections, ReportedRejection } from '../input/rejections.ts'
import type { FileCounts } from '../lake/write/answer-writer.ts'
import type { AnswerIntake } from './answer-intake.ts'
import type { AnswerReader } from './answer-reader.ts'
import type { ImportAnswersOptions } from './import-options.ts'

interface FileResult {
  readonly file: string
  readonly records: number
  readonly imported: number
  readonly duplicates: number
  readonly differing: number
  readonly replaced: number
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
  /** With `replace`: records that took the place of what was stored under their id. */
  readonly replaced: number
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

interface Counted {
  readonly reader: AnswerReader
  readonly intake: AnswerIntake
  readonly counts: readonly FileCounts[]
  readonly rejections: Rejections
}

/** What the call did to its records; the rest of the result is known by its commit. */
export function toResult(
  { site, files }: ImportAnswersOptions,
  { reader, intake, counts, rejections }: Counted,
): Omit<ImportAnswersResult, 'prompts_created' | 'competitors_discovered'> {
  const perFile = files.map((file, fileNo): FileResult => {
    const { imported = 0, duplicates = 0, differing = 0, replaced = 0, no_answer = 0 } = counts[fileNo] ?? {}
    return {
      file,
      records: reader.records[fileNo] ?? 0,
      imported,
      duplicates: duplicates + (intake.superseded[fileNo] ?? 0),
      differing,
      replaced,
      no_answer,
      rejected: reader.rejected[fileNo] ?? 0,
    }
  })
  const sum = (key: Exclude<keyof FileResult, 'file' | 'records'>): number =>
    perFile.reduce((total, file) => total + file[key], 0)
  const differing = sum('differing')
  return {
    site_id: site.id,
    files: perFile,
    imported: sum('imported'),
    duplicates: sum('duplicates'),
    duplicates_by_text: intake.duplicatesByText,
    differing,
    replaced: sum('replaced'),
    no_answer: sum('no_answer'),
    rejected: sum('rejected'),
    rejections: rejections.first,
    citations_dropped: intake.citationsDropped,
    judged: intake.judged,
    warnings: [
      ...intake.futureDays.toWarnings(site),
      ...warnOfTexts(intake.duplicatesByText),
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
