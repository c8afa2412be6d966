import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { updatesGolden } from './support/updates-golden.ts'

test.each([
  [{}, false],
  [{ CI: 'true' }, false],
  [{ UPDATE_GOLDEN: '' }, false],
  [{ UPDATE_GOLDEN: '1' }, true],
  [{ UPDATE_GOLDEN: '1', CI: '' }, true],
])('with %o golden files are written: %s', (environment, expected) => {
  expect(updatesGolden(environment)).toBe(expected)
})

test('where CI is set a run that would write golden files ends before its first test, and says why', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'test/tidy'],
    {
      cwd: join(import.meta.dirname, '..'),
      env: { ...process.env, CI: 'true', UPDATE_GOLDEN: '1' },
      encoding: 'utf8',
    },
  )
  expect(status).toBe(1)
  expect(stderr).toContain('UPDATE_GOLDEN is refused where CI is set: run `npm run golden` on your machine')
  expect(stdout).not.toContain('tidy.test.ts')
})
