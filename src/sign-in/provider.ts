import type { Configuration, IDToken } from 'openid-client'
import * as v from 'valibot'
import type { ProvidedUser } from '../catalog/identities.ts'
import { toMail } from '../domain/user.ts'
import { PROVIDER_TIMEOUT_MS, SIGN_IN_AGE_SECONDS_MAX } from '../people-limits.ts'
import type { ProviderConfig } from './provider-config.ts'

/** What a browser keeps between leaving for the provider and coming back, in a cookie of its own. */
const Journey = v.object({
  state: v.string(),
  nonce: v.string(),
  verifier: v.string(),
  /** The user is asked for the password again, to change keys or members. */
  confirms: v.boolean(),
  /** The path to go to afterwards. */
  to: v.string(),
  /** The session that the browser left with, as in `Purpose`. */
  session: v.optional(v.string()),
})

/** What a journey to the provider is for. */
export interface Purpose {
  /** Whether the user must show again who they are. */
  readonly confirms: boolean
  /** A path of the dashboard to come back to. */
  readonly to: string
  /**
   * What names the session that the browser leaves with. The journey's cookie brings it back as it is, and nothing vouches for
   * it: it must be something that only who holds the session can know.
   */
  readonly session?: string | undefined
}

export interface Vouched extends Purpose {
  readonly user: ProvidedUser
}

/** Signing in by the authorization code flow of OpenID Connect, with PKCE, state and nonce. */
export interface Provider {
  readonly name: string
  /** Where to send a browser that sees the dashboard at `origin`, and what it is to keep meanwhile. */
  begin(origin: string, purpose: Purpose): Promise<{ readonly location: string; readonly journey: string }>
  /**
   * Who came back with these parameters, to a browser that kept `journey`. Throws ProviderRefusal for somebody who isn't let in,
   * and any other error when the provider couldn't be asked or the answer isn't for this browser.
   */
  finish(origin: string, query: string, journey: string): Promise<Vouched>
}

/** The provider vouches for somebody who isn't let in; the message is for the log. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'
}

/** Path of the redirection back, to be registered with the provider. */
export const CALLBACK_PATH = '/ui/sign-in/oidc/callback'

/** The provider is asked for its own addresses at the first sign-in, and again after a failure. */
export function openProvider(config: ProviderConfig): Provider {
  let discovered: Promise<Configuration> | undefined
  const discover = async (): Promise<Configuration> => {
    discovered ??= findProvider(config)
    try {
      return await discovered
    } catch (error) {
      discovered = undefined
      throw error
    }
  }
  return {
    name: config.name,
    async begin(origin, purpose) {
      const client = await import('openid-client')
      const verifier = client.randomPKCECodeVerifier()
      const journey = { state: client.randomState(), nonce: client.randomNonce(), verifier, ...purpose }
      const location = client.buildAuthorizationUrl(await discover(), {
        redirect_uri: `${origin}${CALLBACK_PATH}`,
        scope: [...new Set(['openid', 'email', ...config.scopes])].join(' '),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: journey.state,
        nonce: journey.nonce,
        ...(purpose.confirms ? { prompt: 'login', max_age: '0' } : {}),
      })
      return { location: location.href, journey: Buffer.from(JSON.stringify(journey)).toString('base64url') }
    },
    async finish(origin, query, kept) {
      const client = await import('openid-client')
      const journey = v.parse(Journey, JSON.parse(Buffer.from(kept, 'base64url').toString('utf8')))
      const provider = await discover()
      const tokens = await client.authorizationCodeGrant(provider, new URL(`${origin}${CALLBACK_PATH}${query}`), {
        pkceCodeVerifier: journey.verifier,
        expectedState: journey.state,
        expectedNonce: journey.nonce,
        idTokenExpected: true,
        ...(journey.confirms ? { maxAge: SIGN_IN_AGE_SECONDS_MAX } : {}),
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('the provider sent no ID token')
      // Small ID tokens leave the rest to a request of its own.
      const needed = ['email', 'email_verified', ...(config.ownerGroup === undefined ? [] : [config.groupsClaim])]
      const isWhole = needed.every((name) => claims[name] !== undefined)
      const more = isWhole ? {} : await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
      const { confirms, to, session } = journey
      return { user: toProvidedUser({ ...more, ...claims }, config), confirms, to, session }
    },
  }
}

async function findProvider({ issuer, clientId, clientSecret }: ProviderConfig): Promise<Configuration> {
  const client = await import('openid-client')
  const isClearText = issuer.startsWith('http:')
  const options = {
    timeout: PROVIDER_TIMEOUT_MS / 1_000,
    ...(isClearText ? { execute: [client.allowInsecureRequests] } : {}),
  }
  const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), options)
  // The default of the specification, which some providers don't take.
  const methods = found.serverMetadata().token_endpoint_auth_methods_supported
  const authenticate =
    methods?.includes('client_secret_basic') === false ? client.ClientSecretPost : client.ClientSecretBasic
  const provider = new client.Configuration(found.serverMetadata(), clientId, undefined, authenticate(clientSecret))
  provider.timeout = options.timeout
  if (isClearText) client.allowInsecureRequests(provider)
  return provider
}

function toProvidedUser(claims: IDToken, config: ProviderConfig): ProvidedUser {
  const { email, email_verified: isVerified, iss, sub } = claims
  const mail = typeof email === 'string' ? toMail(email) : undefined
  if (mail === undefined) throw new ProviderRefusal('the provider names no mail address')
  if (isVerified !== true) throw new ProviderRefusal('the provider has not verified the mail address')
  const domain = mail.slice(mail.lastIndexOf('@') + 1)
  if (!config.allowedDomains.includes(domain)) throw new ProviderRefusal(`mail addresses of ${domain} are not let in`)
  return { organizationId: config.organizationId, issuer: iss, subject: sub, mail, role: toRole(claims, config) }
}

function toRole(claims: IDToken, { ownerGroup, groupsClaim }: ProviderConfig): ProvidedUser['role'] {
  if (ownerGroup === undefined) return undefined
  return [claims[groupsClaim]].flat().includes(ownerGroup) ? 'owner' : 'member'
}
