import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseConfig, readConfig, toConfigFile } from '../src/config.ts'
import { SETTING_NAMES } from '../src/settings.ts'
import { UsageError } from '../src/errors.ts'

function makeDataDir(configJson?: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'answerlake-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  if (configJson !== undefined) writeFileSync(join(directory, 'config.json'), configJson)
  return directory
}

test('with nothing given every setting has its default', async () => {
  const dataDir = makeDataDir()
  expect(await readConfig({ dataDir, environment: {} })).toEqual({
    dataDir,
    host: '127.0.0.1',
    port: 8080,
    dashboard: true,
    publicUrl: '',
    logLevel: 'info',
    queryTimeoutMs: 30_000,
    queriesRunning: 4,
    connections: 1_024,
    connectionsPerAddress: 512,
    queriesWaiting: 128,
    queryThreads: availableParallelism(),
    queryMemoryMib: 1024,
    spillGib: 20,
    snapshotGraceMs: 3_600_000,
    retentionAnswers: 'keep',
    retentionLogs: 'keep',
    retentionRaw: 'keep',
    undoWindowMs: 2_592_000_000,
    shutdownGraceMs: 25_000,
    icebergCatalog: '',
    icebergHost: '127.0.0.1',
    icebergPort: 8181,
    enginesOff: [],
  })
})

test('a data directory that does not exist yet has the defaults too', async () => {
  const dataDir = join(makeDataDir(), 'later')
  expect(await readConfig({ dataDir, environment: {} })).toMatchObject({ dataDir, port: 8080 })
})

test('flags win over the environment, the environment over the file, the file over the defaults', async () => {
  const dataDir = makeDataDir('{"port": 1, "query_timeout": "1m", "queries_running": 2, "log_level": "debug"}')
  const environment = { ANSWERLAKE_PORT: '2', ANSWERLAKE_QUERY_TIMEOUT: '2m', ANSWERLAKE_HOST: '', PORT: '9' }
  expect(await readConfig({ dataDir, environment, flags: { port: '3' } })).toMatchObject({
    host: '127.0.0.1',
    port: 3,
    queryTimeoutMs: 120_000,
    queriesRunning: 2,
    logLevel: 'debug',
  })
})

test('the settings in force, saved as config.json, give the same settings again', async () => {
  const environment = Object.fromEntries(
    Object.entries({
      host: '0.0.0.0',
      port: '0',
      dashboard: 'false',
      public_url: 'https://Lake.acme.com:8443/',
      log_level: 'warn',
      query_timeout: '1500ms',
      queries_running: '16',
      queries_waiting: '0',
      query_threads: '3',
      query_memory_mib: '64',
      spill_gib: '0',
      snapshot_grace: '90m',
      shutdown_grace: '0',
      retention_answers: '24mo',
      retention_logs: '90d',
      retention_raw: '1y',
      engines_off: 'claude,chatgpt',
    }).map(([name, value]) => [`ANSWERLAKE_${name.toUpperCase()}`, value]),
  )
  const config = await readConfig({ dataDir: '/srv/lake', environment })
  const file = toConfigFile(config)
  expect(Object.keys(file)).toEqual(SETTING_NAMES)
  expect(parseConfig({ dataDir: '/srv/lake', environment: {} }, file, 'config.json')).toEqual(config)
})

test("engines are switched off by an array in the file, by commas elsewhere; the order is the API's", () => {
  const read = (file: unknown, flag?: string, variable?: string) =>
    parseConfig(
      {
        dataDir: '.',
        flags: { engines_off: flag },
        environment: { ANSWERLAKE_ENGINES_OFF: variable },
      },
      file,
      'config.json',
    ).enginesOff
  expect([
    read({ engines_off: ['copilot', 'ai_mode', 'copilot'] }),
    read({ engines_off: ['copilot'] }, undefined, 'gemini, chatgpt'),
    read({ engines_off: ['copilot'] }, 'claude', 'gemini'),
    read({ engines_off: [] }),
  ]).toEqual([['ai_mode', 'copilot'], ['chatgpt', 'gemini'], ['claude'], []])
})

describe('what is not valid is refused, with where it was given', () => {
  const refusal = (given: { file?: unknown; environment?: Record<string, string>; flags?: Record<string, string> }) => {
    try {
      const sources = { dataDir: '.', environment: given.environment ?? {}, flags: given.flags ?? {} }
      parseConfig(sources, 'file' in given ? given.file : {}, '/d/config.json')
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError)
      return (error as Error).message
    }
    throw new Error('it was not refused')
  }

  test.each([
    [{ flags: { port: '65536' } }, '--port must be a whole number from 0 to 65535, not "65536"'],
    [{ environment: { ANSWERLAKE_PORT: '80a' } }, 'ANSWERLAKE_PORT must be a whole number from 0 to 65535, not "80a"'],
    [{ file: { port: -1 } }, '/d/config.json: port must be a whole number from 0 to 65535, not -1'],
    [{ file: { port: 1.5 } }, '/d/config.json: port must be a whole number from 0 to 65535, not 1.5'],
    [{ file: { port: null } }, '/d/config.json: port must be a whole number from 0 to 65535, not null'],
    [{ file: { host: 7 } }, '/d/config.json: host must be a text that is not empty'],
    [{ flags: { log_level: 'loud' } }, '--log-level must be one of error, warn, info, debug, not "loud"'],
    [
      { flags: { query_timeout: '30' } },
      '--query-timeout must be a duration such as 500ms, 30s, 15m or 1h, from 100ms to 10m, not "30"',
    ],
    [
      { file: { snapshot_grace: '59m' } },
      '/d/config.json: snapshot_grace must be a duration such as 500ms, 30s, 15m or 1h, from 1h to 30d, not "59m"',
    ],
    [
      { environment: { ANSWERLAKE_ENGINES_OFF: 'claude,bing' } },
      'ANSWERLAKE_ENGINES_OFF must be some of ai_overviews, ai_mode, chatgpt, perplexity, gemini, copilot, claude, not "bing"',
    ],
    [
      { file: { engines_off: { claude: true } } },
      '/d/config.json: engines_off must be a list of engines, not {"claude":true}',
    ],
    [{ environment: { ANSWERLAKE_DASHBOARD: 'no' } }, 'ANSWERLAKE_DASHBOARD must be true or false, not "no"'],
    [{ file: { dashboard: ['true'] } }, '/d/config.json: dashboard must be true or false, not ["true"]'],
    [{ file: [] }, '/d/config.json must hold one JSON object'],
    [{ file: null }, '/d/config.json must hold one JSON object'],
  ])('%j', (given, message) => {
    expect(refusal(given)).toBe(message)
  })

  test.each(['http://lake.acme.com', 'https://acme.com/lake', 'https://a@acme.com', 'lake.acme.com', 'https://', 'x'])(
    'the public address %s',
    (url) => {
      expect(refusal({ flags: { public_url: url } })).toBe(
        `--public-url must be https:// with a host and perhaps a port, such as https://lake.acme.com, not "${url}"`,
      )
    },
  )

  test('an unknown setting, also one that every object has', () => {
    expect(refusal({ file: { prot: 1 } })).toBe(
      `/d/config.json: unknown setting "prot"; the settings are ${SETTING_NAMES.join(', ')}`,
    )
    expect(refusal({ file: { toString: 1 } })).toContain('unknown setting "toString"')
  })

  test('a file that is no JSON', async () => {
    const dataDir = makeDataDir('{"port": ')
    await expect(readConfig({ dataDir, environment: {} })).rejects.toThrow(
      new RegExp(`^${join(dataDir, 'config.json')} is no valid JSON: `),
    )
  })
})
