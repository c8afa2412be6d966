import { expect, test } from 'vitest'
import { readRateHeaders } from '../../src/collect/rate-headers.ts'

const NOW = Date.parse('2026-11-20T07:00:00Z')

test.each<[Record<string, string>, ReturnType<typeof readRateHeaders>]>([
  // 60 a minute: ten are missing and back after ten seconds.
  [toOpenAi('60', '50', '10s'), { pauseMs: 0, perMinute: 60 }],
  [toOpenAi('60', '0', '1m0s'), { pauseMs: 1_000, perMinute: 60 }],
  [toOpenAi('10000', '9999', '6ms'), { pauseMs: 0, perMinute: 10_000 }],
  [toOpenAi('60', '60', '0s'), { pauseMs: 0, perMinute: undefined }],
  [
    {
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2026-11-20T07:01:00Z',
    },
    { pauseMs: 1_200, perMinute: 50 },
  ],
  [{ ratelimit: '"default";r=50;t=30' }, { pauseMs: 0, perMinute: 100 }],
  [{ ratelimit: 'limit=100, remaining=0, reset=7' }, { pauseMs: 7_000, perMinute: undefined }],
  [
    { 'ratelimit-remaining': '10', 'ratelimit-reset': '60' },
    { pauseMs: 0, perMinute: 10 },
  ],
  [
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1_000 + 90) },
    { pauseMs: 90_000, perMinute: undefined },
  ],
  [
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1_000 - 90) },
    { pauseMs: 0, perMinute: undefined },
  ],
  [{ 'x-ratelimit-remaining': 'many', 'x-ratelimit-reset': '5' }, undefined],
  [toOpenAi('60', '50', 'soon'), undefined],
  [toOpenAi('60', '50', '10s later'), undefined],
  [{}, undefined],
])('of %j are read as %j', (headers, notice) => {
  expect(readRateHeaders(new Headers(headers), NOW)).toEqual(notice)
})

function toOpenAi(limit: string, remaining: string, reset: string): Record<string, string> {
  return {
    'x-ratelimit-limit-requests': limit,
    'x-ratelimit-remaining-requests': remaining,
    'x-ratelimit-reset-requests': reset,
  }
}
