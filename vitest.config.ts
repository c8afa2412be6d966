import { defineConfig } from 'vitest/config'
import { updatesGolden } from './test/support/updates-golden.ts'

// A half-hour zone: code that leans on the machine's zone fails here first.
process.env['TZ'] = 'Asia/Kolkata'
process.env['UV_THREADPOOL_SIZE'] = '16'
// What is installed on this machine is nobody's business here.
process.env['ANSWERLAKE_SYSTEM_FILE'] = ''
// Refuses here, before the first test runs.
updatesGolden(process.env)
const jsonFile = process.env['VITEST_JSON']

const UNIT = 'test/**/*.unit.test.ts'
const FAULTS = 'test/faults/**/*.test.ts'

// Which test belongs where: docs/testing.md.
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: [UNIT], isolate: false } },
      { extends: true, test: { name: 'service', include: ['test/**/*.test.ts'], exclude: [UNIT, FAULTS] } },
      { extends: true, test: { name: 'faults', include: [FAULTS] } },
    ],
    globalSetup: 'test/support/made-once.ts',
    pool: 'forks',
    // One more than the cores of a small machine: many tests wait for other processes and for a browser.
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    reporters: jsonFile ? ['default', 'json'] : ['default'],
    ...(jsonFile ? { outputFile: { json: jsonFile } } : {}),
  },
})
