import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { CommandError } from '../errors.ts'
import { REJECTIONS_LISTED_MAX } from '../limits.ts'

/** A rejection as an import's result lists it (contract/imports 2.4). */
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

/** Throws CommandError when the file can't be written, or is one of the inputs: opening it would empty it. */
export async function openRejections(path: string | undefined, inputs: readonly string[]): Promise<Rejections> {
  if (path !== undefined && (await isOneOf(path, inputs))) {
    throw new CommandError(
      `${path} is an input of this import and can't take its rejected records too. Choose another file with --rejects.`,
    )
  }
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

async function isOneOf(path: string, inputs: readonly string[]): Promise<boolean> {
  const identify = async (file: string): Promise<string | undefined> =>
    stat(file, { bigint: true }).then(
      ({ dev, ino }) => `${dev}:${ino}`,
      () => undefined,
    )
  const identity = await identify(path)
  if (identity === undefined) return false
  const others = await Promise.all(inputs.filter((input) => input !== '-').map(identify))
  return others.includes(identity)
}

function fail(path: string | undefined, error: unknown): never {
  throw new CommandError(
    `The rejected records can't be written to ${path}: ${toReason(error)}. Choose another file with --rejects.`,
    { cause: error },
  )
}

function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return ('code' in error ? REASONS[String(error.code)] : undefined) ?? error.message
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its directory does not exist',
  ENOTDIR: 'a file stands where its directory should be',
  EISDIR: 'it is a directory',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is mounted read-only',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
}

/** What an operator is told when `strict` refused the call; `noun` is what a file holds, a `record` or a `line`. */
export function toStrictError(rejected: number, noun: string): CommandError {
  return new CommandError(
    `${rejected === 1 ? `1 ${noun} was` : `${rejected} ${noun}s were`} rejected, and --strict refuses the whole call then: nothing was imported. Correct the ${noun}s listed above, or leave --strict out.`,
  )
}
