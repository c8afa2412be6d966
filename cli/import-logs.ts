import { UsageError } from '../src/errors.ts'
import type { ImportLogsResult } from '../src/import-logs/import-options.ts'
import { FIELD_NAMES } from '../src/import-logs/formats/json-line.ts'
import { LOG_FORMATS } from '../src/import-logs/formats.ts'
import { show } from '../src/show.ts'
import { defineCommand, JSON_FLAG, SITE_FLAG } from './command.ts'
import { DOMAIN_FORM, toIntegerForm } from './flags.ts'
import { IMPORT_FLAGS, openImportProgress, printRejections, printTotals, tellImport } from './import-output.ts'
import { printNote, type Io } from './io.ts'
import { maintainAfterImport } from './automatic-maintenance.ts'
import { refuseDataDirectory } from './output-file.ts'
import { countOf } from './format.ts'
import { withAppAndSite } from './with-app.ts'

/** Files that the result lists one by one. */
const FILES_LISTED_MAX = 20

export const importLogs = defineCommand({
  summary: 'Import access logs: AI crawlers and visitors that answer engines sent, each line once',
  notes: [
    'Files are plain, gzip or zstd; - is standard input; of a directory all files in it are taken, at any depth. A line counts once, however often its file is named: a file that has grown is read from where the last import stopped, and a rotated or compressed copy is known by its content.',
    'The client address verifies a bot and is then dropped: load the published ranges first, with `answerlake bots update`. Behind a proxy, say where the real address stands with --trusted-proxies or --address-field.',
    'Exits 3 when lines were rejected; the others are imported.',
  ],
  args: {
    ...SITE_FLAG,
    format: {
      type: 'enum',
      options: ['auto', ...LOG_FORMATS],
      default: 'auto',
      description: 'format of the logs; auto recognises that of each file',
    },
    'log-format': {
      type: 'string',
      valueHint: 'STRING',
      description: "an nginx log_format string, in the place of --format, such as '$remote_addr [$time_local] …'",
    },
    'address-field': {
      type: 'string',
      valueHint: 'NAME',
      description: 'JSON field, column or variable that holds the client address',
    },
    field: {
      type: 'string',
      multiple: true,
      valueHint: 'NAME=FIELD',
      form: { is: `NAME=FIELD, with NAME one of ${Object.keys(FIELD_NAMES).join(', ')}`, read: readNamedField },
      description: 'JSON or logfmt field that holds the path, ua, time, …, where its name is an unusual one',
    },
    'trusted-proxies': {
      type: 'string',
      form: toIntegerForm(1, 16),
      valueHint: 'N',
      description: 'proxies before the server that append to X-Forwarded-For; without it that header is not believed',
    },
    include: {
      type: 'string',
      multiple: true,
      valueHint: 'GLOB',
      description: "take only files of a directory whose name or path in it matches, such as '*.log*'",
    },
    verbose: { type: 'boolean', description: `list each file, also when there are more than ${FILES_LISTED_MAX}` },
    host: {
      type: 'string',
      multiple: true,
      valueHint: 'HOST',
      form: DOMAIN_FORM,
      description: "host beside the site's domain whose lines count, with those under it; others are ignored",
    },
    'any-host': { type: 'boolean', description: 'count the lines of all hosts' },
    ...IMPORT_FLAGS,
    ...JSON_FLAG,
  },
  examples: [
    'import logs --site acme.com /var/log/nginx/access.log*',
    "import logs --site acme.com --include '*.log*' /var/log/nginx",
    'import logs --site acme.com --trusted-proxies 1 access.json.gz',
    'import logs --site acme.com --field path=page --field ua=client.agent --field time=meta.at app.ndjson',
    'import logs --site acme.com --log-format \'$remote_addr [$time_local] "$request" $status "$http_referer" "$http_user_agent"\' custom.log',
  ],
  async run(context) {
    const { args, io, clock, signal } = context
    await refuseDataDirectory('--rejects', args.rejects, context.dataDir)
    const { importLogs: importFiles } = await import('../src/import-logs/import-logs.ts')
    const progress = openImportProgress(io, clock)
    return withAppAndSite(context, args.site, async (app, site) => {
      const result = await importFiles(app.change, {
        site,
        files: args.files,
        include: args.include,
        format: args.format,
        logFormat: args['log-format'],
        addressField: args['address-field'],
        fields: toFields(args.field),
        trustedProxies: args['trusted-proxies'],
        hosts: args['any-host'] ? 'any' : args.host,
        dryRun: args['dry-run'],
        strict: args.strict,
        rejectsFile: args.rejects,
        stdin: io.stdin,
        signal,
        onProgress: ({ file, readBytes, totalBytes, lines }) =>
          progress.report({ done: readBytes, total: totalBytes, note: `${file}: ${countOf(lines, 'line')}` }),
        onWait: () => printNote(io, 'waiting for another import of this site'),
      }).finally(() => progress.close())
      await tellImport(io, args, { result, noun: 'line', print: () => printResult(io, result, args) })
      if (result.snapshot !== null) await maintainAfterImport(app, site, context)
      return result.rejected > 0 ? 3 : 0
    })
  },
})

function readNamedField(text: string): string | undefined {
  const [name = '', ...field] = text.split('=')
  return Object.hasOwn(FIELD_NAMES, name) && field.join('=') !== '' ? text : undefined
}

/** Undefined when none is given. */
function toFields(values: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (values.length === 0) return undefined
  const pairs = values.map(
    (value) => [value.slice(0, value.indexOf('=')), value.slice(value.indexOf('=') + 1)] as const,
  )
  const twice = pairs.find(([name], no) => pairs.findIndex(([other]) => other === name) < no)
  if (twice !== undefined) throw new UsageError(`--field: ${twice[0]} is named twice`)
  return Object.fromEntries(pairs)
}

function printResult(
  io: Io,
  result: ImportLogsResult,
  args: { readonly verbose: boolean; readonly 'dry-run': boolean; readonly rejects: string | undefined },
): void {
  const { files } = result
  const counts = ['lines', 'bot_hits', 'visits', 'ignored', 'already_imported', 'rejected'] as const
  if (files.length > FILES_LISTED_MAX && !args.verbose) {
    const formats = new Set(files.flatMap(({ format }) => format ?? []))
    printTotals(io, counts, [{ ...result, file: countOf(files.length, 'file') }], { format: [[...formats].join(', ')] })
  } else printTotals(io, counts, files, { format: files.map(({ format }) => format ?? '') })
  printRejections(io.stdout, result, args.rejects)
  if (result.other_hosts.length > 0) {
    const hosts = result.other_hosts.map(({ host, lines }) => `${show(host)} (${lines})`).join(', ')
    printNote(io, `ignored, for they are of other hosts; --host NAME counts one, --any-host all: ${hosts}`)
  }
  for (const warning of result.warnings) printNote(io, `note: ${warning}`)
  if (args['dry-run']) printNote(io, 'This was a dry run: nothing was imported.')
}
