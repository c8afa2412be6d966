import { join } from 'node:path'
import * as v from 'valibot'
import { toDomain } from '../domain/site.ts'
import { CommandError } from '../errors.ts'
import { readJsonFile } from '../read-json-file.ts'
import { readSecret, type SecretVariables } from '../read-secret.ts'
import { arrayOf } from '../schemas/bounded-array.ts'
import { parseWith } from '../schemas/parse-with.ts'
import { strictObject } from '../schemas/strict-object.ts'

/** The OpenID provider that vouches for users, as `sign-in.json` names it. */
export interface ProviderConfig {
  /** On the button: `Sign in with NAME`. */
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Whose users they become. */
  readonly organizationId: string
  /** Domains of mail addresses that are let in; those below them are not. */
  readonly allowedDomains: readonly string[]
  /** The group whose members are owners; undefined where the provider says nothing about roles. */
  readonly ownerGroup: string | undefined
  /** The claim that lists a user's groups. */
  readonly groupsClaim: string
  /** Asked for beside `openid` and `email`. */
  readonly scopes: readonly string[]
}

const text = (most: number): v.GenericSchema<string> => v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(most))

const SignInFile = strictObject({
  oidc: strictObject({
    name: v.optional(text(40), 'OpenID'),
    issuer: v.pipe(
      text(500),
      v.check(isIssuer, 'Use the https:// address that the provider calls its issuer, without query and fragment.'),
    ),
    client_id: text(500),
    organization: text(64),
    allowed_domains: arrayOf(
      v.pipe(
        v.string(),
        v.check((given) => toDomain(given) !== undefined, 'Use a domain such as "acme.com".'),
        v.transform((given) => toDomain(given) ?? given),
      ),
      { min: 1, max: 100 },
    ),
    owner_group: v.optional(text(500)),
    groups_claim: v.optional(text(200), 'groups'),
    scopes: v.optional(
      arrayOf(v.pipe(v.string(), v.regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,100}$/)), { min: 0, max: 20 }),
      [],
    ),
  }),
})

/**
 * What `sign-in.json` of a data directory says, with the client's secret; undefined where there is no such file. Throws
 * CommandError, with each fault and what to do about it.
 */
export async function readProviderConfig(
  dataDir: string,
  environment: SecretVariables,
): Promise<ProviderConfig | undefined> {
  const path = join(dataDir, 'sign-in.json')
  const content = await readJsonFile(path)
  if (content === undefined) return undefined
  const parsed = parseWith(SignInFile, content, 'the file')
  if ('faults' in parsed) {
    throw new CommandError(`${path} cannot be used; correct this and start the service again:`, {
      faults: parsed.faults.map((fault) => `${fault.path}: ${fault.message}`),
    })
  }
  const { oidc } = parsed.value
  const secret = await readSecret('oidc', environment)
  if (!('value' in secret)) {
    const reason =
      secret.kind === 'missing'
        ? `Set ${secret.variable}, or ${secret.variable}_FILE to the path of a file with it.`
        : `${secret.where}: ${'reason' in secret ? secret.reason : ''}.`
    throw new CommandError(`${path} names a provider, and the secret of the client is missing. ${reason}`)
  }
  return {
    name: oidc.name,
    issuer: oidc.issuer,
    clientId: oidc.client_id,
    clientSecret: secret.value,
    organizationId: oidc.organization,
    allowedDomains: oidc.allowed_domains,
    ownerGroup: oidc.owner_group,
    groupsClaim: oidc.groups_claim,
    scopes: oidc.scopes,
  }
}

/** Clear text is for providers on this machine: whoever stands between could answer for the provider. */
function isIssuer(given: string): boolean {
  const url = URL.parse(given)
  if (url === null || url.username !== '' || url.password !== '' || /[?#\s]/.test(given)) return false
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname))
  )
}
