import { Readable, Writable } from 'node:stream'
import type { Io } from '../../../cli/io.ts'

/** A stream that keeps what is written to it; with a width it takes itself for a terminal. */
export class Sink extends Writable {
  text = ''
  readonly isTTY: boolean
  declare readonly columns?: number

  constructor(columns?: number) {
    super({ decodeStrings: false })
    this.isTTY = columns !== undefined
    if (columns !== undefined) Object.assign(this, { columns })
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.text += typeof chunk === 'string' ? chunk : chunk.toString('utf8')
    done()
  }
}

export interface TestIo extends Io {
  readonly stdout: Sink
  readonly stderr: Sink
}

export function openTestIo(options: { terminal?: boolean | number; stdin?: string | Buffer } = {}): TestIo {
  const { terminal = false } = options
  const columns = terminal === true ? 100 : terminal === false ? undefined : terminal
  return {
    stdin: Object.assign(Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]), {
      isTTY: columns !== undefined,
    }),
    stdout: new Sink(columns),
    stderr: new Sink(columns),
  }
}
