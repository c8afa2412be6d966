import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openCatalog } from '../../src/catalog/catalog.ts'
import { makeDataDir } from './support/test-scan.ts'
import type { Spender } from './support/spender.ts'

const SCRIPT = fileURLToPath(new URL('./support/spender.ts', import.meta.url))

async function spend(task: Spender): Promise<{ asked: number[]; mostMicros: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, JSON.stringify(task)])
  return JSON.parse(stdout) as { asked: number[]; mostMicros: number }
}

test('twenty processes that spend at once ask no call twice and never exceed the budget', async () => {
  const path = join(makeDataDir(), 'catalog.sqlite')
  using catalog = openCatalog(path, { mode: 'command', create: true })
  const { id: siteId, organizationId } = catalog.sites.create({ id: 'acme', name: 'Acme', domain: 'acme.com' })
  const [calls, highMicros, costMicros, dayMicros] = [60, 1_000, 400, 12_000]
  const names = Array.from({ length: 20 }, (_, index) => `run_${index}`)
  const spenders = await Promise.all(
    names.map((name) => spend({ path, siteId, name, calls, highMicros, costMicros, dayMicros })),
  )
  const asked = spenders.flatMap((each) => each.asked)
  expect(new Set(asked).size).toBe(asked.length)
  expect(Math.max(...spenders.map(({ mostMicros }) => mostMicros))).toBeLessThanOrEqual(dayMicros)
  const { dayMicros: spent } = catalog.spend.sum(organizationId, new Date().toISOString().slice(0, 10))
  expect(spent).toBe(asked.length * costMicros)
  // As long as an upper bound fits beside what was spent, somebody may ask.
  expect(asked.length).toBeGreaterThanOrEqual(12)
  expect(asked.length).toBeLessThanOrEqual(1 + (dayMicros - highMicros) / costMicros)
  expect(catalog.integrityCheck()).toEqual([])
})
