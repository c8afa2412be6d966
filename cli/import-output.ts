import type { Clock } from '../src/clock.ts'
import type { ReportedRejection } from '../src/input/rejections.ts'
import { show } from '../src/show.ts'
import { type Io, type Output, printJson, writeLine } from './io.ts'
import { openProgress, type Progress } from './progress.ts'
import { printTable } from './table.ts'
import { countOf } from './format.ts'

/** Flags that both imports have (contract/imports 2.4). */
export const IMPORT_FLAGS = {
  'dry-run': { type: 'boolean', description: 'read and check everything, import nothing' },
  strict: { type: 'boolean', description: 'import nothing when any record is rejected' },
  rejects: { type: 'string', valueHint: 'FILE', description: 'write every rejected record there, as NDJSON' },
  files: {
    type: 'positional',
    required: true,
    multiple: true,
    valueHint: 'FILE',
    description: 'files to import, or - for standard input',
  },
} as const

export function openImportProgress(io: Io, clock: Clock): Progress {
  return openProgress('importing', io, clock)
}

/** A line a file with its counts, and a last one with their sums when there are several; `texts` are columns before them. */
export function printTotals<K extends string>(
  io: Io,
  counts: readonly K[],
  files: readonly ({ readonly file: string } & { readonly [Name in K]: number })[],
  texts: Readonly<Record<string, readonly string[]>> = {},
): void {
  const ofTexts = Object.values(texts)
  const rows = files.map((file, no) => [
    file.file,
    ...ofTexts.map((column) => column[no] ?? ''),
    ...counts.map((name) => file[name]),
  ])
  const total = counts.map((name) => files.reduce((sum, file) => sum + file[name], 0))
  const titles = ['file', ...Object.keys(texts), ...counts.map((name) => name.replaceAll('_', ' '))]
  printTable(io, titles, files.length > 1 ? [...rows, ['total', ...ofTexts.map(() => ''), ...total]] : rows)
}

/** The first rejections, each with its place and reason, and how many more there are. */
export function printRejections(
  output: Output,
  { rejected, rejections }: { readonly rejected: number; readonly rejections: readonly ReportedRejection[] },
  rejectsFile: string | undefined,
): void {
  for (const { file, line, reason } of rejections)
    writeLine(output, `${file === '-' ? 'standard input' : show(file)}:${line}: ${show(reason)}`)
  if (rejected > rejections.length) {
    const all = rejectsFile === undefined ? '--rejects FILE writes all of them' : `all of them are in ${rejectsFile}`
    writeLine(output, `and ${countOf(rejected - rejections.length, 'more', 'more')}; ${all}`)
  }
}

interface ImportOutcome {
  readonly result: { readonly rejected: number; readonly rejections: readonly ReportedRejection[] }
  /** What a file holds: a `record` or a `line`. */
  readonly noun: string
  /** Prints the result for people. */
  readonly print: () => void
}

/** Prints what an import came to. Throws CommandError when `--strict` refused it. */
export async function tellImport(
  io: Io,
  { strict, json, rejects }: { readonly strict: boolean; readonly json: boolean; readonly rejects: string | undefined },
  { result, noun, print }: ImportOutcome,
): Promise<void> {
  if (strict && result.rejected > 0) {
    printRejections(io.stderr, result, rejects)
    const { toStrictError } = await import('../src/input/rejections.ts')
    throw toStrictError(result.rejected, noun)
  }
  if (json) printJson(io, result)
  else print()
}
