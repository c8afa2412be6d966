import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Finding } from '../../cli/doctor/finding.ts'
import { makeDirectory, run } from './support/run.ts'

const SECRET = { ANSWERLAKE_SECRET_OPENAI: 'sk-test-12345678' }

async function examine(config: object | string | undefined, environment: Record<string, string> = SECRET) {
  const dataDir = makeDirectory()
  if (config !== undefined) {
    writeFileSync(join(dataDir, 'scan.json'), typeof config === 'string' ? config : JSON.stringify(config))
  }
  const { stdout } = await run(['doctor', '--json', '--data-dir', dataDir], { environment })
  const { checks } = JSON.parse(stdout) as { checks: readonly Finding[] }
  const own = checks.filter(({ check }) => ['collecting', 'secrets', 'budget'].includes(check))
  return own.map(({ check, status, message }) => `${status} ${check}: ${message.replaceAll(dataDir, 'DIR')}`)
}

const SOUND = { targets: ['chatgpt=openai'], budget: { usd_day: 5 } }

test('nothing is asked without targets, and that is fine', async () => {
  const nothing = ['ok collecting: nothing is asked: no targets are configured']
  expect(await examine(undefined)).toEqual(nothing)
  expect(await examine({})).toEqual(nothing)
})

test('targets with secrets and a budget are well', async () => {
  expect(await examine(SOUND)).toEqual([
    'ok collecting: 1 target configured',
    'ok secrets: there is one for each provider',
    'ok budget: there is one',
  ])
})

test('a scan.json that cannot be used is a problem with its faults', async () => {
  expect(await examine('{')).toEqual([expect.stringMatching(/^problem collecting: DIR\/scan\.json is no valid JSON: /)])
  expect(await examine({ ...SOUND, samples: 0, sample: 1 })).toEqual([
    'problem collecting: DIR/scan.json cannot be used; correct this and run the command again: samples: Use at least 1. sample: Unknown field. Remove it.',
  ])
})

test('a secret that is missing, cannot be used, or can be read by others is a warning', async () => {
  const secrets = async (environment: Record<string, string>) =>
    (await examine(SOUND, environment)).filter((line) => line.includes(' secrets: '))
  expect(await secrets({})).toEqual(['warning secrets: there is no secret for openai: set ANSWERLAKE_SECRET_OPENAI'])
  expect(await secrets({ ANSWERLAKE_SECRET_OPENAI: 'short' })).toEqual([
    'warning secrets: the secret for openai, ANSWERLAKE_SECRET_OPENAI, cannot be used: it has fewer than 8 characters',
  ])
  const file = join(makeDirectory(), 'key')
  writeFileSync(file, SECRET.ANSWERLAKE_SECRET_OPENAI, { mode: 0o600 })
  const named = { ANSWERLAKE_SECRET_OPENAI_FILE: file }
  expect(await secrets(named)).toEqual(['ok secrets: there is one for each provider'])
  chmodSync(file, 0o644)
  expect(await secrets(named)).toEqual([`warning secrets: ${file} can be read by other accounts`])
})

test('no budget is a warning where schedules need one', async () => {
  const { targets } = SOUND
  const schedules = [{ site: 'acme.com', cron: '0 5 * * *' }]
  const budget = async (config: object) => (await examine(config)).filter((line) => line.includes(' budget: '))
  expect(await budget({ targets })).toEqual(['ok budget: there is none: each scan needs --budget'])
  expect(await budget({ targets, schedules })).toEqual(['warning budget: there is none'])
})

test('an address without TLS is a warning, but on this machine', async () => {
  const at = async (url: string) =>
    (await examine({ ...SOUND, providers: { openai: { base_url: url } } })).filter((line) =>
      line.includes('clear text'),
    )
  expect(await at('http://gateway.internal/v1')).toEqual([
    'warning collecting: the secret for openai goes to http://gateway.internal in clear text',
  ])
  expect(await at('http://127.0.0.1:4000/v1')).toEqual([])
  expect(await at('https://gateway.internal/v1')).toEqual([])
})
