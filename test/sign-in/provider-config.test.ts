import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CommandError } from '../../src/errors.ts'
import { readProviderConfig } from '../../src/sign-in/provider-config.ts'
import { makeTestDir } from '../catalog/support/test-catalog.ts'

const OIDC = {
  issuer: 'https://id.acme.com',
  client_id: 'lake',
  organization: 'org_1',
  allowed_domains: ['Acme.com', 'münchen.example'],
}
const SECRET = { ANSWERLAKE_SECRET_OIDC: 'a secret of the tests' }

function write(content: unknown): string {
  const dir = makeTestDir()
  writeFileSync(join(dir, 'sign-in.json'), typeof content === 'string' ? content : JSON.stringify(content))
  return dir
}

async function refuse(content: unknown, environment: Record<string, string> = SECRET): Promise<readonly string[]> {
  const dir = write(content)
  const error: unknown = await readProviderConfig(dir, environment).catch((thrown: unknown) => thrown)
  if (!(error instanceof CommandError)) throw new Error('the file was taken', { cause: error })
  return error.lines.map((line) => line.replace(dir, 'DIR'))
}

test('the file says who vouches for users, the environment holds the secret', async () => {
  expect(await readProviderConfig(makeTestDir(), {})).toBeUndefined()
  const expected = {
    name: 'OpenID',
    issuer: 'https://id.acme.com',
    clientId: 'lake',
    clientSecret: 'a secret of the tests',
    organizationId: 'org_1',
    allowedDomains: ['acme.com', 'xn--mnchen-3ya.example'],
    ownerGroup: undefined,
    groupsClaim: 'groups',
    scopes: [],
  }
  expect(await readProviderConfig(write({ oidc: OIDC }), SECRET)).toEqual(expected)
  const dir = write({ oidc: { ...OIDC, name: 'Acme', owner_group: 'o', groups_claim: 'roles', scopes: ['groups'] } })
  writeFileSync(join(dir, 'secret'), ' a secret of a file \n')
  expect(await readProviderConfig(dir, { ANSWERLAKE_SECRET_OIDC_FILE: join(dir, 'secret') })).toEqual({
    ...expected,
    name: 'Acme',
    ownerGroup: 'o',
    groupsClaim: 'roles',
    scopes: ['groups'],
    clientSecret: 'a secret of a file',
  })
})

test('each fault is named with what to do', async () => {
  expect(await refuse('{')).toEqual([expect.stringMatching(/^DIR\/sign-in\.json is no valid JSON: /)])
  expect(await refuse({ oidc: OIDC }, {})).toEqual([
    'DIR/sign-in.json names a provider, and the secret of the client is missing. Set ANSWERLAKE_SECRET_OIDC, or ANSWERLAKE_SECRET_OIDC_FILE to the path of a file with it.',
  ])
  expect(await refuse({ oidc: OIDC }, { ANSWERLAKE_SECRET_OIDC: 'short' })).toEqual([
    'DIR/sign-in.json names a provider, and the secret of the client is missing. ANSWERLAKE_SECRET_OIDC: it has fewer than 8 characters.',
  ])
  const faults = await refuse({ oidc: { ...OIDC, issuer: 'http://id.acme.com', allowed_domains: [], secret: 'x' } })
  expect(faults[0]).toBe('DIR/sign-in.json cannot be used; correct this and start the service again:')
  expect(faults.slice(1).map((fault) => fault.split(':')[0])).toEqual(
    expect.arrayContaining(['oidc.issuer', 'oidc.allowed_domains', 'oidc.secret']),
  )
})

test.each([
  ['https://id.acme.com/realms/a', true],
  ['http://127.0.0.1:9000', true],
  ['http://localhost:9000', true],
  ['http://id.acme.com', false],
  ['http://127.0.0.1.example.com', false],
  ['https://user:password@id.acme.com', false],
  ['https://id.acme.com/?tenant=a', false],
  ['id.acme.com', false],
  ['file:///etc/passwd', false],
])('the issuer %s', async (issuer, isTaken) => {
  const read = readProviderConfig(write({ oidc: { ...OIDC, issuer } }), SECRET)
  if (isTaken) expect((await read)?.issuer).toBe(issuer)
  else await expect(read).rejects.toThrow('oidc.issuer')
})
