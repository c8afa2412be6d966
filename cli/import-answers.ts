import { ENGINE_IDS } from '../src/domain/enums.ts'
import { ANSWER_FORMATS } from '../src/import-answers/adapters.ts'
import type { ImportAnswersResult } from '../src/import-answers/import-result.ts'
import { DISCOVER_MIN_DEFAULT } from '../src/limits.ts'
import { defineCommand, JSON_FLAG, SITE_FLAG } from './command.ts'
import { DAY_FORM, toIntegerForm } from './flags.ts'
import { IMPORT_FLAGS, openImportProgress, printRejections, printTotals, tellImport } from './import-output.ts'
import { printNote, type Io } from './io.ts'
import { maintainAfterImport } from './automatic-maintenance.ts'
import { refuseDataDirectory } from './output-file.ts'
import { countOf } from './format.ts'
import { withAppAndSite } from './with-app.ts'

export const importAnswers = defineCommand({
  summary: 'Import answers of engines: one transaction, all of it visible at once or nothing',
  notes: [
    'Files hold NDJSON, an array or one document, plain, gzip or zstd; - is standard input. A record that stands in the lake already is a duplicate, so importing a file again adds nothing.',
    'With --replace a record whose id is stored takes the place of the answer or no_answer there, where it says something else; of several records of an id in one call the last one counts.',
    'Exits 3 when records were rejected; the others are imported.',
  ],
  args: {
    ...SITE_FLAG,
    format: {
      type: 'enum',
      options: ['auto', ...ANSWER_FORMATS],
      default: 'auto',
      description: 'format of the records; auto recognises each',
    },
    replace: {
      type: 'boolean',
      description: 'put records in the place of what is stored under their ids, where they differ',
    },
    'create-prompts': { type: 'boolean', description: 'track prompts that the site does not have yet' },
    date: { type: 'string', valueHint: 'DAY', form: DAY_FORM, description: 'day of records that hold none' },
    platform: { type: 'enum', options: ENGINE_IDS, description: 'engine of records that hold none' },
    'prompt-id': { type: 'string', valueHint: 'ID', description: 'prompt of records that hold none' },
    'discover-min': {
      type: 'string',
      form: toIntegerForm(1, 1_000_000),
      default: String(DISCOVER_MIN_DEFAULT),
      valueHint: 'N',
      description: 'prompts whose answers must list an unknown brand before it becomes a competitor',
    },
    ...IMPORT_FLAGS,
    ...JSON_FLAG,
  },
  examples: [
    'import answers --site acme.com answers.ndjson.zst',
    'import answers --site acme.com --create-prompts --rejects rejected.ndjson exports/*.json',
    'import answers --site acme.com --replace corrected.ndjson',
    'import answers --site acme.com --format openai-responses --date 2026-11-20 --prompt-id p1 answer.json',
  ],
  async run(context) {
    const { args, io, clock, signal } = context
    await refuseDataDirectory('--rejects', args.rejects, context.dataDir)
    const { importAnswers: importFiles } = await import('../src/import-answers/import-answers.ts')
    const progress = openImportProgress(io, clock)
    return withAppAndSite(context, args.site, async (app, site) => {
      const result = await importFiles(app.change, {
        site,
        files: args.files,
        format: args.format,
        defaults: {
          ...(args.date === undefined ? {} : { date: args.date }),
          ...(args.platform === undefined ? {} : { platform: args.platform }),
          ...(args['prompt-id'] === undefined ? {} : { promptId: args['prompt-id'] }),
        },
        replace: args.replace,
        createPrompts: args['create-prompts'],
        dryRun: args['dry-run'],
        strict: args.strict,
        ...(args.rejects === undefined ? {} : { rejectsFile: args.rejects }),
        discoverMin: args['discover-min'],
        stdin: io.stdin,
        signal,
        onProgress: ({ file, readBytes, totalBytes, records }) =>
          progress.report({
            done: readBytes,
            total: totalBytes,
            note: `${file}: ${countOf(records, 'record')}`,
          }),
        onWait: () => printNote(io, 'waiting for another import of this site'),
      }).finally(() => progress.close())
      await tellImport(io, args, { result, noun: 'record', print: () => printResult(io, result, args) })
      if (result.snapshot !== null) await maintainAfterImport(app, site, context)
      return result.rejected > 0 ? 3 : 0
    })
  },
})

function printResult(
  io: Io,
  result: ImportAnswersResult,
  args: { readonly 'dry-run': boolean; readonly replace: boolean; readonly rejects: string | undefined },
): void {
  const replaced = args.replace ? (['replaced'] as const) : []
  printTotals(io, ['records', 'imported', ...replaced, 'duplicates', 'no_answer', 'rejected'], result.files)
  printRejections(io.stdout, result, args.rejects)
  const { prompts_created, competitors_discovered, citations_dropped, imported, judged } = result
  if (result.replaced > 0) printNote(io, `judged: ${judged} of those imported or replaced`)
  else if (imported > 0) printNote(io, `judged: ${judged} of ${countOf(imported, 'imported answer')}`)
  if (prompts_created > 0) printNote(io, `tracked from now on: ${countOf(prompts_created, 'new prompt')}`)
  if (competitors_discovered > 0) {
    printNote(io, `${countOf(competitors_discovered, 'unknown brand')} found; see: answerlake competitors list`)
  }
  if (citations_dropped > 0) printNote(io, `left out: ${countOf(citations_dropped, 'link')} without an http(s) URL`)
  for (const warning of result.warnings) printNote(io, `note: ${warning}`)
  if (args['dry-run']) printNote(io, 'This was a dry run: nothing was imported.')
}
