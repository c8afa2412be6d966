import { expect, test } from 'vitest'
import { runCrowd } from './support/crowd.ts'

test(
  'importers of overlapping files beside a busy server: each answer once, no request refused, no walk torn',
  { timeout: 600_000 },
  async () => {
    const { wrong, imports, kills, walks } = await runCrowd({ importers: 4, clients: 2, seconds: 8 })
    expect(wrong).toEqual([])
    expect([imports > 3, kills > 0, walks > 3]).toEqual([true, true, true])
  },
)
