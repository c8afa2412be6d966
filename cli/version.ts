import { VERSION } from '../src/version.ts'
import { defineCommand, JSON_FLAG } from './command.ts'
import { printJson, printLine } from './io.ts'

/** Put in place by the build; sources don't know their commit. */
declare const ANSWERLAKE_COMMIT: string | undefined

export const version = defineCommand({
  summary: 'Print the versions of the program and of what it is made with',
  args: JSON_FLAG,
  examples: ['--version', 'version --json'],
  async run({ args, io }) {
    const [{ duckdbVersion }, { sqliteVersion }] = await Promise.all([
      import('../src/lake/version.ts'),
      import('../src/catalog/version.ts'),
    ])
    const versions = {
      version: VERSION,
      commit: typeof ANSWERLAKE_COMMIT === 'string' ? ANSWERLAKE_COMMIT : null,
      node: process.versions.node,
      duckdb: duckdbVersion(),
      sqlite: sqliteVersion(),
    }
    if (args.json) return printJson(io, versions)
    printLine(io, `answerlake ${versions.version}${versions.commit === null ? '' : ` (${versions.commit})`}`)
    printLine(io, `Node ${versions.node}, DuckDB ${versions.duckdb}, SQLite ${versions.sqlite}`)
  },
})
