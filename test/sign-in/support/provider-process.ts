/** An OpenID provider on a free port of this machine: prints its issuer, and ends with its standard input. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export interface ProviderTask {
  readonly clientId: string
  readonly clientSecret: string
  readonly authMethod: 'client_secret_basic' | 'client_secret_post'
  /** Claims by account; whoever types an account's name at the provider is let in as it. */
  readonly accounts: Readonly<Record<string, object>>
  /** Claims stand in the ID token, not only in what the provider tells on request. */
  readonly inIdToken: boolean
}

const task = JSON.parse(process.argv[2] ?? '{}') as ProviderTask
const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: task.clientId,
      client_secret: task.clientSecret,
      token_endpoint_auth_method: task.authMethod,
      redirect_uris: ['http://127.0.0.1/ui/sign-in/oidc/callback'],
    },
  ],
  clientAuthMethods: [task.authMethod],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
  scopes: ['openid', 'email', 'groups'],
  conformIdTokenClaims: !task.inIdToken,
  pkce: { required: () => true },
  features: { devInteractions: { enabled: true } },
  cookies: { keys: ['a key of the tests'] },
  findAccount: (_context: object, id: string) =>
    Object.hasOwn(task.accounts, id) ? { accountId: id, claims: () => ({ sub: id, ...task.accounts[id] }) } : undefined,
})
// The service under test listens on another free port each time.
provider.Client.prototype.redirectUriAllowed = (uri) =>
  /^http:\/\/(?:127\.0\.0\.1|localhost):\d+\/ui\/sign-in\/oidc\/callback$/.test(uri)
server.on('request', provider.callback())
process.stdout.write(`${issuer}\n`)
process.stdin.resume().on('end', () => process.exit(0))
