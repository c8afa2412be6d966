import type { UndoResult } from '../src/maintenance/undo.ts'
import { maintainAfterImport } from './automatic-maintenance.ts'
import { defineCommand, JSON_FLAG } from './command.ts'
import { countOf } from './format.ts'
import { type Io, printJson, printLine, printNote } from './io.ts'
import { withApp } from './with-app.ts'

export const undo = defineCommand({
  summary: 'Take an import back, as if it had never been made',
  notes: [
    'Importing the same files again counts them again. Prompts and competitors that the import made go too, where nothing else uses them and nobody decided anything about them.',
    'Answers and judgements can be taken back at any time, logs for undo_window (30d) at least. A log import that a later one went on from is refused until that one is taken back.',
  ],
  args: {
    id: { type: 'positional', required: true, valueHint: 'ID', description: 'id of the import, from `import list`' },
    'dry-run': { type: 'boolean', description: 'say what would go, change nothing' },
    ...JSON_FLAG,
  },
  examples: ['import undo imp_01kx3m9y7d0c5v8q2n4r6t1w3z --dry-run'],
  async run(context) {
    const { args, io, signal } = context
    const { undoImport } = await import('../src/maintenance/undo.ts')
    await withApp(context, async (app) => {
      const result = await undoImport(app.change, {
        id: args.id,
        dryRun: args['dry-run'],
        signal,
        onWait: () => printNote(io, 'waiting for another change of this site'),
      })
      if (args.json) printJson(io, result)
      else printResult(io, result)
      if (args['dry-run']) printNote(io, 'This was a dry run: nothing was changed.')
      else await maintainAfterImport(app, app.catalog.sites.get(result.site_id), context)
    })
  },
})

/** What is counted, by one and by several. */
const NOUNS = {
  answers: ['answer', 'answers'],
  no_answers: ['question without an answer', 'questions without an answer'],
  mentions: ['mention', 'mentions'],
  citations: ['citation', 'citations'],
  judgements: ['judgement', 'judgements'],
  bot_hits: ['bot hit', 'bot hits'],
  visits: ['visit', 'visits'],
  prompts_removed: ['prompt', 'prompts'],
  competitors_removed: ['competitor', 'competitors'],
} as const

function printResult(io: Io, result: UndoResult): void {
  const counts = Object.entries(NOUNS).flatMap(([name, [one, several]]) => {
    const count = result[name as keyof typeof NOUNS]
    return count === 0 ? [] : [countOf(count, one, several)]
  })
  printLine(
    io,
    `${result.import_id}: ${counts.length === 0 ? 'nothing was left of it' : `${counts.join(', ')} taken back`}`,
  )
  for (const warning of result.warnings) printNote(io, `note: ${warning}`)
}
