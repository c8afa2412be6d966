import { VERSION } from '../src/version.ts'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { BotDocument, BotRange } from '../src/catalog/bot-ranges.ts'
import type { Catalog } from '../src/catalog/catalog.ts'
import { CommandError, UsageError } from '../src/errors.ts'
import type { FetchedDocuments } from '../src/import-logs/bot-ranges.ts'
import type { Bot, RangesDocument } from '../src/reference/bots.ts'
import { defineCommand, defineGroup, JSON_FLAG, type Context } from './command.ts'
import { printJson, printLine, printNote } from './io.ts'
import { printTable, toMinute } from './table.ts'
import { withCatalog } from './with-catalog.ts'
import { countOf } from './format.ts'

const list = defineCommand({
  summary: 'List the known bots and the state of their address ranges',
  notes: ['RANGES is the number of loaded address ranges; "none published" means that no hit can be verified.'],
  args: JSON_FLAG,
  examples: ['bots list', 'bots list --json'],
  async run(context) {
    const { listBots } = await import('../src/reference/bots.ts')
    const loaded = await listLoaded(context)
    const bots = listBots().map((bot) => toBotJson(bot, loaded))
    if (context.args.json) return printJson(context.io, { data: bots })
    printTable(
      context.io,
      ['bot', 'provider', 'type', 'ranges', 'loaded'],
      bots.map((bot) => [
        bot.bot_name,
        bot.bot_provider,
        bot.bot_type,
        bot.ranges_url === null ? 'none published' : String(bot.ranges?.prefixes ?? 'not loaded'),
        toMinute(bot.ranges?.last_loaded_at ?? null),
      ]),
    )
  },
})

const update = defineCommand({
  summary: 'Renew the address ranges by which bots are verified',
  notes: [
    "Without --from the documents are fetched from the providers' URLs. On a machine without internet put them into a directory as <bot_name>.json (GPTBot.json); one file serves every bot that shares the document, and bots without a file keep what they had.",
    'A malformed document changes nothing and exits 1. A provider that cannot be reached is left as it was and exits 3.',
  ],
  args: {
    from: { type: 'string', valueHint: 'DIR', description: 'directory of documents instead of the internet' },
    ...JSON_FLAG,
  },
  examples: ['bots update', 'bots update --from ranges/'],
  async run(context) {
    const { args, io, clock } = context
    const { listRangesDocuments } = await import('../src/reference/bots.ts')
    const { saveRanges } = await import('../src/import-logs/bot-ranges.ts')
    const { loaded, unreachable } = await load(context, listRangesDocuments())
    await withCatalog(context, (catalog) => saveRanges(catalog, loaded, clock), { create: true })
    const updated = loaded.map(({ document, prefixes }) => ({
      document_url: document.url,
      bots: document.bots.map(({ name }) => name),
      prefixes: prefixes.length,
    }))
    const failed = unreachable.map(({ document, reason }) => ({ document_url: document.url, reason }))
    if (args.json) printJson(io, { updated, unreachable: failed })
    else {
      printTable(
        io,
        ['bots', 'ranges', 'document'],
        updated.map((document) => [document.bots.join(', '), document.prefixes, document.document_url]),
      )
    }
    for (const { document_url, reason } of failed) printNote(io, `not reached: ${document_url}: ${reason}`)
    return failed.length === 0 ? 0 : 3
  },
})

const forget = defineCommand({
  summary: 'Take back the address ranges that were loaded for a bot, those of earlier documents too',
  notes: [
    'For ranges that were loaded by mistake: a range once loaded verifies for ever otherwise. Goes for every bot that shares the document. Hits imported before stay as they were judged; later ones are unverifiable until `answerlake bots update` loads the ranges again, and ranges that were published at an earlier time are lost: hence --yes.',
  ],
  args: {
    bot: {
      type: 'positional',
      required: true,
      valueHint: 'BOT',
      description: 'name of the bot, as `bots list` has it',
    },
    yes: { type: 'boolean', description: 'needed: what is forgotten can not be had back' },
    ...JSON_FLAG,
  },
  examples: ['bots forget GPTBot --yes'],
  async run(context) {
    const { args, io } = context
    const { findBotByName, botsOfDocument } = await import('../src/reference/bots.ts')
    const url = findBotByName(args.bot)?.rangesUrl
    if (url === undefined) throw new CommandError(`There is no bot "${args.bot}". \`answerlake bots list\` shows them.`)
    if (url === null) throw new CommandError(`No ranges are published for ${args.bot}, so none were loaded.`)
    const names = botsOfDocument(url).map(({ name }) => name)
    if (!args.yes) {
      throw new UsageError(
        `the ranges of ${names.join(', ')} would be forgotten, those published at earlier times for good; add --yes`,
      )
    }
    const prefixes = await withCatalog(context, (catalog) => catalog.botRanges.forgetDocument(url))
    if (args.json) return printJson(io, { document_url: url, bots: names, prefixes })
    printLine(io, `${countOf(prefixes, 'range')} of ${names.join(', ')} forgotten`)
  },
})

export const bots = defineGroup({
  summary: 'The catalogue of crawlers and the address ranges that verify them',
  commands: { list, update, forget },
  examples: ['bots list', 'bots update --from ranges/'],
})

type UpdateContext = Pick<Context, 'signal' | 'io'> & { readonly args: { readonly from: string | undefined } }

async function load(
  { args, signal, io }: UpdateContext,
  documents: readonly RangesDocument[],
): Promise<FetchedDocuments> {
  const { fetchRanges, readRanges } = await import('../src/import-logs/bot-ranges.ts')
  if (args.from !== undefined) {
    const { loaded, ignored } = await readRanges(documents, args.from, signal)
    for (const name of ignored) printNote(io, `ignored: ${name} is named after no bot with published ranges`)
    return { loaded, unreachable: [] }
  }
  const fetched = await fetchRanges(documents, { userAgent: `answerlake/${VERSION}`, signal })
  if (fetched.loaded.length > 0) return fetched
  throw new CommandError(
    `No provider could be reached (${fetched.unreachable[0]?.reason ?? 'no document'}). On a machine without internet use --from DIR.`,
  )
}

interface LoadedRanges {
  readonly documents: readonly BotDocument[]
  readonly ranges: readonly BotRange[]
}

/** Without a data directory nothing was loaded: the catalogue can still be looked at. */
function listLoaded(context: Context): Promise<LoadedRanges> | LoadedRanges {
  if (isMissing(join(context.dataDir, 'catalog.sqlite'))) return { documents: [], ranges: [] }
  return withCatalog(context, (catalog: Catalog) => ({
    documents: catalog.botRanges.listDocuments(),
    ranges: catalog.botRanges.list(),
  }))
}

/** False for what can't be seen: opening it says why. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

function toBotJson(bot: Bot, { documents, ranges }: LoadedRanges) {
  const document = documents.find(({ documentUrl }) => documentUrl === bot.rangesUrl)
  return {
    bot_name: bot.name,
    bot_provider: bot.provider,
    bot_type: bot.type,
    tokens: bot.tokens,
    documentation_url: bot.documentationUrl,
    ranges_url: bot.rangesUrl,
    ranges:
      document === undefined
        ? null
        : {
            prefixes: ranges.filter(({ documentUrl }) => documentUrl === document.documentUrl).length,
            first_loaded_at: document.firstLoadedAt,
            last_loaded_at: document.lastLoadedAt,
          },
  }
}
