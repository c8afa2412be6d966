import { resolve } from 'node:path'
import { compile } from '../src/lake/statement.ts'
import { defineCommand, JSON_FLAG, SITE_FLAG } from './command.ts'
import { toIntegerForm } from './flags.ts'
import { printJson, printLine } from './io.ts'
import { refuseDataDirectory } from './output-file.ts'
import { withAppAndSite } from './with-app.ts'

export const views = defineCommand({
  summary: "Print SQL views over a snapshot's files, with names instead of numbers, for DuckDB",
  notes: [
    'The views read the files of one snapshot. Imports and maintenance replace files, and replaced ones are deleted after the grace period: make the views anew then, or take `lake export`.',
  ],
  args: {
    ...SITE_FLAG,
    snapshot: {
      type: 'string',
      form: toIntegerForm(0, 999_999_999_999),
      valueHint: 'N',
      description: 'an older snapshot that can still be read',
    },
    database: { type: 'string', valueHint: 'FILE', description: 'write a DuckDB database of the views instead' },
    ...JSON_FLAG,
  },
  examples: ['lake views --site acme.com > views.sql', 'lake views --site acme.com --database acme.duckdb'],
  async run(context) {
    const { args, io, dataDir } = context
    await refuseDataDirectory('--database', args.database, dataDir)
    const { toViews } = await import('../src/named-tables/views.ts')
    const made = await withAppAndSite(context, args.site, async ({ catalog, change }, { id }) =>
      toViews(catalog, resolve(change.lakeDir), { siteId: id, snapshot: args.snapshot }),
    )
    const { snapshot, statements } = made
    if (args.database === undefined) {
      const texts = statements.map((statement) => compile(statement).text)
      if (args.json) return printJson(io, { snapshot, statements: texts })
      printLine(io, `-- Snapshot ${snapshot} of ${args.site}`)
      for (const text of texts) io.stdout.write(`${text};\n`)
      return
    }
    const { writeViewDatabase } = await import('../src/named-tables/view-database.ts')
    await writeViewDatabase(args.database, made)
    if (args.json) printJson(io, { snapshot, database: resolve(args.database) })
    else printLine(io, `snapshot ${snapshot}: views in ${args.database}`)
  },
})
