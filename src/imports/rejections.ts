import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { CommandError } from '../errors.ts'
import { REJECTIONS_LISTED_MAX } from '../limits.ts'

/** A rejection as an import's result lists it (formats.md 2.4). */
export interface ReportedRejection {
  readonly file: string
  readonly line: number
  readonly reason: string
}

/** Gathers the rejected records of a call: the first ones for the result, all of them for `--rejects`. */
export interface Rejections extends AsyncDisposable {
  readonly first: readonly ReportedRejection[]
  readonly count: number
  /** `record`: the input as it was, for `--rejects`. */
  add(rejection: ReportedRejection & { readonly record: string }): Promise<void>
}

/** Throws CommandError when the file can't be written. */
export async function openRejections(path: string | undefined): Promise<Rejections> {
  const first: ReportedRejection[] = []
  let count = 0
  const out = path === undefined ? undefined : createWriteStream(path, { mode: 0o600 })
  let failure: unknown
  out?.on('error', (error) => (failure = error))
  if (out) await once(out, 'open').catch((error: unknown) => fail(path, error))

  return {
    first,
    get count() {
      return count
    },
    async add({ file, line, reason, record }) {
      count += 1
      if (first.length < REJECTIONS_LISTED_MAX) first.push({ file, line, reason })
      if (!out) return
      if (failure !== undefined) fail(path, failure)
      if (!out.write(`${JSON.stringify({ file, line, reason, record })}\n`)) await once(out, 'drain')
    },
    async [Symbol.asyncDispose]() {
      if (!out) return
      out.end()
      await finished(out).catch((error: unknown) => fail(path, error))
    },
  }
}

function fail(path: string | undefined, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  throw new CommandError(`The rejected records can't be written to ${path}: ${reason}. Choose another file with --rejects.`)
}
