import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseScanConfig, readScanConfig } from '../../src/collect/scan-config.ts'
import { CommandError } from '../../src/errors.ts'

function makeDataDir(text?: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'answerlake-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  if (text !== undefined) writeFileSync(join(directory, 'scan.json'), text)
  return directory
}

function faultsOf(content: unknown): readonly string[] {
  try {
    parseScanConfig(content, '/data/scan.json')
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    expect(error.lines[0]).toBe('/data/scan.json cannot be used; correct this and run the command again:')
    return error.lines.slice(1)
  }
  return []
}

test('without a file nothing is configured', async () => {
  expect(await readScanConfig(makeDataDir())).toBeUndefined()
  expect(await readScanConfig(join(makeDataDir(), 'later'))).toBeUndefined()
})

test('a directory in the place of the file is told, with its path', async () => {
  const dataDir = makeDataDir()
  mkdirSync(join(dataDir, 'scan.json'))
  await expect(readScanConfig(dataDir)).rejects.toThrow(`${join(dataDir, 'scan.json')} is a directory.`)
})

test('all that the file can say is read, USD as micro-dollars', async () => {
  const dataDir = makeDataDir(`{
    "targets": [
      {"id": "chatgpt", "engine": "chatgpt", "provider": "openai", "model": "gpt-5.5"},
      {"engine": "ai_overviews", "provider": "searchapi"},
      {"id": "chatgpt-mini", "engine": "chatgpt", "provider": "openai", "model": "gpt-5.5-mini", "role": "shadow"}
    ],
    "providers": {"openai": {"base_url": "https://gateway.internal/v1/", "per_minute": 60, "concurrency": 4}},
    "samples": 3,
    "budget": {"usd_day": 20, "usd_month": 300.1, "targets": {"chatgpt": {"usd_day": 0.1}}},
    "schedules": [{"site": "acme.com", "cron": "0 5 * * *", "zone": "Europe/Berlin", "jitter": "15m"}],
    "judge": {"provider": "openai", "model": "gpt-5.5-mini"},
    "keep_raw": "forever"
  }`)
  expect(await readScanConfig(dataDir)).toEqual({
    path: join(dataDir, 'scan.json'),
    targets: [
      { id: 'chatgpt', engine: 'chatgpt', provider: 'openai', model: 'gpt-5.5', role: 'main' },
      { id: 'ai_overviews', engine: 'ai_overviews', provider: 'searchapi', model: undefined, role: 'main' },
      { id: 'chatgpt-mini', engine: 'chatgpt', provider: 'openai', model: 'gpt-5.5-mini', role: 'shadow' },
    ],
    providers: { openai: { baseUrl: 'https://gateway.internal/v1', perMinute: 60, concurrency: 4 } },
    samples: 3,
    budget: {
      dayMicros: 20_000_000,
      monthMicros: 300_100_000,
      targets: new Map([['chatgpt', { dayMicros: 100_000, monthMicros: undefined }]]),
    },
    schedules: [{ site: 'acme.com', cron: '0 5 * * *', zone: 'Europe/Berlin', jitterMs: 900_000 }],
    judge: { provider: 'openai', model: 'gpt-5.5-mini' },
    keepRaw: 'keep',
  })
})

test('an empty object configures nothing: no target, no budget, one sample, raw answers kept', () => {
  expect(parseScanConfig({}, 'scan.json')).toEqual({
    path: 'scan.json',
    targets: [],
    providers: {},
    samples: 1,
    budget: undefined,
    schedules: [],
    judge: undefined,
    keepRaw: 'keep',
  })
})

test('a target may be a text: engine, provider and model', () => {
  const { targets } = parseScanConfig({ targets: ['chatgpt=openai:gpt-5.5', 'ai_overviews=searchapi'] }, 'scan.json')
  expect(targets).toEqual([
    { id: 'chatgpt', engine: 'chatgpt', provider: 'openai', model: 'gpt-5.5', role: 'main' },
    { id: 'ai_overviews', engine: 'ai_overviews', provider: 'searchapi', model: undefined, role: 'main' },
  ])
  // Models of local servers hold a colon.
  expect(parseScanConfig({ targets: ['gemini=custom:gemma3:12b'] }, 'scan.json').targets[0]?.model).toBe('gemma3:12b')
})

test.each([
  [[], 'the file: Use an object.'],
  [{ target: [] }, 'target: Unknown field. Remove it.'],
  [{ targets: [{ provider: 'openai' }] }, 'targets.0.engine: Required. Add it.'],
  [
    { targets: [{ engine: 'bard', provider: 'openai' }] },
    'targets.0.engine: Use one of "ai_overviews", "ai_mode", "chatgpt", "perplexity", "gemini", "copilot", "claude".',
  ],
  [
    { targets: ['chatgpt'] },
    'targets.0: Write it as ENGINE=PROVIDER or ENGINE=PROVIDER:MODEL, such as "chatgpt=openai:gpt-5.5".',
  ],
  [{ targets: ['chatgpt=openai:gpt 5'] }, "targets.0.model: Use the provider's name of the model, without spaces."],
  [
    { targets: [{ id: 'a b', engine: 'chatgpt', provider: 'openai' }] },
    'targets.0.id: Use 1 to 64 of A-Z a-z 0-9 . _ -',
  ],
  [
    { targets: ['chatgpt=openai', 'chatgpt=brightdata'] },
    'targets.1: Another target is called chatgpt too. Give this one an "id" of its own.',
  ],
  [
    { targets: ['chatgpt=openai', { id: 'b', engine: 'chatgpt', provider: 'brightdata' }] },
    'targets.1: chatgpt is the main target of chatgpt already, and one an engine makes the reports. Remove one of them, or give one "role": "shadow".',
  ],
  [{ budget: { usd_day: -1 } }, 'budget.usd_day: Use at least 0.'],
  [{ budget: { targets: { x: {} } } }, 'budget.targets.x: No target is called so. Correct the name or remove it.'],
  [{ samples: 11 }, 'samples: Use at most 10.'],
  [{ samples: 1.5 }, 'samples: Use a whole number.'],
  [
    { schedules: [{ site: 'a', cron: '0 0 5 * * *' }] },
    'schedules.0.cron: Use five fields: minute, hour, day of the month, month, day of the week, such as "0 5 * * *".',
  ],
  [
    { schedules: [{ site: 'a', cron: '0 5 * * *', zone: 'Berlin' }] },
    'schedules.0.zone: Use a time zone such as "Europe/Berlin" or "UTC".',
  ],
  [
    { schedules: [{ site: 'a', cron: '0 5 * * *', jitter: '13h' }] },
    'schedules.0.jitter: Use a duration of at most 12h, such as "15m".',
  ],
  [
    { providers: { openai: { base_url: 'https://user:pass@gateway/v1' } } },
    'providers.openai.base_url: Use an http:// or https:// address without user, query and fragment.',
  ],
  [{ providers: { openai: { api_key: 'sk-1' } } }, 'providers.openai.api_key: Unknown field. Remove it.'],
  [{ keep_raw: 'long' }, 'keep_raw: Use "forever", or a period such as "90d", "24mo" or "3y".'],
])('%j is refused with what to do', (content, fault) => {
  expect(faultsOf(content)).toEqual([fault])
})

test('all faults are told at once', () => {
  expect(faultsOf({ samples: 0, keep_raw: 1, budget: { usd: 1 } })).toHaveLength(3)
})

test('a day that never comes is no schedule', () => {
  expect(faultsOf({ schedules: [{ site: 'a', cron: '0 5 31 2 *' }] })).toHaveLength(1)
})

test('a file that is no JSON says so with its path', async () => {
  const dataDir = makeDataDir('{"targets": [')
  await expect(readScanConfig(dataDir)).rejects.toThrow(`${join(dataDir, 'scan.json')} is no valid JSON`)
})
