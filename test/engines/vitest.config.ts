import { defineConfig } from 'vitest/config'

/** `npm run test:engines`: a suite of its own, since it needs Python and half a gigabyte of engines (docs/scale.md). */
export default defineConfig({
  test: {
    include: ['test/engines/*.suite.ts'],
    pool: 'forks',
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
})
