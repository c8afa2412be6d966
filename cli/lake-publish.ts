import { resolve } from 'node:path'
import { PUBLICATION_GRACE_MS } from '../src/publication-limits.ts'
import { UsageError } from '../src/errors.ts'
import { type Context, defineCommand, JSON_FLAG } from './command.ts'
import { DURATION_FORM } from './flags.ts'
import { countOf, toSize } from './format.ts'
import { printJson, printLine, printNote } from './io.ts'
import { refuseDataDirectory } from './output-file.ts'
import { openProgress } from './progress.ts'
import { printTable, toMinute } from './table.ts'
import { withApp } from './with-app.ts'

export const publish = defineCommand({
  summary: 'Publish the lake as Iceberg tables over its files as they lie, for Trino, Spark, ClickHouse and others',
  notes: [
    'Writes metadata into the directory, no copy of the data; all tables have the tag lake-N of publication N. Repeated, it writes what has changed. Files that a publication names are kept until a newer one takes its place and the grace is over.',
    'What is deleted from the lake stays in a publication for its grace at most: publish again afterwards.',
  ],
  args: {
    directory: {
      type: 'positional',
      required: false,
      valueHint: 'DIR',
      description: 'directory of the publication; made when it is not there',
    },
    location: {
      type: 'string',
      valueHint: 'URL',
      description: 'where the files of the lake and of the publication will be found, such as s3://bucket/lake',
    },
    grace: {
      type: 'string',
      form: DURATION_FORM,
      valueHint: 'TIME',
      description: 'how long a replaced publication can still be read (default 1d)',
    },
    status: { type: 'boolean', description: 'list the publications instead' },
    drop: { type: 'boolean', description: 'remove the publication from the directory instead' },
    ...JSON_FLAG,
  },
  examples: [
    'lake publish /srv/iceberg',
    'lake publish /srv/iceberg --location s3://acme-lake/all',
    'lake publish --status',
  ],
  async run(context) {
    const { args, dataDir } = context
    if (args.status) return showStatus(context, args)
    const { directory } = args
    if (directory === undefined) throw new UsageError('Name the directory of the publication.')
    await refuseDataDirectory('DIR', directory, dataDir)
    if (args.drop) return drop(context, { ...args, directory })
    return publishTo(context, { ...args, directory })
  },
})

interface Args {
  readonly directory: string
  readonly location?: string | undefined
  readonly grace?: number | undefined
  readonly json: boolean
}

async function publishTo(context: Omit<Context, 'args'>, args: Args): Promise<void> {
  const { io, clock, signal } = context
  const { publishLake } = await import('../src/iceberg/publish.ts')
  const progress = openProgress('publishing', io, clock)
  const result = await withApp(context, (app) =>
    publishLake(app.change, {
      directory: args.directory,
      location: args.location,
      graceMs: args.grace ?? PUBLICATION_GRACE_MS,
      signal,
      onProgress: ({ doneTables, tables, table }) => progress.report({ done: doneTables, total: tables, note: table }),
      onWait: () => printNote(io, 'waiting for another publication'),
    }),
  ).finally(() => progress.close())
  if (args.json) return printJson(io, result)
  printTable(
    io,
    ['table', 'files', 'rows', 'bytes'],
    result.tables.map(({ table, files, rows, bytes }) => [table, files, rows, bytes]),
  )
  const { written, kept } = result.manifests
  printLine(
    io,
    result.is_new
      ? `publication ${result.publication} (tag lake-${result.publication}) of snapshot ${result.lake_snapshot} in ${result.directory}: ${countOf(written, 'manifest')} written, ${kept} kept`
      : `nothing has changed since publication ${result.publication} (tag lake-${result.publication}) in ${result.directory}`,
  )
}

async function drop(context: Omit<Context, 'args'>, { directory, json }: Args): Promise<void> {
  const { io } = context
  const { dropPublication } = await import('../src/iceberg/drop-publication.ts')
  const isDropped = await withApp(context, (app) => dropPublication(app.change, directory))
  if (json) printJson(io, { directory: resolve(directory), dropped: isDropped })
  else printLine(io, isDropped ? `dropped the publication in ${resolve(directory)}` : 'there is no publication there')
}

async function showStatus(context: Omit<Context, 'args'>, { json }: { readonly json: boolean }): Promise<void> {
  const { io } = context
  const { readPublicationStatus } = await import('../src/iceberg/publication-status.ts')
  const publications = await withApp(context, async ({ change }) => readPublicationStatus(change))
  if (json) return printJson(io, { data: publications })
  printTable(
    io,
    ['directory', 'publication', 'snapshot', 'published', 'newest snapshot', 'kept for it'],
    publications.map((one) => [
      one.directory,
      one.publication,
      one.lake_snapshot,
      toMinute(one.published_at),
      one.newest_snapshot,
      toSize(one.kept_bytes),
    ]),
  )
}
