import { expect, test } from 'vitest'
import { openProvider, ProviderRefusal } from '../../src/sign-in/provider.ts'
import type { ProviderConfig } from '../../src/sign-in/provider-config.ts'
import { CLIENT, openProviderBrowser, startProvider } from './support/openid-provider.ts'

const ORIGIN = 'http://127.0.0.1:4999'
const PLAIN = { confirms: false, to: '/' }
const ACCOUNTS = {
  ana: { email: 'Ana@Acme.com', email_verified: true, groups: ['staff', 'lake-owners'] },
  ben: { email: 'ben@acme.com', email_verified: true, groups: ['staff'] },
  unverified: { email: 'cem@acme.com', email_verified: false },
  unsaid: { email: 'dia@acme.com' },
  nameless: {},
  stranger: { email: 'eve@acme.com.example', email_verified: true },
  below: { email: 'fay@mail.acme.com', email_verified: true },
}

const toConfig = (issuer: string, given: Partial<ProviderConfig> = {}): ProviderConfig => ({
  ...CLIENT,
  name: 'Acme',
  issuer,
  organizationId: 'org_acme',
  allowedDomains: ['acme.com'],
  ownerGroup: undefined,
  groupsClaim: 'groups',
  scopes: [],
  ...given,
})

test('whom the provider vouches for comes back, once, to the browser that left', async () => {
  const issuer = await startProvider(ACCOUNTS)
  const provider = openProvider(toConfig(issuer))
  const { location, journey } = await provider.begin(ORIGIN, { confirms: false, to: '/sites/acme.com' })
  const asked = new URL(location).searchParams
  expect(Object.fromEntries(asked)).toMatchObject({
    client_id: 'answerlake',
    response_type: 'code',
    redirect_uri: `${ORIGIN}/ui/sign-in/oidc/callback`,
    scope: 'openid email',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
  const other = await provider.begin(ORIGIN, PLAIN)
  const { back } = await openProviderBrowser().visit(location, 'ana')
  await expect(provider.finish(ORIGIN, back.search, other.journey)).rejects.toThrow()
  expect(await provider.finish(ORIGIN, back.search, journey)).toEqual({
    user: { organizationId: 'org_acme', issuer, subject: 'ana', mail: 'ana@acme.com', role: undefined },
    confirms: false,
    to: '/sites/acme.com',
  })
  await expect(provider.finish(ORIGIN, back.search, journey)).rejects.toThrow()
})

test('an answer that was made for another journey of the same browser is refused', async () => {
  const provider = openProvider(toConfig(await startProvider(ACCOUNTS)))
  const first = await provider.begin(ORIGIN, PLAIN)
  const second = await provider.begin(ORIGIN, PLAIN)
  const { back } = await openProviderBrowser().visit(first.location, 'ana')
  const mix = (name: 'nonce' | 'verifier') => {
    const [mine, other] = [first, second].map(
      ({ journey }) => JSON.parse(Buffer.from(journey, 'base64url').toString()) as Record<string, string>,
    )
    return Buffer.from(JSON.stringify({ ...mine, [name]: other?.[name] })).toString('base64url')
  }
  await expect(provider.finish(ORIGIN, back.search, mix('verifier'))).rejects.toThrow()
  const again = await openProviderBrowser().visit(first.location, 'ana')
  await expect(provider.finish(ORIGIN, again.back.search, mix('nonce'))).rejects.toThrow(/nonce|claim/)
  for (const journey of ['', 'x', Buffer.from('{}').toString('base64url')])
    await expect(provider.finish(ORIGIN, again.back.search, journey)).rejects.toThrow()
})

test('only verified addresses of the allowed domains are let in', async () => {
  const provider = openProvider(toConfig(await startProvider(ACCOUNTS)))
  const refuse = async (account: string) => {
    const { location, journey } = await provider.begin(ORIGIN, PLAIN)
    const { back } = await openProviderBrowser().visit(location, account)
    const refusal = await provider.finish(ORIGIN, back.search, journey).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ProviderRefusal)
    return (refusal as Error).message
  }
  expect(await refuse('unverified')).toBe('the provider has not verified the mail address')
  expect(await refuse('unsaid')).toBe('the provider has not verified the mail address')
  expect(await refuse('nameless')).toBe('the provider names no mail address')
  expect(await refuse('stranger')).toBe('mail addresses of acme.com.example are not let in')
  expect(await refuse('below')).toBe('mail addresses of mail.acme.com are not let in')
})

test('the group says who is an owner, also where claims are told on request only, and by a secret in the body', async () => {
  const issuer = await startProvider(ACCOUNTS, { authMethod: 'client_secret_post', inIdToken: false })
  const provider = openProvider(toConfig(issuer, { ownerGroup: 'lake-owners', scopes: ['groups'] }))
  const roleOf = async (account: string) => {
    const { location, journey } = await provider.begin(ORIGIN, PLAIN)
    expect(new URL(location).searchParams.get('scope')).toBe('openid email groups')
    const { back } = await openProviderBrowser().visit(location, account)
    return (await provider.finish(ORIGIN, back.search, journey)).user.role
  }
  expect([await roleOf('ana'), await roleOf('ben')]).toEqual(['owner', 'member'])
})

test('who confirms shows the provider again who they are', async () => {
  const provider = openProvider(toConfig(await startProvider(ACCOUNTS)))
  const browser = openProviderBrowser()
  const go = async (confirms: boolean) => {
    const { location, journey } = await provider.begin(ORIGIN, { confirms, to: '/settings/keys' })
    const { back, typed } = await browser.visit(location, 'ana')
    return { typed, vouched: await provider.finish(ORIGIN, back.search, journey) }
  }
  expect((await go(false)).typed).toBe(true)
  expect((await go(false)).typed).toBe(false)
  expect(await go(true)).toMatchObject({ typed: true, vouched: { confirms: true, to: '/settings/keys' } })
})

test('a provider that cannot be reached fails one sign-in, not those after it; one with another issuer is none', async () => {
  const issuer = await startProvider(ACCOUNTS)
  const gone = openProvider(toConfig('http://127.0.0.1:9'))
  await expect(gone.begin(ORIGIN, PLAIN)).rejects.toThrow()
  const wrong = openProvider(toConfig(issuer.replace('127.0.0.1', 'localhost')))
  await expect(wrong.begin(ORIGIN, PLAIN)).rejects.toThrow()
  expect((await openProvider(toConfig(issuer)).begin(ORIGIN, PLAIN)).location).toContain(issuer)
})
