import { scryptSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { findPasswordFault, hashPassword, isPassword } from '../../src/sign-in/password.ts'

const PASSWORD = 'correct horse battery'

test('a password is stored as scrypt with N 2^17, r 8, p 1, and a salt of its own', async () => {
  const [stored, again] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)])
  const [, scheme, cost, salt = '', hash] = stored.split('$')
  expect([scheme, cost]).toEqual(['scrypt', 'ln=17,r=8,p=1'])
  const options = { N: 131_072, r: 8, p: 1, maxmem: 256 * 1_024 * 1_024 }
  expect(scryptSync(PASSWORD, Buffer.from(salt, 'base64url'), 32, options).toString('base64url')).toBe(hash)
  expect(again.split('$')[3]).not.toBe(salt)
  expect(await Promise.all([PASSWORD, `${PASSWORD} `, ''].map((text) => isPassword(stored, text)))).toEqual([
    true,
    false,
    false,
  ])
})

test('ways of typing that look alike are one password', async () => {
  const stored = await hashPassword('pässwörter sind lang')
  expect(await isPassword(stored, 'pässwörter sind lang'.normalize('NFD'))).toBe(true)
})

test('a password that was stored with another cost stays good; one that nobody could afford is none', async () => {
  const salt = Buffer.alloc(16, 7)
  const hash = scryptSync(PASSWORD, salt, 32, { N: 16_384, r: 8, p: 1 })
  const store = (cost: string) => `$scrypt$${cost}$${salt.toString('base64url')}$${hash.toString('base64url')}`
  expect(await isPassword(store('ln=14,r=8,p=1'), PASSWORD)).toBe(true)
  expect(await isPassword(store('ln=15,r=8,p=1'), PASSWORD)).toBe(false)
  expect(await isPassword(store('ln=30,r=8,p=1'), PASSWORD)).toBe(false)
  expect(await isPassword('plain text', 'plain text')).toBe(false)
})

test('without an account the same is computed', async () => {
  const stored = await hashPassword(PASSWORD)
  const cpuOf = async (given: string | null) => {
    const before = process.cpuUsage()
    expect(await isPassword(given, 'a wrong password')).toBe(false)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const known = Math.min(await cpuOf(stored), await cpuOf(stored))
  const unknown = Math.min(await cpuOf(null), await cpuOf(null))
  expect(unknown / known).toBeGreaterThan(0.5)
  expect(unknown / known).toBeLessThan(2)
})

test('two are hashed at once, so that a flood takes a bounded part of the memory', async () => {
  const before = process.memoryUsage.rss()
  let highest = before
  const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 2)
  await Promise.all(Array.from({ length: 6 }, () => isPassword(null, PASSWORD)))
  clearInterval(watch)
  expect((highest - before) / 2 ** 20).toBeLessThan(400)
}, 60_000)

test('32 wait, and one more is refused at once', async () => {
  const cheap = `$scrypt$ln=10,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`
  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => isPassword(cheap, PASSWORD)))
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused[0]).toMatchObject({ reason: { code: 'overloaded', retryAfterSeconds: 5 } })
  expect(outcomes.length - refused.length).toBe(34)
})

test.each([
  ['elf letters', 'Use at least 12 characters.'],
  ['twelve chars', undefined],
  ['😀'.repeat(11), 'Use at least 12 characters.'],
  ['😀'.repeat(12), undefined],
  ['a'.repeat(1_000), undefined],
  ['a'.repeat(1_001), 'Use at most 1000 characters.'],
])('%j: %s', (password, fault) => {
  expect(findPasswordFault(password)).toBe(fault)
})
