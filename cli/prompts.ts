import { CATEGORIES, PROMPT_STATUSES } from '../src/domain/enums.ts'
import type { NewPrompt } from '../src/catalog/prompts.ts'
import { toPromptText, type Prompt } from '../src/domain/prompt.ts'
import { CommandError } from '../src/errors.ts'
import { presentPrompt } from '../src/http/present.ts'
import { defineCommand, defineGroup, JSON_FLAG, SITE_FLAG } from './command.ts'
import { ID_FORM } from './flags.ts'
import { printJson, printLine } from './io.ts'
import { printPrompts } from './print-prompts.ts'
import { disable, enable, set } from './prompt-changes.ts'
import { readOperand, toInputName } from './read-operand.ts'
import { countOf } from './format.ts'
import { withSite } from './with-catalog.ts'

const add = defineCommand({
  summary: 'Track a prompt',
  args: {
    ...SITE_FLAG,
    text: { type: 'string', required: true, valueHint: 'TEXT', description: 'the question, exactly as it is asked' },
    category: { type: 'enum', required: true, options: CATEGORIES, description: 'what kind of question it is' },
    market: { type: 'string', valueHint: 'MARKET', description: "location it is asked for; the site's own by default" },
    id: { type: 'string', valueHint: 'ID', form: ID_FORM, description: 'an id of your own' },
    ...JSON_FLAG,
  },
  examples: ['prompts add --site acme.com --text "best project tool for small teams" --category Discovery'],
  run: (context) =>
    withSite(context, context.args.site, (catalog, site) => {
      const { args, io } = context
      const { id, text, category, market } = args
      const [prompt] = catalog.prompts.add(site.id, [{ id, text, category, market }]).added
      if (prompt === undefined) return
      if (args.json) printJson(io, presentPrompt(prompt))
      else printPrompts(io, [prompt])
    }),
})

const importPrompts = defineCommand({
  summary: 'Track the prompts of a CSV file, all or none',
  notes: [
    'The file begins with a header line. Columns: text and category (required), market, id, status (active or disabled); others are ignored. A prompt that the site already has is left as it is.',
    '- reads standard input.',
  ],
  args: {
    ...SITE_FLAG,
    file: {
      type: 'positional',
      required: true,
      valueHint: 'FILE.csv',
      description: 'CSV file, or - for standard input',
    },
    ...JSON_FLAG,
  },
  examples: ['prompts import --site acme.com prompts.csv'],
  async run(context) {
    const { args, io } = context
    const { parsePrompts } = await import('./prompts-csv.ts')
    const given = parsePrompts(await readOperand(args.file, io), toInputName(args.file))
    await withSite(context, args.site, (catalog, site) => {
      const { added, existing } = refusingFor(toInputName(args.file), () =>
        catalog.transaction(() => {
          const result = catalog.prompts.add(site.id, given, { existing: 'keep' })
          refuseOtherIds(given, result.existing)
          return result
        }),
      )
      if (args.json) {
        return printJson(io, {
          site_id: site.id,
          file: args.file,
          imported: added.length,
          existing: existing.length,
          data: added.map(presentPrompt),
        })
      }
      printLine(io, `${countOf(added.length, 'prompt')} imported, ${existing.length} already there`)
    })
  },
})

const list = defineCommand({
  summary: 'List the prompts of a site, oldest first',
  args: {
    ...SITE_FLAG,
    status: { type: 'enum', options: PROMPT_STATUSES, description: 'only those' },
    category: { type: 'enum', options: CATEGORIES, description: 'only those' },
    ...JSON_FLAG,
  },
  examples: ['prompts list --site acme.com', 'prompts list --site acme.com --status active --json'],
  run: (context) =>
    withSite(context, context.args.site, (catalog, site) => {
      const { args, io } = context
      const { prompts, total } = catalog.prompts.list(site.id, { status: args.status, category: args.category })
      if (!args.json) return printPrompts(io, prompts)
      const info = { count: prompts.length, total_results: total, next_cursor: null }
      printJson(io, { info, data: prompts.map(presentPrompt) })
    }),
})

export const prompts = defineGroup({
  summary: 'The questions that are tracked',
  commands: { add, import: importPrompts, list, set, disable, enable },
  examples: ['prompts import --site acme.com prompts.csv', 'prompts list --site acme.com'],
})

/** Puts the file's name before what the catalog has against its prompts. */
function refusingFor<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause
    throw new CommandError(`${file} was not imported: ${cause.message}`, { cause })
  }
}

/** A prompt that is there under another id would leave the file's id unknown to every later import. */
function refuseOtherIds(given: readonly NewPrompt[], existing: readonly Prompt[]): void {
  const ids = new Map(given.map((prompt) => [toPromptText(prompt.text), prompt.id]))
  for (const { id, text } of existing) {
    const other = ids.get(text)
    if (other !== undefined && other !== id) {
      throw new CommandError(`The site has the prompt "${text}" as ${id}, the file as ${other}.`)
    }
  }
}
