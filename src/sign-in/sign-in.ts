import type { Catalog } from '../catalog/catalog.ts'
import type { Clock } from '../clock.ts'
import { toMail, type User } from '../domain/user.ts'
import { CommandError } from '../errors.ts'
import { MAIL_CHARACTERS_MAX } from '../people-limits.ts'
import type { SecretVariables } from '../read-secret.ts'
import { isPassword } from './password.ts'
import { openProvider, type Provider } from './provider.ts'
import { readProviderConfig } from './provider-config.ts'
import { openTries, type Trier } from './tries.ts'

export interface Credentials {
  readonly mail: string
  readonly password: string
  /** Where they were typed; null when it is unknown. */
  readonly address: string | null
}

/** How people show who they are. */
export interface SignIn {
  /**
   * The user whose password this is. Undefined for every cause alike, after the same time: an unknown address, one who was
   * revoked or has no password, a wrong password. Throws ApiError: `rate_limited` after too many failed tries, `overloaded`.
   */
  checkPassword(given: Credentials): Promise<User | undefined>
  /** The provider of `sign-in.json`, which is read once; undefined without one. Rejects with CommandError for a file with faults. */
  findProvider(): Promise<Provider | undefined>
}

/** Opens what is behind sign-ins: failed tries are those of this process, and `sign-in.json` is looked at when first needed. */
export function openSignIn(parts: {
  readonly catalog: Pick<Catalog, 'users' | 'organizations'>
  readonly clock: Clock
  readonly dataDir: string
  /** For the secret of `sign-in.json`. */
  readonly environment: SecretVariables
}): SignIn {
  const { users } = parts.catalog
  const tries = openTries(parts.clock)
  let provider: Promise<Provider | undefined> | undefined

  async function find({ mail, password }: Credentials): Promise<User | undefined> {
    const user = users.findByMail(mail)
    const stored = user ? users.findPassword(user.id) : null
    if (!(await isPassword(stored, password)) || user === undefined) return undefined
    // Somebody may have been revoked, or have got another password, in the meantime.
    return users.findPassword(user.id) === stored ? users.find(user.id) : undefined
  }

  async function readProvider(): Promise<Provider | undefined> {
    const config = await readProviderConfig(parts.dataDir, parts.environment)
    if (config === undefined) return undefined
    if (parts.catalog.organizations.find(config.organizationId)) return openProvider(config)
    throw new CommandError(
      `sign-in.json names the organization "${config.organizationId}", which is not there. \`answerlake orgs list\` shows those that are.`,
    )
  }

  return {
    async checkPassword(given) {
      const account = toMail(given.mail) ?? given.mail.slice(0, MAIL_CHARACTERS_MAX)
      const trier: Trier = { account, address: given.address }
      tries.begin(trier)
      const user = await find(given).catch((error: unknown) => {
        tries.cancel(trier)
        throw error
      })
      if (user !== undefined) tries.succeed(trier)
      return user
    },
    findProvider: () => (provider ??= readProvider()),
  }
}
