import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib'

export type Encoding = 'zstd' | 'br' | 'gzip'

/** The text of an answer, plain and as a client may take it. */
export interface Compressible {
  readonly plain: Buffer
  /** The best first, for clients without a preference. */
  readonly encodings: readonly Encoding[]
  readonly compress: (encoding: Encoding) => Promise<Buffer>
}

/** Quick enough for every answer. Brotli's default, 11, takes a hundred times as long for a tenth less. */
const BROTLI_QUALITY = 4
const QUICKEST_FIRST: readonly Encoding[] = ['zstd', 'br', 'gzip']

/** Quick, not small: for a text that is sent once. */
export function compressNow(text: string): Compressible {
  const plain = Buffer.from(text)
  return { plain, encodings: QUICKEST_FIRST, compress: (encoding) => QUICK[encoding](plain) }
}

const QUICK: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  zstd: promisify(zstdCompress),
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify(gzip),
}

/** Small, not quick: for a text that is sent many times. Each form is made when it is first asked for, and kept. */
export function compressOnce(text: string): Compressible {
  const plain = Buffer.from(text)
  const kept = new Map<Encoding, Promise<Buffer>>()
  return {
    plain,
    encodings: ['br', 'zstd', 'gzip'],
    compress(encoding) {
      const made = kept.get(encoding) ?? SMALL[encoding](plain)
      kept.set(encoding, made)
      return made
    },
  }
}

const SMALL: typeof QUICK = {
  zstd: (bytes) => promisify(zstdCompress)(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
}

/** Compresses a stream. Each hands on what it is given at once: Brotli would keep the first row for half a megabyte of others. */
export const STREAM_ENCODERS = {
  zstd: () => createZstdCompress({ flush: constants.ZSTD_e_flush }),
  br: () =>
    createBrotliCompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
} as const satisfies Record<Encoding, () => NodeJS.ReadWriteStream>

/**
 * Of what is offered the encoding that weighs most in an `Accept-Encoding` header, the first of several; undefined for none
 * (RFC 9110, 12.5.3).
 */
export function chooseEncoding(
  accepted: string | undefined,
  offered: readonly Encoding[] = QUICKEST_FIRST,
): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    weights.set(name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : Number(weight) || 0)
  }
  const weightOf = (encoding: string): number => weights.get(encoding) ?? weights.get('*') ?? 0
  const best = offered.toSorted((a, b) => weightOf(b) - weightOf(a))[0]
  return best !== undefined && weightOf(best) > 0 ? best : undefined
}
