import { join } from 'node:path'
import { PROVIDER_IDS, type ProviderId } from '../domain/enums.ts'
import { CommandError } from '../errors.ts'
import { readWholeFile } from '../read-whole-file.ts'

/** The operator's keys for providers. They are in memory alone: nothing shows, logs or stores one (contract/imports 4.2). */
export interface Secrets {
  get(provider: ProviderId): string | undefined
  /** Whether there is one, without it. */
  find(provider: ProviderId): SecretState
  /** The text without the bytes of any secret, in whichever way a URL or header writes them. */
  redact(text: string): string
}

export type SecretState =
  /** `where` names the variable or the file. */
  | { readonly kind: 'there'; readonly where: string }
  /** `variable` is the one to set. */
  | { readonly kind: 'missing'; readonly variable: string }
  /** Something is there that can't be used. */
  | { readonly kind: 'unusable'; readonly where: string; readonly reason: string }

type Variables = Readonly<Record<string, string | undefined>>

/** Name of the variable that holds a provider's secret; with `_FILE` behind it, of the one that names a file with it. */
export function toSecretVariable(provider: ProviderId): string {
  return `ANSWERLAKE_SECRET_${provider.toUpperCase()}`
}

/**
 * Reads the secrets of all providers: from the variable, else from the file that `…_FILE` names, else from systemd's
 * directory of credentials. What can't be used is told by `find`; nothing is thrown.
 */
export async function readSecrets(environment: Variables): Promise<Secrets> {
  const found = new Map(
    await Promise.all(PROVIDER_IDS.map(async (id) => [id, await readSecret(id, environment)] as const)),
  )
  const values = [...found.values()].flatMap((each) => ('value' in each ? [each.value] : []))
  const redact = openRedaction(values)
  return {
    get(provider) {
      const each = found.get(provider)
      return each !== undefined && 'value' in each ? each.value : undefined
    },
    find(provider) {
      const each = found.get(provider)
      if (each === undefined) return { kind: 'missing', variable: toSecretVariable(provider) }
      return 'value' in each ? { kind: 'there', where: each.where } : each
    },
    redact,
  }
}

type FoundSecret = { readonly value: string; readonly where: string } | Exclude<SecretState, { kind: 'there' }>

async function readSecret(provider: ProviderId, environment: Variables): Promise<FoundSecret> {
  const variable = toSecretVariable(provider)
  const own = environment[variable]
  if (own !== undefined && own !== '') return check(own, variable)
  const file = environment[`${variable}_FILE`]
  if (file !== undefined && file !== '') return readSecretFile(file, `${variable}_FILE (${file})`, true, variable)
  const directory = environment['CREDENTIALS_DIRECTORY']
  if (directory === undefined || directory === '') return { kind: 'missing', variable }
  const credential = join(directory, `answerlake-secret-${provider}`)
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
const SECRET_CHARACTERS_MIN = 8
const SECRET_FILE_BYTES_MAX = 16_384

function openRedaction(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.flatMap(listForms).filter((form) => form.length >= SECRET_CHARACTERS_MIN))
  if (forms.size === 0) return (text) => text
  // The longest first, so that none leaves the rest of a longer one.
  const sorted = [...forms].toSorted((a, b) => b.length - a.length)
  const pattern = new RegExp(sorted.map(escapePattern).join('|'), 'gi')
  return (text) => text.replace(pattern, '[secret]')
}

function escapePattern(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`)
}

/** A secret as it may stand in a URL, a header, a JSON text or a message; of `user:password` the password alone too. */
function listForms(secret: string): readonly string[] {
  const password = secret.includes(':') ? [secret.slice(secret.indexOf(':') + 1)] : []
  return [secret, ...password].flatMap((each) => [
    each,
    encodeURIComponent(each),
    encodeURI(each),
    new URLSearchParams({ '': each }).toString().slice(1),
    JSON.stringify(each).slice(1, -1),
    Buffer.from(each).toString('base64'),
    Buffer.from(each).toString('base64').replace(/=+$/, ''),
    Buffer.from(each).toString('base64url'),
  ])
}
