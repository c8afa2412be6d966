import { expect, test } from 'vitest'
import { ApiError } from '../../src/errors.ts'
import { isPassword } from '../../src/sign-in/password.ts'
import { openSignIn } from '../../src/sign-in/sign-in.ts'
import { storeCheaply } from './support/cheap-password.ts'
import { makeTestDir, openTestCatalog } from '../catalog/support/test-catalog.ts'

const PASSWORD = 'correct horse battery'
const ADDRESS = '192.0.2.7'

async function openWithUser() {
  const opened = openTestCatalog('server')
  const { catalog, clock } = opened
  const { id: organizationId } = catalog.organizations.create({ name: 'Acme' })
  const invite = (mail: string) => catalog.users.invite({ organizationId, mail, role: 'owner', inviter: 'x' })
  const user = catalog.users.accept(invite('ana@acme.com').secret, storeCheaply(PASSWORD))
  if (!user) throw new Error('the invitation was not accepted')
  invite('ben@acme.com')
  const signIn = openSignIn({ catalog, clock, dataDir: makeTestDir(), environment: {} })
  const check = (mail: string, password: string) => signIn.checkPassword({ mail, password, address: ADDRESS })
  return { ...opened, user, check, signIn, invite }
}

test('the right password of a user who may sign in, and nothing else', async () => {
  const { catalog, check, invite, user } = await openWithUser()
  expect(await check(' ANA@acme.com', PASSWORD)).toEqual(user)
  const strangers = [
    ['ana@acme.com', 'correct horse batterz'],
    ['ben@acme.com', PASSWORD],
    ['nobody@acme.com', PASSWORD],
    ['', ''],
  ] as const
  for (const [mail, password] of strangers) expect(await check(mail, password)).toBeUndefined()
  const other = catalog.users.accept(invite('cem@acme.com').secret, 'none')
  expect(other).toBeDefined()
  catalog.users.revoke(user.id)
  expect(await check('ana@acme.com', PASSWORD)).toBeUndefined()
})

test('somebody who is revoked while the password is looked at is not signed in', async () => {
  const { catalog, check, invite, user } = await openWithUser()
  catalog.users.accept(invite('cem@acme.com').secret, 'none')
  const checking = check('ana@acme.com', PASSWORD)
  catalog.users.revoke(user.id)
  expect(await checking).toBeUndefined()
})

test('after five wrong passwords the right one is refused too, until the wait is over', async () => {
  const { check, clock, user } = await openWithUser()
  await Promise.all(Array.from({ length: 5 }, () => check('ana@acme.com', 'wrong password')))
  const refusal: unknown = await check('ana@acme.com', PASSWORD).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ApiError)
  expect(refusal).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 10 })
  clock.nowMs += 10_000
  expect(await check('ana@acme.com', PASSWORD)).toEqual(user)
  expect(await check('ana@acme.com', 'wrong password')).toBeUndefined()
})

test('who is turned away because too many sign in has used up no try', async () => {
  const { check, user } = await openWithUser()
  const crowd = Array.from({ length: 34 }, () => isPassword(storeCheaply('x'), 'y'))
  const turnedAway = await Promise.allSettled(Array.from({ length: 5 }, () => check('ana@acme.com', PASSWORD)))
  for (const outcome of turnedAway) expect(outcome).toMatchObject({ reason: { code: 'overloaded' } })
  await Promise.all(crowd)
  expect(await check('ana@acme.com', PASSWORD)).toEqual(user)
})

test('without sign-in.json nobody else vouches for users', async () => {
  const { signIn } = await openWithUser()
  expect(await signIn.findProvider()).toBeUndefined()
})
