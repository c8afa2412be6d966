import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { DecoratorHandler, type Dispatcher, EnvHttpProxyAgent, request } from 'undici'
import { REPLY_BYTES_MAX } from '../call-limits.ts'
import type { ProviderRequest, Reply, SecretPlace } from './providers/provider.ts'

/** Sends requests to providers, each once: nothing is repeated, and no redirect is followed. */
export interface Sender extends AsyncDisposable {
  /** The whole reply, whatever its status; or why there is none, and whether the request can have reached anybody. */
  send(order: SendOrder): Promise<Reply | SendFailure>
}

export interface SendOrder {
  readonly request: ProviderRequest
  readonly place: SecretPlace
  /** Put in last; undefined for services that need none. */
  readonly secret: string | undefined
  /** Ends the wait at once; what was sent stays sent. */
  readonly signal?: AbortSignal | undefined
}

export interface SendFailure {
  /** `unsent`: not a byte of the request left this machine, so that nothing was bought. `uncertain`: it may have been. */
  readonly kind: 'unsent' | 'uncertain'
  readonly reason: string
}

export interface SenderOptions {
  /** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are read from it, in capitals or small letters. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** From the first byte sent to the last one received. */
  readonly deadlineMs: number
  /** Takes secrets out of errors and replies. */
  readonly redact: (text: string) => string
}

const CONNECT_MS_MAX = 10_000

/** Opens a sender with connections of its own. */
export function openSender({ environment, deadlineMs, redact }: SenderOptions): Sender {
  const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? ''
  const agent = new EnvHttpProxyAgent({
    httpProxy: read('HTTP_PROXY'),
    httpsProxy: read('HTTPS_PROXY'),
    noProxy: read('NO_PROXY'),
    connect: { timeout: CONNECT_MS_MAX },
    // The deadline stands for all of them.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    async send({ request: asked, place, secret, signal }) {
      const withSecret = putSecret(asked, place, secret)
      // Unlike a signal with a time of its own, this one is gone with its request.
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(), deadlineMs)
      let isSent = false
      const dispatcher = agent.compose(noteStart(() => (isSent = true)))
      try {
        const response = await request(withSecret.url, {
          dispatcher,
          method: asked.method,
          headers: withSecret.headers,
          body: asked.body === undefined ? null : JSON.stringify(asked.body),
          signal: signal ? AbortSignal.any([deadline.signal, signal]) : deadline.signal,
        })
        return await readReply(response, redact)
      } catch (error) {
        const reason = deadline.signal.aborted
          ? `no whole reply within ${deadlineMs / 1_000} s`
          : redact(describeError(error))
        return { kind: isSent ? 'uncertain' : 'unsent', reason }
      } finally {
        clearTimeout(timer)
      }
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}

/** Calls back when a connection stands and the request is about to be written on it. */
function noteStart(onStart: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => dispatch(options, new StartNote(handler, onStart))
}

/** The package's types leave out the methods of its own base class. */
interface Decorated {
  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void
}
const Decorator = DecoratorHandler as unknown as new (handler: Dispatcher.DispatchHandler) => Decorated

class StartNote extends Decorator {
  readonly #onStart: () => void

  constructor(handler: Dispatcher.DispatchHandler, onStart: () => void) {
    super(handler)
    this.#onStart = onStart
  }

  override onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#onStart()
    super.onRequestStart(controller, context)
  }
}

function putSecret(
  { url, headers }: ProviderRequest,
  place: SecretPlace,
  secret: string | undefined,
): { readonly url: string; readonly headers: Record<string, string> } {
  const all: Record<string, string> = { accept: 'application/json', 'accept-encoding': 'gzip', ...headers }
  if (secret === undefined) return { url, headers: all }
  switch (place.in) {
    case 'header':
      return { url, headers: { ...all, [place.name]: `${place.prefix}${secret}` } }
    case 'basic':
      return { url, headers: { ...all, authorization: `Basic ${Buffer.from(secret).toString('base64')}` } }
    case 'query': {
      const whole = new URL(url)
      whole.searchParams.set(place.name, secret)
      return { url: whole.href, headers: all }
    }
  }
}

async function readReply(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  redact: (text: string) => string,
): Promise<Reply> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Leaving the loop ends the connection.
    if (bytes > REPLY_BYTES_MAX) throw new Error(TOO_LONG)
    chunks.push(chunk)
  }
  const given = new Headers()
  for (const [name, value = []] of Object.entries(headers)) {
    for (const each of Array.isArray(value) ? value : [value]) given.append(name, each)
  }
  const whole = await decode(Buffer.concat(chunks), given.get('content-encoding'))
  return { status: statusCode, headers: given, ...withoutSecrets(whole, redact) }
}

const TOO_LONG = `the reply is longer than ${REPLY_BYTES_MAX / (1_024 * 1_024)} MiB`

async function decode(body: Buffer, encoding: string | null): Promise<Buffer> {
  if (encoding === null || encoding === '' || encoding === 'identity' || body.length === 0) return body
  const decompress = DECODERS[encoding.trim().toLowerCase()]
  if (!decompress) throw new Error(`the reply is encoded as ${encoding}, which wasn't asked for`)
  try {
    return await decompress(body, { maxOutputLength: REPLY_BYTES_MAX })
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new Error(isTooLong ? TOO_LONG : `the reply can't be unpacked (${encoding})`, { cause: error })
  }
}

const DECODERS: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** The bytes as they came, unless a service repeats the secret that it was sent; with what they say as JSON. */
function withoutSecrets(whole: Buffer, redact: (text: string) => string): Pick<Reply, 'body' | 'json'> {
  const text = isUtf8(whole) ? whole.toString('utf8') : undefined
  const shown = text === undefined ? redact(whole.toString('latin1')) : redact(text)
  if (text === undefined) return { body: Buffer.from(shown, 'latin1'), json: undefined }
  const body = shown === text ? whole : Buffer.from(shown)
  try {
    return { body, json: JSON.parse(shown.startsWith('\uFEFF') ? shown.slice(1) : shown) as unknown }
  } catch {
    return { body, json: undefined }
  }
}

/** The system's own words: those of a connection stand in the cause, or in the first of several addresses' errors. */
function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : undefined
  const words = error.message === '' ? error.name : error.message
  return code === undefined || words.includes(code) ? words : `${words} (${code})`
}
