import { JsonReader } from '../import-answers/json-documents.ts'
import { openInput } from '../input/open.ts'
import type { ProviderRequest } from './providers/provider.ts'

/** What a line of the spool says beside the reply: fields of an envelope (contract/imports 2.2). */
export type Envelope = Readonly<Record<string, unknown>> & {
  /** Names the call; the answer that is imported has it. */
  readonly id: string
  /** As it was sent, without the secret. */
  readonly request: ProviderRequest
}

/**
 * A line of the spool: the envelope, and under `response` the bytes that came, of several parts as an array. Line breaks
 * between their tokens become spaces (in JSON a raw one stands nowhere else), and a byte order mark goes. The bodies must be
 * JSON.
 */
export function toSpoolLine(envelope: Envelope, bodies: readonly Uint8Array[]): Buffer {
  const inner = bodies.map(toOneLine)
  const parts =
    inner.length === 1 ? inner : [OPEN, ...inner.flatMap((body, i) => (i === 0 ? [body] : [COMMA, body])), CLOSE]
  return Buffer.concat([toHead(envelope), Buffer.from(',"response":'), ...parts, END])
}

/** A line for replies that are no answer, for whoever looks into them: their bodies as texts. Never imported. */
export function toFailureLine(
  envelope: Envelope & { readonly status: number | undefined; readonly reason: string },
  bodies: readonly string[],
): Buffer {
  return Buffer.from(`${JSON.stringify({ ...envelope, response_text: bodies })}\n`)
}

/** The whole lines of a file of the lanes that are read, plain or sealed. */
export async function* readSpoolLines(path: string): AsyncGenerator<Envelope & { readonly response: unknown }> {
  await using input = await openInput(path)
  const reader = new JsonReader()
  const toLines = (documents: ReturnType<JsonReader['push']>) =>
    documents.flatMap((document) =>
      'json' in document ? [document.json as Envelope & { readonly response: unknown }] : [],
    )
  for await (const chunk of input) yield* toLines(reader.push(chunk))
  yield* toLines(reader.end())
}

const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')
const END = Buffer.from('}\n')
const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

function toHead(envelope: Envelope): Buffer {
  return Buffer.from(JSON.stringify(envelope).slice(0, -1))
}

function toOneLine(body: Uint8Array): Buffer {
  const hasMark = Buffer.from(body.buffer, body.byteOffset, Math.min(3, body.length)).equals(BYTE_ORDER_MARK)
  const line = Buffer.from(hasMark ? body.subarray(3) : body)
  for (const mark of [LF, CR]) {
    for (let at = line.indexOf(mark); at !== -1; at = line.indexOf(mark, at + 1)) line[at] = SPACE
  }
  return line
}
