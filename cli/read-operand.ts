import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { CommandError } from '../src/errors.ts'
import { toOpenError } from '../src/input/open.ts'
import { OPERATOR_FILE_BYTES_MAX } from '../src/limits.ts'
import { readWholeFile } from '../src/read-whole-file.ts'
import type { Io } from './io.ts'

/** The text of a small file that an operator wrote; `-` is standard input. Throws CommandError when it can't be read as UTF-8. */
export async function readOperand(file: string, io: Io): Promise<string> {
  const name = toInputName(file)
  const bytes = await readBytes(file, name, io)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new CommandError(`${name} is not UTF-8 text; save it as UTF-8.`, { cause })
  }
}

/** What messages call an operand. */
export function toInputName(file: string): string {
  return file === '-' ? 'standard input' : file
}

/** What a shell puts in the place of `<(command)`: both of its ends are open, as those of standard input are. */
const OPEN_PIPE = /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/\d+)$/

async function readBytes(file: string, name: string, io: Io): Promise<Buffer> {
  if (file === '-') return readAll(name, io.stdin)
  if (OPEN_PIPE.test(file)) return readAll(name, createReadStream(file))
  try {
    return await readWholeFile(file, OPERATOR_FILE_BYTES_MAX)
  } catch (error) {
    throw error instanceof CommandError ? error : toOpenError(name, error)
  }
}

async function readAll(name: string, stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk as Buffer)
      size += bytes.length
      if (size > OPERATOR_FILE_BYTES_MAX) break
      chunks.push(bytes)
    }
  } catch (cause) {
    throw toOpenError(name, cause)
  }
  if (size > OPERATOR_FILE_BYTES_MAX) {
    throw new CommandError(`${name}: is larger than ${OPERATOR_FILE_BYTES_MAX / 1_048_576} MiB.`)
  }
  return Buffer.concat(chunks)
}
