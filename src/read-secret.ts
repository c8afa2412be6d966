import { join } from 'node:path'
import { CommandError } from './errors.ts'
import { readWholeFile } from './read-whole-file.ts'

export type SecretState =
  /** `where` names the variable or the file. */
  | { readonly kind: 'there'; readonly where: string }
  /** `variable` is the one to set. */
  | { readonly kind: 'missing'; readonly variable: string }
  /** Something is there that can't be used. */
  | { readonly kind: 'unusable'; readonly where: string; readonly reason: string }

export type FoundSecret =
  | { readonly value: string; readonly where: string }
  | Exclude<SecretState, { readonly kind: 'there' }>

export type SecretVariables = Readonly<Record<string, string | undefined>>

/** Name of the variable that holds a secret; with `_FILE` behind it, of the one that names a file with it. */
export function toSecretVariable(name: string): string {
  return `ANSWERLAKE_SECRET_${name.toUpperCase()}`
}

/**
 * A secret of the operator's: from the variable, else from the file that `…_FILE` names, else from systemd's directory of
 * credentials. What can't be used is told; nothing is thrown.
 */
export async function readSecret(name: string, environment: SecretVariables): Promise<FoundSecret> {
  const variable = toSecretVariable(name)
  const own = environment[variable]
  if (own !== undefined && own !== '') return check(own, variable)
  const file = environment[`${variable}_FILE`]
  if (file !== undefined && file !== '') return readSecretFile(file, `${variable}_FILE (${file})`, true, variable)
  const directory = environment['CREDENTIALS_DIRECTORY']
  if (directory === undefined || directory === '') return { kind: 'missing', variable }
  const credential = join(directory, `answerlake-secret-${name}`)
  return readSecretFile(credential, credential, false, variable)
}

/** A file that was named must be there; a credential may be. */
async function readSecretFile(path: string, where: string, isNamed: boolean, variable: string): Promise<FoundSecret> {
  try {
    return check((await readWholeFile(path, SECRET_FILE_BYTES_MAX)).toString('utf8'), where)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' && !isNamed) return { kind: 'missing', variable }
    const reason =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EACCES'
          ? 'permission is denied'
          : error instanceof CommandError
            ? 'it is no regular file of a few bytes'
            : `it cannot be read (${String(code)})`
    return { kind: 'unusable', where, reason }
  }
}

/** White space around a secret is that of the file it stands in. */
function check(given: string, where: string): FoundSecret {
  const value = given.trim()
  if (value.length < SECRET_CHARACTERS_MIN) {
    return { kind: 'unusable', where, reason: `it has fewer than ${SECRET_CHARACTERS_MIN} characters` }
  }
  // What no header can carry, a line break above all, would end as an error that cites it.
  return /^[\x20-\x7E]+$/.test(value)
    ? { value, where }
    : { kind: 'unusable', where, reason: 'it holds characters that no key has (a line break, an accent)' }
}

/** A shorter one can't be taken out of texts without damaging them. */
export const SECRET_CHARACTERS_MIN = 8
const SECRET_FILE_BYTES_MAX = 16_384
