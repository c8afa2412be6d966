import { CommandError } from '../src/errors.ts'
import { defineCommand, defineGroup, JSON_FLAG, OPTIONAL_SITE_FLAG } from './command.ts'
import { printJson, printLine, printNote } from './io.ts'
import { openProgress } from './progress.ts'
import { printTable } from './table.ts'
import { withApp } from './with-app.ts'
import { withCatalog } from './with-catalog.ts'
import { countOf, toSize } from './words.ts'

const status = defineCommand({
  summary: 'Show files, rows and bytes of each data set',
  notes: ['Replaced files are kept for readers of older snapshots; `lake gc` deletes them after the grace period.'],
  args: { ...OPTIONAL_SITE_FLAG, ...JSON_FLAG },
  examples: ['lake status', 'lake status --site acme.com --json'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const { args, io } = context
      const siteId = args.site === undefined ? undefined : catalog.sites.get(args.site).id
      const { live, retired } = catalog.manifest.totals(siteId)
      const sum = (key: 'files' | 'rows' | 'bytes'): number => live.reduce((total, dataset) => total + dataset[key], 0)
      const total = { files: sum('files'), rows: sum('rows'), bytes: sum('bytes') }
      const snapshot = catalog.manifest.currentSnapshot(siteId)
      if (args.json) {
        const datasets = live.map(({ siteId, dataset, files, rows, bytes }) => ({
          site_id: siteId,
          dataset,
          files,
          rows,
          bytes,
        }))
        return printJson(io, { snapshot, datasets, ...total, retired })
      }
      const rows = live.map(({ siteId, dataset, files, rows, bytes }) => [siteId, dataset, files, rows, bytes])
      printTable(
        io,
        ['site', 'data set', 'files', 'rows', 'bytes'],
        [...rows, ['total', null, total.files, total.rows, total.bytes]],
      )
      printLine(
        io,
        `snapshot ${snapshot}; ${countOf(retired.files, 'replaced file')} (${toSize(retired.bytes)}) still kept`,
      )
    }),
})

const compact = defineCommand({
  summary: 'Merge small files; readers and imports go on meanwhile',
  args: { ...OPTIONAL_SITE_FLAG, ...JSON_FLAG },
  examples: ['lake compact', 'lake compact --site acme.com'],
  async run(context) {
    const { args, io, clock, signal } = context
    const { compactLake } = await import('../src/maintenance/compaction.ts')
    const progress = openProgress('compacting', io, clock)
    const result = await withApp(context, (app) =>
      compactLake(app.change, {
        ...(args.site === undefined ? {} : { siteId: app.catalog.sites.get(args.site).id }),
        isThorough: true,
        signal,
        onProgress: ({ doneBytes, totalBytes }) =>
          progress.report({
            done: doneBytes,
            total: totalBytes,
            note: `${toSize(doneBytes)} of ${toSize(totalBytes)}`,
          }),
        onWait: () => printNote(io, 'waiting for an import'),
      }),
    ).finally(() => progress.close())
    if (args.json) printJson(io, result)
    else if (result.merged.length === 0) printLine(io, 'nothing to merge')
    else {
      printTable(
        io,
        ['site', 'data set', 'month', 'files merged', 'rows', 'bytes before', 'bytes after'],
        result.merged.map((one) => [
          one.site_id,
          one.dataset,
          one.month,
          one.files,
          one.rows,
          one.bytes_before,
          one.bytes_after,
        ]),
      )
    }
    if (result.failures.length > 0) {
      throw new CommandError(['Some files could not be merged and stay as they are:', ...result.failures].join('\n  '))
    }
  },
})

export const lake = defineGroup({
  summary: 'The files of the lake: look after them',
  commands: { status, compact },
  examples: ['lake status', 'lake compact', 'lake verify'],
})
