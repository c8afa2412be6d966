import { expect, it } from 'vitest'
import type { KeyRow } from '../../../src/http/dashboard/operations/keys.ts'
import { toBytes } from '../../../src/dashboard/format.ts'
import { describeDetail, toActionWords } from '../../../src/dashboard/views/settings/audit-words.ts'
import { toBrowserName } from '../../../src/dashboard/views/settings/browser-name.ts'
import { sortKeys, toTryLine } from '../../../src/dashboard/views/settings/key-row.ts'

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile Safari/604.1',
    'Safari on iOS',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_1) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15',
    'Safari on macOS',
  ],
  ['curl/8.9', 'curl/8.9'],
  ['', 'unknown'],
])('%s is %s', (client, name) => {
  expect(toBrowserName(client)).toBe(name)
})

it('says what was changed in words, and leaves out what is empty', () => {
  expect(toActionWords('api_key.create')).toBe('api key: create')
  expect(toActionWords('other')).toBe('other')
  expect(describeDetail({ name: 'Grafana', expires_in_days: 90, budget_usd: null, ids: ['a', 'b'] })).toBe(
    'name: Grafana, expires in days: 90, ids: ["a","b"]',
  )
})

it('lists keys that work first, then the newest', () => {
  const key = (id: string, status: KeyRow['status'], created_at: string): KeyRow => ({
    id,
    name: id,
    permission: 'read',
    creator: 'root',
    created_at,
    expires_at: '2027-01-01T00:00:00.000Z',
    revoked_at: null,
    last_used_at: null,
    status,
  })
  const keys = [
    key('revoked', 'revoked', '2026-11-03T00:00:00.000Z'),
    key('old', 'active', '2026-11-01T00:00:00.000Z'),
    key('new', 'active', '2026-11-02T00:00:00.000Z'),
  ]
  expect(sortKeys(keys).map(({ id }) => id)).toEqual(['new', 'old', 'revoked'])
  expect(toTryLine('alk_x', 'https://lake.acme.com')).toBe(
    "curl -s -H 'X-API-Key: alk_x' https://lake.acme.com/v1/sites",
  )
})

it('writes sizes as people do', () => {
  expect([0, 1, 999, 1_400, 18_200_300, 5e12].map((bytes) => toBytes(bytes).replace(/\s/g, ' '))).toEqual([
    '0 byte',
    '1 byte',
    '999 byte',
    '1.4 kB',
    '18 MB',
    '5 TB',
  ])
})
