import type { App } from '../src/app.ts'
import type { Site } from '../src/domain/site.ts'
import { UsageError } from '../src/errors.ts'
import type { DayBounds } from '../src/lake/maintain/row-removal.ts'
import { maintainAfterImport } from './automatic-maintenance.ts'
import { type Context, JSON_FLAG, SITE_FLAG, type Values } from './command.ts'
import { confirmDeletion, YES_FLAG } from './confirmation.ts'
import { DAY_FORM } from './flags.ts'
import { printJson, printLine, printNote } from './io.ts'
import { toShownDomain } from './shown-domain.ts'

/** Flags of commands that delete a part of a site's data, beside those that say which. */
export const DELETION_FLAGS = {
  ...SITE_FLAG,
  from: { type: 'string', valueHint: 'DAY', form: DAY_FORM, description: 'from this day on' },
  to: { type: 'string', valueHint: 'DAY', form: DAY_FORM, description: 'until this day' },
  all: { type: 'boolean', description: 'everything, where no other flag says which' },
  'dry-run': { type: 'boolean', description: 'count what would be deleted, change nothing' },
  ...YES_FLAG,
  ...JSON_FLAG,
} as const

export interface Deletion<R> {
  readonly app: App
  readonly site: Site
  /** Deletes, or counts what it would delete. */
  readonly remove: (options: { dryRun: boolean; signal: AbortSignal; onWait: () => void }) => Promise<R>
  /** The counts in words. */
  readonly tell: (result: R) => string
}

/** Nothing is deleted because a flag was forgotten, and nothing stays because two were swapped. */
export function requireSelection(selection: DayBounds, isAll: boolean, flags: string): void {
  const { from, to } = selection
  if (from !== undefined && to !== undefined && from > to) throw new UsageError(`--from ${from} is after --to ${to}`)
  const isSelected = Object.values(selection).some((value) => value !== undefined)
  if (!isSelected && !isAll) throw new UsageError(`say what to delete: ${flags}, or --all for everything`)
  if (isSelected && isAll) throw new UsageError(`--all goes with none of ${flags}`)
}

/** Asks where that is due, deletes, tells what is gone, and looks after the lake. */
export async function runDeletion<R extends object>(
  context: Context & { readonly args: Values<typeof DELETION_FLAGS> },
  { app, site, remove, tell }: Deletion<R>,
): Promise<void> {
  const { args, io, signal } = context
  const dryRun = args['dry-run']
  const onWait = (): void => printNote(io, 'waiting for another change of this site')
  if (!dryRun) {
    const domain = toShownDomain(site.domain)
    await confirmDeletion(context, {
      isGiven: args.yes,
      names: [domain, site.domain],
      describe: async () =>
        `This deletes ${tell(await remove({ dryRun: true, signal, onWait }))} of ${domain} for good.`,
    })
  }
  const result = await remove({ dryRun, signal, onWait })
  if (args.json) printJson(io, { ...result, dry_run: dryRun })
  else printLine(io, `${tell(result)} ${dryRun ? 'would be deleted' : 'deleted'}`)
  if (dryRun) return printNote(io, 'This was a dry run: nothing was changed.')
  await maintainAfterImport(app, site, context)
}
