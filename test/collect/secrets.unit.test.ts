import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { readSecrets } from '../../src/collect/secrets.ts'

function makeDirectory(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'answerlake-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return directory
}

test('the variable goes before its file, that before systemd', async () => {
  const directory = makeDirectory({ key: 'from-file-1\n', 'answerlake-secret-openai': 'from-systemd-1\n' })
  const variable = { ANSWERLAKE_SECRET_OPENAI: ' from-variable ' }
  const file = { ANSWERLAKE_SECRET_OPENAI_FILE: join(directory, 'key') }
  const systemd = { CREDENTIALS_DIRECTORY: directory }
  const get = async (environment: Record<string, string>) => (await readSecrets(environment)).get('openai')
  expect(await get({ ...systemd, ...file, ...variable })).toBe('from-variable')
  expect(await get({ ...systemd, ...file })).toBe('from-file-1')
  expect(await get({ ...systemd, ...file, ANSWERLAKE_SECRET_OPENAI: '' })).toBe('from-file-1')
  expect(await get(systemd)).toBe('from-systemd-1')
  expect(await get({})).toBeUndefined()
  expect((await readSecrets(systemd)).find('gemini')).toEqual({
    kind: 'missing',
    variable: 'ANSWERLAKE_SECRET_GEMINI',
  })
  expect((await readSecrets(variable)).find('openai')).toEqual({ kind: 'there', where: 'ANSWERLAKE_SECRET_OPENAI' })
})

test('what cannot be used is told without its content, and is no secret', async () => {
  const directory = makeDirectory({ large: 'x'.repeat(20_000), broken: 'first-line\nsecond-line' })
  mkdirSync(join(directory, 'folder'))
  const reasonOf = async (environment: Record<string, string>): Promise<string> => {
    const secrets = await readSecrets(environment)
    expect(secrets.get('openai')).toBeUndefined()
    const state = secrets.find('openai')
    return state.kind === 'unusable' ? state.reason : state.kind
  }
  const ofFile = (name: string) => reasonOf({ ANSWERLAKE_SECRET_OPENAI_FILE: join(directory, name) })
  expect(await ofFile('absent')).toBe('there is no such file')
  expect(await ofFile('folder')).toBe('it cannot be read (EISDIR)')
  expect(await ofFile('large')).toBe('it is no regular file of a few bytes')
  expect(await ofFile('broken')).toBe('it holds characters that no key has (a line break, an accent)')
  expect(await reasonOf({ ANSWERLAKE_SECRET_OPENAI: 'short' })).toBe('it has fewer than 8 characters')
})

/** Each way in which a request, a message or a stored text could write a secret. */
const FORMS: readonly ((secret: string) => string)[] = [
  (secret) => `Incorrect API key provided: ${secret}.`,
  (secret) => `https://serpapi.com/search?q=a&api_key=${encodeURIComponent(secret)}&no_cache=true`,
  (secret) => `https://serpapi.com/search?${new URLSearchParams({ api_key: secret }).toString()}`,
  (secret) => JSON.stringify({ authorization: `Bearer ${secret}` }),
  (secret) => `Basic ${Buffer.from(secret).toString('base64')}`,
]

test('no text keeps a secret, however it is written', async () => {
  const character = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
  const secret = fc.string({ unit: character, minLength: 8, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(secret, secret, fc.constantFrom(...FORMS), async (first, second, toText) => {
      const secrets = await readSecrets({ ANSWERLAKE_SECRET_SERPAPI: first, ANSWERLAKE_SECRET_OPENAI: second })
      for (const each of [first, second]) {
        const text = secrets.redact(`before ${toText(each)} after ${toText(each)}`)
        expect(text).toContain('[secret]')
        expect(text).not.toContain(each)
        expect(text).not.toContain(encodeURIComponent(each))
        expect(text).not.toContain(Buffer.from(each).toString('base64'))
      }
    }),
  )
})

test('of user:password the password alone is taken out too', async () => {
  const secrets = await readSecrets({ ANSWERLAKE_SECRET_DATAFORSEO: 'me@acme.com:hunter2hunter2' })
  expect(secrets.redact('login me@acme.com, password hunter2hunter2')).toBe('login me@acme.com, password [secret]')
})

test('without secrets texts stay as they are', async () => {
  expect((await readSecrets({})).redact('nothing to hide')).toBe('nothing to hide')
})
