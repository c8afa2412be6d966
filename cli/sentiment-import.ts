import { defineCommand, JSON_FLAG, SITE_FLAG } from './command.ts'
import { IMPORT_FLAGS, openImportProgress, printRejections, printTotals, tellImport } from './import-output.ts'
import { printNote } from './io.ts'
import { maintainAfterImport } from './automatic-maintenance.ts'
import { refuseDataDirectory } from './output-file.ts'
import { withAppAndSite } from './with-app.ts'
import { countOf } from './format.ts'

export const importSentiment = defineCommand({
  summary: 'Set the sentiment of stored answers from records with their ids',
  notes: [
    'Files hold NDJSON with a record {"id", "sentiment"} a line, plain, gzip or zstd; - is standard input. The sentiment is positive, neutral, negative, or null for not judged. A record may name its judge.',
    'Files that `sentiment judge` keeps in scans/DAY/judgements are taken too.',
    'Of several records of one answer the last one counts, and importing a file again changes nothing. Exits 3 when records were rejected, those without a stored answer too; the others count.',
  ],
  args: { ...SITE_FLAG, ...IMPORT_FLAGS, ...JSON_FLAG },
  examples: ['sentiment import --site acme.com judged.ndjson', 'sentiment import --site acme.com --dry-run -'],
  async run(context) {
    const { args, io, clock, signal } = context
    await refuseDataDirectory('--rejects', args.rejects, context.dataDir)
    const { importSentiment: importFiles } = await import('../src/import-answers/import-sentiment.ts')
    const progress = openImportProgress(io, clock)
    return withAppAndSite(context, args.site, async (app, site) => {
      const result = await importFiles(app.change, {
        site,
        files: args.files,
        dryRun: args['dry-run'],
        strict: args.strict,
        ...(args.rejects === undefined ? {} : { rejectsFile: args.rejects }),
        stdin: io.stdin,
        signal,
        onProgress: ({ file, readBytes, totalBytes, records }) =>
          progress.report({ done: readBytes, total: totalBytes, note: `${file}: ${countOf(records, 'record')}` }),
        onWait: () => printNote(io, 'waiting for another change of this site'),
      }).finally(() => progress.close())
      await tellImport(io, args, {
        result,
        noun: 'record',
        print() {
          printTotals(io, ['records', 'changed', 'unchanged', 'rejected'], result.files)
          printRejections(io.stdout, result, args.rejects)
          printNote(io, `judged: ${result.judged} of ${countOf(result.answers, 'stored answer')}`)
          if (args['dry-run']) printNote(io, 'This was a dry run: nothing was changed.')
        },
      })
      if (result.changed > 0 && result.snapshot !== null) await maintainAfterImport(app, site, context)
      return result.rejected > 0 ? 3 : 0
    })
  },
})
