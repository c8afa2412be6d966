import { CommandError } from '../src/errors.ts'
import type { Bot } from '../src/reference/bots.ts'
import { defineCommand, defineGroup } from './command.ts'
import { DELETION_FLAGS, requireSelection, runDeletion } from './deletion.ts'
import { countOf } from './format.ts'
import { type Io, printNote } from './io.ts'
import { withAppAndSite } from './with-app.ts'

const remove = defineCommand({
  summary: 'Delete bot hits and visits of a site, for good',
  notes: [
    'Takes the hits and visits that fit every flag given: days (UTC, both included), a path, a bot, which means hits alone. The hosts of lines are not kept, so they cannot be asked for.',
    'The logs still count as read: importing them again brings nothing back. On a terminal the domain is asked for; without one --yes is needed.',
  ],
  args: {
    ...DELETION_FLAGS,
    path: {
      type: 'string',
      valueHint: 'PATH',
      description: 'of this path, as the reports show it; with a * at its end of all that begin so',
    },
    bot: { type: 'string', valueHint: 'BOT', description: 'hits of this bot, as `bots list` names it' },
  },
  examples: [
    'logs delete --site acme.com --from 2026-01-01 --to 2026-01-31 --dry-run',
    'logs delete --site acme.com --path "/internal/*" --yes',
  ],
  async run(context) {
    const { args } = context
    const { deleteLogs } = await import('../src/maintenance/delete-logs.ts')
    const { from, to, path } = args
    hintPath(context.io, path)
    const selection = { from, to, path, bot: await findBot(args.bot) }
    requireSelection(selection, args.all, '--from, --to, --path, --bot')
    await withAppAndSite(context, args.site, (app, site) =>
      runDeletion(context, {
        app,
        site,
        remove: (options) => deleteLogs(app.change, { site, selection, ...options }),
        tell: ({ bot_hits, visits }) => `${countOf(bot_hits, 'bot hit')} and ${countOf(visits, 'visit')}`,
      }),
    )
  },
})

export const logs = defineGroup({
  summary: 'Stored bot hits and visits',
  commands: { delete: remove },
  examples: ['logs delete --site acme.com --to 2025-12-31 --dry-run'],
})

/** Why a path may be one that no report shows. */
function hintPath(io: Pick<Io, 'stderr'>, path: string | undefined): void {
  if (path === undefined) return
  const [kept = ''] = path.split('?')
  if (kept !== path) printNote(io, `Paths are kept without what follows a ?: try --path ${kept || '/'}`)
  if (!kept.startsWith('/') && path !== '*') printNote(io, `Paths begin with a slash: try --path /${kept}`)
}

async function findBot(name: string | undefined): Promise<Bot | undefined> {
  if (name === undefined) return undefined
  const { findBotByName } = await import('../src/reference/bots.ts')
  const bot = findBotByName(name)
  if (bot) return bot
  throw new CommandError(`There is no bot "${name}". \`answerlake bots list\` shows them.`)
}
