import type { App } from '../src/app.ts'
import { ENGINE_IDS } from '../src/domain/enums.ts'
import type { Prompt } from '../src/domain/prompt.ts'
import type { Site } from '../src/domain/site.ts'
import { CommandError } from '../src/errors.ts'
import { defineCommand, defineGroup } from './command.ts'
import { DELETION_FLAGS, requireSelection, runDeletion } from './deletion.ts'
import { countOf } from './format.ts'
import { withAppAndSite } from './with-app.ts'

const remove = defineCommand({
  summary: 'Delete answers of a site with everything that hangs on them, for good',
  notes: [
    'Takes the answers and no_answers that fit every flag given: days (UTC, both included), prompts, an engine. Prompts stay; a discovered competitor goes with the last answer that named it. The reports show it at once; the files go when the grace for readers of older snapshots is over, or at once with `lake gc --grace 0`.',
    'Importing the same records again brings them back. On a terminal the domain is asked for; without one --yes is needed.',
  ],
  args: {
    ...DELETION_FLAGS,
    prompt: {
      type: 'string',
      multiple: true,
      valueHint: 'PROMPT',
      description: 'of this prompt, by its id or exact text; may be repeated',
    },
    platform: { type: 'enum', options: ENGINE_IDS, description: 'of this engine' },
  },
  examples: [
    'answers delete --site acme.com --from 2026-01-01 --to 2026-03-31 --dry-run',
    'answers delete --site acme.com --prompt "what is Acme" --platform copilot --yes',
  ],
  async run(context) {
    const { args } = context
    const { deleteAnswers } = await import('../src/maintenance/delete-answers.ts')
    await withAppAndSite(context, args.site, (app, site) => {
      const { from, to, platform } = args
      const prompts = args.prompt.length === 0 ? undefined : args.prompt.map((name) => findPrompt(app, site, name))
      const selection = { from, to, prompts, platform }
      requireSelection(selection, args.all, '--from, --to, --prompt, --platform')
      return runDeletion(context, {
        app,
        site,
        remove: (options) => deleteAnswers(app.change, { site, selection, ...options }),
        tell: ({ answers, no_answers, mentions, citations }) =>
          `${countOf(answers, 'answer')} and ${countOf(no_answers, 'no_answer')} with ${countOf(mentions, 'mention')} and ${countOf(citations, 'citation')}`,
      })
    })
  },
})

export const answers = defineGroup({
  summary: 'Stored answers',
  commands: { delete: remove },
  examples: ['answers delete --site acme.com --to 2025-12-31 --dry-run'],
})

function findPrompt({ catalog }: App, site: Site, name: string): Prompt {
  const prompt = catalog.prompts.listByIds(site.id, [name])[0] ?? catalog.prompts.findByText(site.id, name)
  if (prompt) return prompt
  throw new CommandError(`The site has no prompt "${name}". \`answerlake prompts list\` shows them.`)
}
