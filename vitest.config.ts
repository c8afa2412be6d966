import { defineConfig } from 'vitest/config'

// A half-hour zone and a fixed locale: code that leans on the machine's zone fails here first.
process.env['TZ'] = 'Asia/Kolkata'
process.env['UV_THREADPOOL_SIZE'] = '16'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
