import { EXPORT_FORMATS } from '../src/named-tables/formats.ts'
import { defineCommand, JSON_FLAG, SITE_FLAG } from './command.ts'
import { toSize } from './format.ts'
import { printJson, printLine } from './io.ts'
import { refuseDataDirectory } from './output-file.ts'
import { openProgress } from './progress.ts'
import { printTable } from './table.ts'
import { withAppAndSite } from './with-app.ts'

export const exportFiles = defineCommand({
  summary: 'Write what is stored of a site as plain files, one a table, with names instead of numbers',
  notes: ['The directory must not be there yet. It gets its name when all files are whole.'],
  args: {
    ...SITE_FLAG,
    to: { type: 'string', required: true, valueHint: 'DIR', description: 'directory to make' },
    format: { type: 'enum', options: EXPORT_FORMATS, default: 'parquet', description: 'form of the files' },
    ...JSON_FLAG,
  },
  examples: [
    'lake export --site acme.com --to acme-2026-11-22',
    'lake export --site acme.com --to acme-csv --format csv',
  ],
  async run(context) {
    const { args, io, clock, signal, dataDir } = context
    await refuseDataDirectory('--to', args.to, dataDir)
    const { exportTables } = await import('../src/named-tables/export.ts')
    const progress = openProgress('exporting', io, clock)
    const result = await withAppAndSite(context, args.site, ({ change }, { id }) =>
      exportTables(change, {
        siteId: id,
        to: args.to,
        format: args.format,
        signal,
        onProgress: ({ doneTables, tables, table }) =>
          progress.report({ done: doneTables, total: tables, note: table }),
      }),
    ).finally(() => progress.close())
    if (args.json) return printJson(io, result)
    printTable(
      io,
      ['table', 'rows', 'file', 'bytes'],
      result.tables.map(({ table, rows, file, bytes }) => [table, rows, file, bytes]),
    )
    printLine(
      io,
      `snapshot ${result.snapshot} in ${result.directory}, ${toSize(result.tables.reduce((sum, { bytes }) => sum + bytes, 0))}`,
    )
  },
})
