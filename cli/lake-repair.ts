import { UsageError } from '../src/errors.ts'
import type { RepairResult } from '../src/maintenance/repair.ts'
import { defineCommand, JSON_FLAG } from './command.ts'
import { type Io, printJson, printLine, printNote } from './io.ts'
import { nameSites } from './site-domains.ts'
import { printTable } from './table.ts'
import { withApp } from './with-app.ts'
import { countOf } from './format.ts'

export const repair = defineCommand({
  summary: 'Give up a damaged or missing file, and leave the others right',
  notes: [
    'Without the file the reports that need it answer with 503; with this they answer again, without what was in it. Try `restore` first.',
    'Mentions and the names of hosts and pages are derived again from what is left. An answer whose text is lost goes with its mentions and sources; answers of the days of lost sources go too, since nobody can tell which of them had some, unless --keep-answers. Import the same files again to get lost answers back. Hits and visits can not be imported again: their logs count as read.',
    'Where another file that is needed is damaged too, name both: --drop FILE --drop FILE.',
  ],
  args: {
    drop: {
      type: 'string',
      multiple: true,
      required: true,
      valueHint: 'FILE',
      description: 'file to give up, as `lake verify` names it',
    },
    'keep-answers': { type: 'boolean', description: 'keep answers whose sources are lost, as answers without sources' },
    'dry-run': { type: 'boolean', description: 'say what would be lost, change nothing' },
    ...JSON_FLAG,
  },
  examples: ['lake repair --drop answers/SITE_ID/2026-11/FILE.parquet --dry-run'],
  async run(context) {
    const { args, io, signal } = context
    if (args.drop.length === 0) throw new UsageError('--drop is missing')
    const { repairLake } = await import('../src/maintenance/repair.ts')
    const { result, toDomain } = await withApp(context, async (app) => ({
      result: await repairLake(app.change, {
        files: args.drop,
        keepsAnswers: args['keep-answers'],
        isDryRun: args['dry-run'],
        signal,
        onWait: () => printNote(io, 'waiting for an import'),
      }),
      toDomain: nameSites(app.catalog),
    }))
    if (args.json) return printJson(io, { ...result, dry_run: args['dry-run'] })
    printResult(io, result, toDomain)
    if (args['dry-run']) printNote(io, 'This was a dry run: nothing was changed.')
  },
})

function printResult(io: Io, { dropped, lost, rebuilt }: RepairResult, toDomain: (siteId: string) => string): void {
  printTable(
    io,
    ['lost', 'site', 'from', 'to', 'rows'],
    dropped.map((file) => [file.dataset, toDomain(file.site_id), file.first_day, file.last_day, file.rows]),
  )
  for (const { dataset, month, rows } of lost) {
    printLine(io, `${dataset} of ${month}: ${countOf(rows, 'row')} of the others went too, they would be wrong alone`)
  }
  for (const { dataset, month } of rebuilt) {
    printLine(io, `${dataset}${month === 'all' ? '' : ` of ${month}`}: derived again from what is left`)
  }
}
