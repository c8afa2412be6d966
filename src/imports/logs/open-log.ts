import { CommandError } from '../../errors.ts'
import { LOG_SAMPLE_BYTES_MAX } from '../../limits.ts'
import type { Input } from '../input.ts'
import type { Splitter } from '../lines.ts'
import { createLogSplitter, detectLogFormat, readSample } from './detect.ts'
import type { LogFormat } from './log-line.ts'
import { createLogFormatReader, createLogReader, type LogReader, type LogReaderOptions } from './reader.ts'

export interface LogOptions extends LogReaderOptions {
  readonly format: LogFormat | 'auto'
  /** An nginx `log_format` string; decides instead of `format`. */
  readonly logFormat?: string | undefined
}

/** An access log ready to be read: push the input's chunks to the splitter, give each line to the reader. */
export interface Log {
  readonly format: LogFormat | 'log-format'
  readonly splitter: Splitter
  readonly reader: LogReader
}

/**
 * Recognises the format of a log, unless it is named, and opens a reader for it (formats.md 3). Undefined when there is
 * only a beginning that doesn't tell the format yet. Nothing of the input is consumed.
 *
 * Throws `CommandError` when the format isn't recognised or the file is UTF-16, `UsageError` when the options don't fit it.
 */
export async function openLog(input: Input, options: LogOptions): Promise<Log | undefined> {
  const head = await input.peek(LOG_SAMPLE_BYTES_MAX)
  if (head.length >= 2 && (head.readUInt16BE() === 0xfeff || head.readUInt16BE() === 0xfffe)) {
    throw new CommandError(`${input.name}: is UTF-16. Convert it first, for example: iconv -f UTF-16 -t UTF-8`)
  }
  const sample = readSample(head, head.length < LOG_SAMPLE_BYTES_MAX)
  if (options.logFormat !== undefined) {
    const reader = createLogFormatReader(options.logFormat, options)
    return { format: 'log-format', splitter: createLogSplitter('lines'), reader }
  }
  const format = options.format === 'auto' ? detectLogFormat(sample, input.name) : options.format
  if (format === undefined) return undefined
  return { format, splitter: createLogSplitter(sample.layout), reader: createLogReader(format, options) }
}
