import { LOG_LINE_BYTES_MAX, LOG_SECONDS_MAX } from '../../limits.ts'
import { CLF_TIME_LENGTH, parseClfTime } from './log-time.ts'
import { USUAL_LINES_CODE } from './usual-lines-code.ts'

/** What a user agent means. */
export const AGENT = {
  /** A robot that is never reported. */
  nobody: 0,
  /** Perhaps a person. */
  visitor: 1,
  /** This and the bot's number. */
  bot: 2,
} as const

/** What texts of lines mean, as whole numbers; asked about once for texts that repeat, of plain ASCII. */
export interface Meanings {
  /** One of AGENT, a bot's number added to the last. */
  readonly agent: (userAgent: string) => number
  /** Whether a referer that begins so may name an answer engine: 1 or 0. */
  readonly origin: (origin: string) => number
  readonly address: (address: string) => number
  readonly path: (path: string) => number
}

/** Lines that were counted, and the bots' hits among them. */
export interface UsualCount {
  readonly lines: number
  readonly hits: UsualHits
}

/** One place of each column a hit. */
export interface UsualHits {
  /** As `Meanings` has it. */
  readonly path: Uint32Array
  /** Seconds since 1970, UTC. */
  readonly time: Uint32Array
  /** The bot's number. */
  readonly bot: Uint32Array
  /** As `Meanings` has it. */
  readonly address: Uint32Array
  readonly status: Uint32Array
}

export interface UsualLinesOptions {
  readonly leavesBots: boolean
}

/** Bytes at the beginning of the memory that are not the caller's. */
export const USUAL_LINES_BYTES = 10 * 1_024 * 1_024

/** How far behind the end of the last line the memory is read, in bytes. */
export const READ_BEHIND_BYTES = 32

/** Memory in which the code can be put to use, in pages of 64 KiB. */
export const USUAL_LINES_PAGES = { least: 160, most: 65_536 } as const

/**
 * Counts what nearly every line of a `combined` log is, in WebAssembly, a multiple faster than texts are read: no user,
 * the request of a path, nothing escaped, plain ASCII, nothing behind the user agent but `X-Forwarded-For`; and nobody's
 * whom an answer engine may have sent. It reads what it counts as `parseCombined` reads it, and leaves other lines alone.
 */
export class UsualLines {
  readonly #code: Code
  readonly #columns: readonly Uint32Array[]

  /**
   * Lines are to lie in `memory`, behind its first USUAL_LINES_BYTES. With `leavesBots` bots' lines aren't counted.
   * Undefined where the processor is too old for it (no SSE 4.1), or a virtual one pretends to be.
   */
  static open(memory: WebAssembly.Memory, meanings: Meanings, options: UsualLinesOptions): UsualLines | undefined {
    const module = compile()
    return module && new UsualLines(module, memory, meanings, options)
  }

  private constructor(
    module: WebAssembly.Module,
    memory: WebAssembly.Memory,
    meanings: Meanings,
    { leavesBots }: UsualLinesOptions,
  ) {
    const bytes = Buffer.from(memory.buffer)
    const inOrder = KINDS.map((kind) => meanings[kind])
    const learn = (kind: number, start: number, length: number): number =>
      inOrder[kind]?.(bytes.toString('latin1', start, start + length)) ?? 0
    const readMinute = (start: number): number => toMinute(bytes.toString('latin1', start, start + CLF_TIME_LENGTH))
    const imports = { env: { memory }, 'remembered-texts': { learn }, 'usual-lines': { readMinute } }
    this.#code = new WebAssembly.Instance(module, imports).exports as Code
    const { HITS_AT, HITS_ROOM, FREE_AT } = this.#code
    if (FREE_AT.value > USUAL_LINES_BYTES) throw new Error('usual-lines.ts keeps too little memory for its code')
    this.#code.lineBytesMax.value = LOG_LINE_BYTES_MAX
    this.#code.leavesBots.value = Number(leavesBots)
    this.#columns = Array.from(
      { length: COLUMNS },
      (_, no) => new Uint32Array(memory.buffer, HITS_AT.value + no * HITS_ROOM.value * 4, HITS_ROOM.value),
    )
  }

  /**
   * Counts lines from the place `start` of the memory on, up to the first one that isn't to be counted here, or until it
   * `isFull`: so many lines and bytes. The line that ends at `end` must have its `\n`, and the memory must go on for
   * READ_BEHIND_BYTES.
   */
  scan(start: number, end: number): { readonly lines: number; readonly bytes: number } {
    const before = this.#code.lines.value
    const at = this.#code.scan(start, end)
    return { lines: this.#code.lines.value - before, bytes: at - start }
  }

  /** Whether no more hits can be counted before a `take`. */
  get isFull(): boolean {
    return this.#code.hits.value === this.#code.HITS_ROOM.value
  }

  /** All that was counted since the last call; the hits are overwritten by the next scan. */
  take(): UsualCount {
    const lines = this.#code.lines.value
    const count = this.#code.hits.value
    this.#code.lines.value = 0
    this.#code.hits.value = 0
    const [path = NONE, time = NONE, bot = NONE, address = NONE, status = NONE] = this.#columns.map((column) =>
      column.subarray(0, count),
    )
    return { lines, hits: { path, time, bot, address, status } }
  }

  /** Asks again what texts of the kind mean. */
  forget(kind: keyof Meanings): void {
    this.#code.forget(KINDS.indexOf(kind))
  }
}

/** In the order of assembly/remembered-texts.ts. */
const KINDS = ['agent', 'origin', 'address', 'path'] as const satisfies readonly (keyof Meanings)[]
const COLUMNS = 5
const NONE = new Uint32Array(0)

/** What assembly/usual-lines.ts exports. */
interface Code {
  readonly HITS_AT: Readonly<Global>
  readonly HITS_ROOM: Readonly<Global>
  readonly FREE_AT: Readonly<Global>
  readonly lines: Global
  readonly hits: Global
  readonly lineBytesMax: Global
  readonly leavesBots: Global
  scan(start: number, end: number): number
  forget(kind: number): void
}

interface Global {
  value: number
}

function compile(): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(Buffer.from(USUAL_LINES_CODE, 'base64'))
  } catch {
    return undefined
  }
}

/** Seconds since 1970 where the minute of a log's time starts; less than 0 where it has none that a lake can hold. */
function toMinute(text: string): number {
  const seconds = parseClfTime(text, 0)
  const start = seconds === undefined ? -1 : seconds - Number(text.slice(SECOND_AT, SECOND_AT + 2))
  return start + 59 <= LOG_SECONDS_MAX ? start : -1
}

/** Where the second stands in `17/May/2015:10:05:03 +0000`. */
const SECOND_AT = 18
