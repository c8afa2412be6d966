import { PROVIDER_IDS, type ProviderId } from '../domain/enums.ts'
import {
  readSecret,
  SECRET_CHARACTERS_MIN,
  type SecretState,
  type SecretVariables,
  toSecretVariable,
} from '../read-secret.ts'

/** The operator's keys for providers. They are in memory alone: nothing shows, logs or stores one (contract/imports 4.2). */
export interface Secrets {
  get(provider: ProviderId): string | undefined
  /** Whether there is one, without it. */
  find(provider: ProviderId): SecretState
  /** The text without the bytes of any secret, in whichever way a URL or header writes them. */
  redact(text: string): string
}

/** Reads the secrets of all providers (read-secret.ts). What can't be used is told by `find`; nothing is thrown. */
export async function readSecrets(environment: SecretVariables): Promise<Secrets> {
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
