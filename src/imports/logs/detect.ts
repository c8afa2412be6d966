import { CommandError } from '../../errors.ts'
import { LOG_LINE_BYTES_MAX, LOG_SAMPLE_LINES_MAX } from '../../limits.ts'
import { JsonSplitter } from '../json-splitter.ts'
import { LineSplitter, type Splitter } from '../lines.ts'
import { parseObject } from './json-line.ts'
import { isRejected, LOG_FORMATS, type LogFormat } from './log-line.ts'
import { createLogReader } from './reader.ts'

/** `json` is JSON that isn't one object a line: an array, or objects over several lines. */
export type LogLayout = 'lines' | 'json'

/** The beginning of a log: whole lines or records, as far as the sample goes. */
export interface LogSample {
  readonly layout: LogLayout
  readonly records: readonly string[]
}

export function createLogSplitter(layout: LogLayout, from: { number?: number; offset?: number } = {}): Splitter {
  return layout === 'json'
    ? new JsonSplitter({ bytesMax: LOG_LINE_BYTES_MAX })
    : new LineSplitter({ bytesMax: LOG_LINE_BYTES_MAX, encoding: 'lenient', ...from })
}

/** Takes the first bytes of a log apart; `isWhole` says that they are all there is. */
export function readSample(head: Buffer, isWhole: boolean): LogSample {
  const lines = split(head, 'lines', isWhole)
  const records = lines.length === 0 && head.length > 0 ? [head.toString()] : lines
  const first = records.find((record) => record.trim() !== '')?.trimStart() ?? ''
  const mayBeJson = first.startsWith('[') || (first.startsWith('{') && parseObject(first) === undefined)
  const objects = mayBeJson ? split(head, 'json', isWhole).filter((text) => parseObject(text) !== undefined) : []
  const isEmptyArray = first.startsWith('[') && records.every((record) => /^[\s[\],]*$/.test(record))
  return objects.length > 0 || isEmptyArray ? { layout: 'json', records: objects } : { layout: 'lines', records }
}

/**
 * Recognises a log's format by its first records (formats.md 3): the most particular format of which they show a sign
 * and that reads more than half of them. An empty log is of any format.
 *
 * Throws `CommandError` when there is none; `name` is the file's in the message.
 */
export function detectLogFormat(sample: LogSample, name: string): LogFormat {
  const records = sample.records.filter((record) => record.trim() !== '').slice(0, LOG_SAMPLE_LINES_MAX)
  if (records.length === 0) return 'combined'
  const found = SIGNS.find(([format, sign]) => records.some((record) => sign.test(record)) && fits(format, records))
  if (found !== undefined) return found[0]
  throw new CommandError(
    `${name}: its first lines are in none of the known formats (${LOG_FORMATS.join(', ')}). ` +
      `Name the format with --format, or give nginx's log_format with --log-format. It begins: ${toExcerpt(records)}`,
  )
}

/** What a line of each format has that lines of the formats after it don't have; the order decides. */
const SIGNS: readonly (readonly [LogFormat, RegExp])[] = [
  ['vercel', /^\s*\{.*"proxy"\s*:\s*\{/s],
  ['gcp-lb', /^\s*\{.*"httpRequest"\s*:\s*\{/s],
  ['caddy', /^\s*\{.*"request"\s*:\s*\{.*"headers"\s*:/s],
  ['traefik', /^\s*\{.*"(?:Downstream|Origin)Status"\s*:|\d+ms$/s],
  ['cloudflare', /^\s*\{.*"EdgeResponseStatus"\s*:/s],
  ['akamai', /^\s*\{.*"reqTimeSec"\s*:/s],
  ['cloudfront', /^#Fields:.* x-edge-|^\s*\{.*"cs-method"\s*:/s],
  ['fastly', /^\s*\{.*"request_user_agent"\s*:|^<\d{1,3}>/s],
  ['nginx-json', /^\s*\{/],
  ['w3c', /^#Fields:/],
  ['alb', /^(?:https?|h2|grpcs?|wss?) \d{4}-/],
  ['elb', /^\d{4}-\d\d-\d\dT/],
  ['s3', /^\S+ \S+ \[/],
  ['vhost-combined', /^\S+ (?!- )\S+ /],
  ['combined', /"/],
  ['common', /"/],
]

/** Whether a reader of the format reads more of the records than it rejects, or finds nothing but its header. */
function fits(format: LogFormat, records: readonly string[]): boolean {
  const reader = createLogReader(format)
  let read = 0
  let rejected = 0
  for (const record of records) {
    const parsed = reader.parse(record, 0, record.length)
    if (parsed !== undefined && isRejected(parsed)) rejected += 1
    else if (parsed !== undefined) read += 1
  }
  return read > rejected || (read + rejected === 0 && reader.header !== undefined)
}

function split(head: Buffer, layout: LogLayout, isWhole: boolean): readonly string[] {
  const texts: string[] = []
  const visitor = {
    line: (text: string, start: number, end: number) => void texts.push(text.slice(start, end)),
    fault: () => undefined,
  }
  const splitter = createLogSplitter(layout)
  splitter.push(head, visitor)
  if (isWhole) splitter.end(visitor)
  return texts
}

function toExcerpt(records: readonly string[]): string {
  const first = records[0] ?? ''
  return JSON.stringify(first.length > EXCERPT_CHARACTERS ? `${first.slice(0, EXCERPT_CHARACTERS)}…` : first)
}

const EXCERPT_CHARACTERS = 120
