/**
 * How fast raw answers are read, on one core: `node bench/adapters.ts`. Each line is one figure of docs/import-answers.md.
 * Payloads are the first test case of each format, its texts repeated until the payload has 8 KB.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ADAPTERS } from '../src/import-answers/adapters.ts'
import { readDocuments } from '../src/import-answers/documents.ts'
import { readRecords } from '../src/import-answers/envelope.ts'
import { parseNative } from '../src/import-answers/native.ts'

const PAYLOAD_BYTES = 8_192
const OPTIONS = { format: 'auto', defaults: { date: '2026-09-01', promptId: 'prm_1' } } as const

for (const { format } of ADAPTERS) {
  const text = toPayload(format)
  const perSecond = measure(() => readRecords(JSON.parse(text), OPTIONS))
  report(`${format}: payloads of ${text.length} bytes a second, parsing included`, perSecond)
}
const record = toNative(PAYLOAD_BYTES)
report(
  'native: records of 8 KB a second, parsing included',
  measure(() => readRecords(JSON.parse(record), OPTIONS)),
)
const parsed: unknown = JSON.parse(record)
report('native: µs to check one parsed record', 1_000_000 / measure(() => parseNative(parsed)))
report('native: µs to recognise and check one parsed record', 1_000_000 / measure(() => readRecords(parsed, OPTIONS)))
report('documents: MB of NDJSON a second', await measureDocuments(`${record}\n`, '', ''))
report('documents: MB of one compact array a second', await measureDocuments(`${record},`, '[', '{}]'))
report('documents: MB of documents over many lines a second', await measureDocuments(toPretty(record), '', ''))

function toPayload(format: string): string {
  const dir = join(import.meta.dirname, '../test/import-answers/cases', format)
  const file = readdirSync(dir)
    .flatMap((name) => readdirSync(join(dir, name)).map((input) => join(dir, name, input)))
    .find((path) => /input\.(?:nd)?json$/.test(path) && isGood(readFirst(path)))
  if (file === undefined) throw new Error(`${format} has no case to measure`)
  let payload = readFirst(file)
  const missing = PAYLOAD_BYTES - JSON.stringify(payload).length
  payload = pad(payload, missing)
  return JSON.stringify(payload)
}

function readFirst(path: string): unknown {
  const text = readFileSync(path, 'utf8')
  const json: unknown = JSON.parse(path.endsWith('.ndjson') ? (text.split('\n')[0] ?? '') : text)
  const payload: unknown = Array.isArray(json) ? json[0] : json
  // xAI is no engine, so somebody has to say which one its payload counts for.
  return path.includes('/xai/') ? { platform: 'copilot', response: payload } : payload
}

function isGood(payload: unknown): boolean {
  return readRecords(payload, OPTIONS).every((answer) => 'text' in answer && answer.text !== null)
}

/** The payload with the longest string of its answer's text made longer by `bytes`. */
function pad(payload: unknown, bytes: number): unknown {
  const [answer] = readRecords(payload, OPTIONS)
  const text = answer && 'text' in answer ? (answer.text ?? '') : ''
  let longest = ''
  JSON.stringify(payload, (_, value: unknown) => {
    if (typeof value === 'string' && text.includes(value) && value.length > longest.length) longest = value
    return value
  })
  const filler = 'Acme and Bolt are named here, and 3 more. '.repeat(Math.max(0, Math.ceil(bytes / 42)))
  return JSON.parse(JSON.stringify(payload, (_, value: unknown) => (value === longest ? longest + filler : value)))
}

function toNative(bytes: number): string {
  const answer = {
    date: '2026-09-01',
    asked_at: '2026-09-01T08:00:00Z',
    platform: 'chatgpt',
    prompt: 'best crm for dentists',
    text: '',
    citations: Array.from({ length: 6 }, (_, i) => ({ url: `https://site${i}.example/page`, title: `Page ${i}` })),
  }
  return JSON.stringify(pad({ ...answer, text: 'Acme leads. '.repeat(3) }, bytes - JSON.stringify(answer).length))
}

function toPretty(json: string): string {
  return `${JSON.stringify(JSON.parse(json), null, 2)}\n`
}

/** Runs a second of `work`, after a short warming up; times a second. */
function measure(work: () => unknown): number {
  run(work, 200)
  return run(work, 1_000)
}

function run(work: () => unknown, ms: number): number {
  const start = performance.now()
  let times = 0
  let now = start
  while (now - start < ms) {
    for (let i = 0; i < 50; i += 1) work()
    times += 50
    now = performance.now()
  }
  return (times * 1_000) / (now - start)
}

/** Megabytes a second of 200 MB made of one record, in chunks as files are read. */
async function measureDocuments(piece: string, before: string, after: string): Promise<number> {
  const block = Buffer.from(piece.repeat(Math.ceil((256 * 1_024) / piece.length)))
  const blocks = Math.ceil(200_000_000 / block.length)
  async function* content(): AsyncGenerator<Buffer> {
    yield Buffer.from(before)
    for (let i = 0; i < blocks; i += 1) yield block
    yield Buffer.from(after)
  }
  const start = performance.now()
  let records = 0
  for await (const documents of readDocuments(content())) records += documents.length
  if (records < blocks) throw new Error(`only ${records} records were read`)
  return (blocks * block.length) / 1_000 / (performance.now() - start)
}

function report(what: string, figure: number): void {
  console.log(`${what}: ${figure >= 100 ? Math.round(figure).toLocaleString('en-US') : figure.toFixed(2)}`)
}
