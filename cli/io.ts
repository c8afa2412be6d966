import { addAbortSignal, type Readable } from 'node:stream'
import { SHOWN_CHARACTERS_MAX } from '../src/limits.ts'
import { escapeControls, show } from '../src/show.ts'

/** A stream to write to. Terminals have a width; pipes and files have none. */
export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** A stream to read from; somebody can be asked on a terminal. */
export type Input = Readable & { readonly isTTY?: boolean }

/** The three streams of a process: results go to `stdout`, everything else to `stderr` (contract/imports 1.2). */
export interface Io {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
}

/**
 * The process's own streams. A reader that went away (`| head`) ends the output, never the work, and so does a full disk
 * under it, which `onLost` is told of when results are lost; the signal ends the waiting for input.
 */
export function openProcessIo(signal: AbortSignal, onLost: (error: Error) => void): Io {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') onLost(error)
  })
  // There is nobody left to tell; a server whose log cannot be written goes on serving.
  process.stderr.on('error', () => {})
  return {
    get stdin() {
      return addAbortSignal(signal, process.stdin)
    },
    stdout: process.stdout,
    stderr: process.stderr,
  }
}

/** Prints one JSON document as the result: indented for a person, on one line for a program. */
export function printJson(io: Io, value: unknown, indent = io.stdout.isTTY === true ? 2 : undefined): void {
  io.stdout.write(`${escapeControls(JSON.stringify(value, undefined, indent))}\n`)
}

/** Prints one line as the result, whatever the names in it hold. */
export function printLine(io: Pick<Io, 'stdout'>, line: string): void {
  writeLine(io.stdout, line)
}

/** A remark beside the result: what was done, what to do next. */
export function printNote(io: Pick<Io, 'stderr'>, line: string): void {
  writeLine(io.stderr, line)
}

export function writeLine(output: Output, line: string): void {
  output.write(`${show(line, LINE_CHARACTERS_MAX)}\n`)
}

/** A line may hold several names, and says what to do behind them. */
const LINE_CHARACTERS_MAX = 4 * SHOWN_CHARACTERS_MAX
