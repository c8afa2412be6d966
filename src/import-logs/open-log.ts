import { ForeignContentError, type Input } from '../input/open.ts'
import { LOG_LINE_BYTES_MAX, LOG_SAMPLE_BYTES_MAX } from '../log-limits.ts'
import { JsonSplitter } from '../input/json-splitter.ts'
import { LineSplitter, type Splitter } from '../input/lines.ts'
import type { Checkpoint } from './checkpoints.ts'
import { createLogSplitter, detectLogFormat, LOG_LISTS, readSample } from './detect.ts'
import { FORMATS, type LogFormat } from './formats.ts'
import { createLogFormatReader, createLogReader, type LogReader, type LogReaderOptions } from './reader.ts'

export interface LogOptions extends Omit<LogReaderOptions, 'state'> {
  readonly format: LogFormat | 'auto'
  /** An nginx `log_format` string; decides instead of `format`. */
  readonly logFormat?: string | undefined
}

/** An access log ready to be read: push the input's chunks to the splitter, give each line to the reader. */
export interface Log {
  readonly format: LogFormat | 'log-format'
  readonly splitter: Splitter
  readonly reader: LogReader
  /** What a line means depends on those before: on a header, on request ids, on the line that it is a part of. */
  readonly isStateful: boolean
}

/**
 * Recognises the format of a log, unless it is named, and opens a reader for it (contract/logs 2). Undefined when there is
 * only a beginning that doesn't tell the format yet. Nothing of the input is consumed.
 *
 * Throws `CommandError` when the format isn't recognised or the file is UTF-16, `UsageError` when the options don't fit it.
 */
export async function openLog(input: Input, options: LogOptions): Promise<Log | undefined> {
  const head = await input.peek(LOG_SAMPLE_BYTES_MAX)
  if (head.length >= 2 && (head.readUInt16BE() === 0xfeff || head.readUInt16BE() === 0xfffe)) {
    throw new ForeignContentError(`${input.name}: is UTF-16. Convert it first, for example: iconv -f UTF-16 -t UTF-8`)
  }
  const sample = readSample(head, head.length < LOG_SAMPLE_BYTES_MAX)
  const named = options.format === 'auto' ? undefined : options.format
  const format =
    options.logFormat === undefined ? (named ?? detectLogFormat(sample, input.name, options)) : 'log-format'
  if (format === undefined) return undefined
  const layout = format === 'log-format' ? 'lines' : sample.layout
  return {
    format,
    splitter: createLogSplitter(layout),
    reader: createReader(format, options),
    isStateful:
      layout === 'json' || sample.mayHaveParts || (format !== 'log-format' && FORMATS[format].isStateful === true),
  }
}

/** The same log, to be read from a checkpoint on. */
export function resumeLog(
  { format, splitter, isStateful }: Log,
  options: LogOptions,
  { bytes, lines, state, isWithinLine }: Omit<Checkpoint, 'tailSha256'> & { readonly isWithinLine: boolean },
): Log {
  const { line = 1, reader } = state === undefined ? {} : (JSON.parse(state) as LogState)
  const bytesMax = LOG_LINE_BYTES_MAX
  return {
    format,
    splitter:
      splitter instanceof JsonSplitter
        ? new JsonSplitter({ bytesMax, number: line, offset: bytes, lists: LOG_LISTS })
        : new LineSplitter({
            bytesMax,
            number: isWithinLine ? lines : lines + 1,
            offset: bytes,
            isWithinLine,
          }),
    reader: createReader(format, { ...options, state: reader }),
    isStateful,
  }
}

/** What a checkpoint keeps beside its place: what is needed to go on behind all that was pushed to the splitter. */
export function toState({ splitter, reader }: Log, line = getLineNumber(splitter)): string | undefined {
  const state: LogState = { line: splitter instanceof JsonSplitter ? line : undefined, reader: reader.state }
  return state.line === undefined && state.reader === undefined ? undefined : JSON.stringify(state)
}

interface LogState {
  /** Number of the line that goes on; in layouts whose records aren't lines. */
  readonly line?: number | undefined
  readonly reader?: string | undefined
}

/** The reader of a format. Throws `UsageError` when the options don't fit it. */
export function createReader(
  format: Log['format'],
  { logFormat = '', ...options }: Omit<LogOptions, 'format'> & LogReaderOptions,
) {
  return format === 'log-format' ? createLogFormatReader(logFormat, options) : createLogReader(format, options)
}

function getLineNumber(splitter: Splitter): number {
  return splitter instanceof JsonSplitter ? splitter.lineNumber : splitter.number
}
