import { CommandError } from '../src/errors.ts'
import { COLLECTION_MARGIN_MS } from '../src/limits.ts'
import { defineCommand, defineGroup, JSON_FLAG, OPTIONAL_SITE_FLAG } from './command.ts'
import { DURATION_FORM } from './flags.ts'
import { printJson, printLine, printNote } from './io.ts'
import { rederive } from './lake-rederive.ts'
import { repair } from './lake-repair.ts'
import { retention } from './lake-retention.ts'
import { verify } from './lake-verify.ts'
import { exportFiles } from './lake-export.ts'
import { publish } from './lake-publish.ts'
import { views } from './lake-views.ts'
import { openProgress } from './progress.ts'
import { nameSites } from './site-domains.ts'
import { printTable } from './table.ts'
import { withApp } from './with-app.ts'
import { status } from './lake-status.ts'
import { countOf, toSize } from './format.ts'

const compact = defineCommand({
  summary: 'Merge small files and rewrite those of older versions; readers and imports go on meanwhile',
  args: { ...OPTIONAL_SITE_FLAG, ...JSON_FLAG },
  examples: ['lake compact', 'lake compact --site acme.com'],
  async run(context) {
    const { args, io, clock, signal } = context
    const { compactLake } = await import('../src/maintenance/compaction.ts')
    const progress = openProgress('compacting', io, clock)
    const { result, toDomain } = await withApp(context, async (app) => ({
      result: await compactLake(app.change, {
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
      toDomain: nameSites(app.catalog),
    })).finally(() => progress.close())
    if (args.json) printJson(io, result)
    else if (result.merged.length === 0) printLine(io, 'nothing to merge')
    else {
      printTable(
        io,
        ['site', 'data set', 'month', 'files merged', 'rows', 'bytes before', 'bytes after'],
        result.merged.map((one) => [
          toDomain(one.site_id),
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
      throw new CommandError('Some files could not be merged and stay as they are:', { faults: result.failures })
    }
  },
})

const gc = defineCommand({
  summary: 'Delete replaced files after the grace period, and what killed processes left behind',
  notes: [
    'Cursors on a snapshot whose files are deleted end with 410. Deletes nothing that a backup or a change under way needs.',
  ],
  args: {
    grace: {
      type: 'string',
      form: DURATION_FORM,
      valueHint: 'TIME',
      description: 'how long replaced files stay (default snapshot_grace, 1h, and 5m); 0 deletes all of them',
    },
    ...JSON_FLAG,
  },
  examples: ['lake gc', 'lake gc --grace 2d'],
  async run(context) {
    const { args, io, signal, dataDir } = context
    const [{ freeBallast }, { collectGarbage }] = await Promise.all([
      import('../src/maintenance/ballast.ts'),
      import('../src/maintenance/garbage-collection.ts'),
    ])
    // With it the collection can be written down; without it files go first.
    await freeBallast(dataDir)
    const result = await withApp(context, (app) =>
      collectGarbage(app.change, { graceMs: args.grace ?? app.config.snapshotGraceMs + COLLECTION_MARGIN_MS, signal }),
    )
    for (const warning of result.warnings) printNote(io, warning)
    if (args.json) return printJson(io, result)
    const { deleted, orphans, kept } = result
    printLine(
      io,
      `${countOf(deleted.files, 'replaced file')} (${toSize(deleted.bytes)}) deleted, ${kept.files} (${toSize(kept.bytes)}) kept`,
    )
    printLine(io, `${countOf(orphans.length, 'leftover')} of killed processes deleted`)
  },
})

export const lake = defineGroup({
  summary: 'The files of the lake: look after them',
  commands: { status, compact, gc, retention, rederive, verify, repair, views, export: exportFiles, publish },
  examples: ['lake status', 'lake compact', 'lake verify'],
})
