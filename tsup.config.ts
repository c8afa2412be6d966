import { defineConfig } from 'tsup'
import { findCommit } from './bin/find-commit.mts'

// The npm package: the program as `dist/cli.js`, which bin/answerlake.js starts, and the client library as
// `dist/client.js`. Its types are made by `tsc -p tsconfig.types.json`: tsup's own need TypeScript 5.
export default defineConfig({
  entry: {
    cli: 'cli/main.ts',
    client: 'src/client/client.ts',
    'log-worker': 'src/import-logs/worker.ts',
  },
  format: 'esm',
  target: 'node22',
  platform: 'node',
  splitting: true,
  dts: false,
  // All of dist/ but the executable, which another script makes.
  clean: ['!answerlake', '!answerlake.exe'],
  define: { ANSWERLAKE_COMMIT: JSON.stringify(findCommit(import.meta.dirname)) },
})
