import type { Catalog } from '../src/catalog/catalog.ts'
import { toMarket } from '../src/catalog/operator-input.ts'
import { CATEGORIES, type PromptStatus } from '../src/domain/enums.ts'
import type { Prompt } from '../src/domain/prompt.ts'
import type { Site } from '../src/domain/site.ts'
import { ApiError, CommandError } from '../src/errors.ts'
import { presentPrompt } from '../src/http/present.ts'
import { type Context, defineCommand, JSON_FLAG, type Outcome, SITE_FLAG, type Values } from './command.ts'
import { requireChange } from './flags.ts'
import { countOf } from './format.ts'
import { type Io, printJson, printNote } from './io.ts'
import { printPrompts } from './print-prompts.ts'
import { withSite } from './with-catalog.ts'

const NAMED = {
  ...SITE_FLAG,
  prompts: {
    type: 'positional',
    required: true,
    multiple: true,
    valueHint: 'PROMPT',
    description: 'its id, or its exact text',
  },
  'dry-run': { type: 'boolean', description: 'say what would change, change nothing' },
  ...JSON_FLAG,
} as const

const UNKNOWN_NOTE = 'Exits 3 when the site has no such prompt as one of those named; the others change.'

export const disable = defineCommand({
  summary: 'Ask prompts no more; their history stays in every report',
  notes: [UNKNOWN_NOTE],
  args: NAMED,
  examples: ['prompts disable --site acme.com p1 p2', 'prompts disable --site acme.com "what is Acme"'],
  run: (context) => changeStatus(context, 'disabled'),
})

export const enable = defineCommand({
  summary: 'Ask disabled prompts again: all of them, or none when the plan allows fewer',
  notes: [UNKNOWN_NOTE],
  args: NAMED,
  examples: ['prompts enable --site acme.com p1'],
  run: (context) => changeStatus(context, 'active'),
})

export const set = defineCommand({
  summary: "Change the category or market of prompts; reports follow at once, a prompt's text never changes",
  notes: ["--market '' takes the market away: the site's own holds then.", UNKNOWN_NOTE],
  args: {
    ...NAMED,
    category: { type: 'enum', options: CATEGORIES, description: 'what kind of question it is' },
    market: { type: 'string', mayBeEmpty: true, valueHint: 'MARKET', description: 'location it is asked for' },
  },
  examples: [
    'prompts set --site acme.com p1 p2 --category Comparison',
    'prompts set --site acme.com p1 --market Berlin',
  ],
  run(context) {
    const { args, io } = context
    const change = { category: args.category, market: args.market === undefined ? undefined : toMarket(args.market) }
    requireChange(change, '--category, --market')
    return withSite(context, args.site, (catalog, site) => {
      const { ids, notFound } = findPrompts(catalog, site, args.prompts)
      const dryRun = args['dry-run']
      const changes = ids.map((id) => ({ id, ...change }))
      const { prompts } = catalog.prompts.update(site.id, changes, { dryRun })
      if (args.json) printJson(io, { dry_run: dryRun, not_found: notFound, data: prompts.map(presentPrompt) })
      else printAfter(io, { prompts, notFound, dryRun })
      return toOutcome(notFound)
    })
  },
})

function changeStatus(
  context: Context & { readonly args: Values<typeof NAMED> },
  status: PromptStatus,
): Promise<Outcome> {
  const { args, io } = context
  return withSite(context, args.site, (catalog, site) => {
    const { ids, notFound } = findPrompts(catalog, site, args.prompts)
    const dryRun = args['dry-run']
    const { changed, unchanged } = withAdvice(site, () => catalog.prompts.setStatus(site.id, ids, status, { dryRun }))
    if (args.json) {
      printJson(io, { dry_run: dryRun, changed, unchanged, not_found: notFound })
      return toOutcome(notFound)
    }
    const prompts = catalog.prompts.listByIds(site.id, ids).map((prompt) => ({ ...prompt, status }))
    printAfter(io, { prompts, notFound, dryRun })
    const others = unchanged.length === 0 ? '' : `, ${unchanged.length} unchanged`
    printNote(io, `${countOf(changed.length, 'prompt')} ${status === 'active' ? 'enabled' : status}${others}`)
    return toOutcome(notFound)
  })
}

/** Each prompt once, in the order in which it was named first. */
function findPrompts(
  catalog: Catalog,
  site: Site,
  named: readonly string[],
): { ids: readonly string[]; notFound: readonly string[] } {
  const ids = new Set<string>()
  const notFound = new Set<string>()
  for (const name of named) {
    const prompt = catalog.prompts.listByIds(site.id, [name])[0] ?? catalog.prompts.findByText(site.id, name)
    if (prompt) ids.add(prompt.id)
    else notFound.add(name)
  }
  return { ids: [...ids], notFound: [...notFound] }
}

/** Says what an operator can do where the API's caller can do nothing. */
function withAdvice<T>({ organizationId }: Site, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== 'prompt_limit_reached') throw cause
    const advice = `Disable others, or raise the cap: \`answerlake orgs set ${organizationId} --prompt-limit N\`.`
    throw new CommandError(`${cause.message} ${advice}`, { cause })
  }
}

function printAfter(
  io: Io,
  { prompts, notFound, dryRun }: { prompts: readonly Prompt[]; notFound: readonly string[]; dryRun: boolean },
): void {
  printPrompts(io, prompts)
  for (const name of notFound) {
    printNote(io, `The site has no prompt "${name}". \`answerlake prompts list\` shows them.`)
  }
  if (dryRun) printNote(io, 'This was a dry run: nothing was changed.')
}

function toOutcome(notFound: readonly string[]): Outcome {
  return notFound.length === 0 ? 0 : 3
}
