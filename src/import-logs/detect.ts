import { ForeignContentError } from '../input/open.ts'
import { LOG_LINE_BYTES_MAX, LOG_SAMPLE_LINES_MAX } from '../log-limits.ts'
import { JsonSplitter } from '../input/json-splitter.ts'
import { LineSplitter, type Splitter } from '../input/lines.ts'
import { parseObject } from './formats/json-line.ts'
import { FORMATS, LOG_FORMATS, type LogFormat } from './formats.ts'
import { isRejected } from './formats/log-line.ts'
import { createLogReader, type LogReaderOptions } from './reader.ts'
import { mayBePart, unwrap } from './formats/unwrap.ts'

/** `json` is JSON that isn't one object a line: an array, or objects over several lines. */
export type LogLayout = 'lines' | 'json'

/** The beginning of a log: whole lines or records, as far as the sample goes. */
export interface LogSample {
  readonly layout: LogLayout
  readonly records: readonly string[]
  /** There is no more than these. */
  readonly isWhole: boolean
  /** And the only one has no end: half a line, or a whole one. */
  readonly isUnended: boolean
  /** Lines may be parts of longer ones. */
  readonly mayHaveParts: boolean
}

/** Names of the lists in which exports keep records: Azure's, CloudWatch's, Cloud Logging's. */
export const LOG_LISTS = ['records', 'logEvents', 'entries']
const LIST_START = new RegExp(`"(?:${LOG_LISTS.join('|')})"\\s*:\\s*\\[`)

export function createLogSplitter(layout: LogLayout): Splitter {
  return layout === 'json' ? new JsonSplitter({ bytesMax: LOG_LINE_BYTES_MAX, lists: LOG_LISTS }) : openLogLines()
}

/** A splitter into lines, which start at `offset` of the content. */
export function openLogLines(offset = 0): LineSplitter {
  return new LineSplitter({ bytesMax: LOG_LINE_BYTES_MAX, offset })
}

/** Takes the first bytes of a log apart; `isWhole` says that they are all there is. */
export function readSample(head: Buffer, isWhole: boolean): LogSample {
  const lines = split(head, 'lines')
  const records = lines.length === 0 && head.length > 0 ? [toLine(head)] : lines
  const first = records.find((record) => record.trim() !== '')?.trimStart() ?? ''
  const mayBeJson =
    first.startsWith('[') || (first.startsWith('{') && (LIST_START.test(first) || parseObject(first) === undefined))
  const objects = mayBeJson ? split(head, 'json').filter((text) => parseObject(text) !== undefined) : []
  const isEmptyArray = first.startsWith('[') && records.every((record) => /^[\s[\],]*$/.test(record))
  return objects.length > 0 || isEmptyArray
    ? { layout: 'json', records: objects, isWhole, isUnended: false, mayHaveParts: false }
    : {
        layout: 'lines',
        records,
        isWhole,
        isUnended: isWhole && lines.length === 0,
        mayHaveParts: records.some((record) => unwrapAll(record).some(mayBePart)),
      }
}

/**
 * Recognises a log's format by its first records (contract/logs 2): the most particular format of which they show a sign
 * and that reads more than half of them. An empty log is of any format; half a first line, or half a header, is of none yet: undefined.
 *
 * Throws `CommandError` when there is none; `name` is the file's in the message.
 */
export function detectLogFormat(
  sample: LogSample,
  name: string,
  options: LogReaderOptions = {},
): LogFormat | undefined {
  const records = sample.records.filter((record) => record.trim() !== '').slice(0, LOG_SAMPLE_LINES_MAX)
  if (records.length === 0) return 'combined'
  const texts = records.flatMap((record) => unwrapAll(record.trimStart()))
  const found = LOG_FORMATS_BY_SIGN.find(
    (format) => texts.some((text) => FORMATS[format].sign.test(text)) && fits(format, records, options),
  )
  // Half a line of `combined` looks like one of `common`.
  if (sample.isUnended) return found === 'common' ? undefined : found
  if (found !== undefined) return found
  if (sample.isWhole && records.every((record) => DIRECTIVE.test(record))) return undefined
  throw new ForeignContentError(
    `${name}: its first lines are in none of the known formats (${LOG_FORMATS.join(', ')}). ` +
      `Name the format with --format, or give nginx's log_format with --log-format. It begins: ${toExcerpt(records)}`,
  )
}

const LOG_FORMATS_BY_SIGN = Object.keys(FORMATS) as LogFormat[]

/** What stands before `#Fields` in a W3C log. */
const DIRECTIVE = /^#(?:Software|Version|Date|Start-Date|End-Date|Remark):/

/** Whether a reader of the format reads more of the records than it rejects, or finds nothing but its header. */
function fits(format: LogFormat, records: readonly string[], options: LogReaderOptions): boolean {
  const reader = createLogReader(format, FORMATS[format].kind === 'names' ? options : {})
  let read = 0
  let rejected = 0
  for (const record of records) {
    const parsed = reader.parse(record, 0, record.length)
    if (parsed !== undefined && isRejected(parsed)) rejected += 1
    else if (parsed !== undefined) read += 1
  }
  return read > rejected || (read + rejected === 0 && reader.state !== undefined)
}

/** A record, and what is left of it when what collectors put around it is taken off, bit by bit. */
function unwrapAll(record: string): readonly string[] {
  const inner = unwrap(record)?.line
  return inner === undefined || inner.length >= record.length ? [record] : [record, ...unwrapAll(inner)]
}

/** What has ended in `head`. */
function split(head: Buffer, layout: LogLayout): readonly string[] {
  const texts: string[] = []
  const visitor = {
    line: (text: string, start: number, end: number) => void texts.push(text.slice(start, end)),
    fault: () => undefined,
  }
  createLogSplitter(layout).push(head, visitor)
  return texts
}

function toLine(head: Buffer): string {
  return head.toString().replace(/^\uFEFF|\r$/g, '')
}

function toExcerpt(records: readonly string[]): string {
  const first = records[0] ?? ''
  return JSON.stringify(first.length > EXCERPT_CHARACTERS ? `${first.slice(0, EXCERPT_CHARACTERS)}…` : first)
}

const EXCERPT_CHARACTERS = 120
