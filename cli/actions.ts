import { CARD_FILTERS, type ActionCard } from '../src/domain/action-card.ts'
import { presentCard } from '../src/http/present.ts'
import { defineCommand, defineGroup, JSON_FLAG, SITE_FLAG } from './command.ts'
import { printJson, type Io } from './io.ts'
import { printTable } from './table.ts'
import { withSite } from './with-catalog.ts'

const CARD = {
  ...SITE_FLAG,
  card: { type: 'positional', required: true, valueHint: 'CARD_ID', description: 'id of the card' },
  ...JSON_FLAG,
} as const

const list = defineCommand({
  summary: 'List the cards of a site, by impact, then newest first',
  args: {
    ...SITE_FLAG,
    status: { type: 'enum', options: CARD_FILTERS, default: 'open', description: 'all has the dismissed ones too' },
    ...JSON_FLAG,
  },
  examples: ['actions list --site acme.com', 'actions list --site acme.com --status all --json'],
  run: (context) =>
    withSite(context, context.args.site, (catalog, site) => {
      const { args, io } = context
      const cards = catalog.cards.list(site.id, args.status)
      if (args.json) printJson(io, { data: cards.map(presentCard) })
      else printAll(io, cards)
    }),
})

const dismiss = defineCommand({
  summary: 'Put an open card away; the same finding does not come back',
  args: CARD,
  examples: ['actions dismiss --site acme.com CARD_ID'],
  run: (context) =>
    withSite(context, context.args.site, (catalog, site) =>
      printOne(context.io, catalog.cards.dismiss(site.id, context.args.card), context.args.json),
    ),
})

const reopen = defineCommand({
  summary: 'Open a done or dismissed card again; a measured outcome is dropped',
  args: CARD,
  examples: ['actions reopen --site acme.com CARD_ID'],
  run: (context) =>
    withSite(context, context.args.site, (catalog, site) =>
      printOne(context.io, catalog.cards.reopen(site.id, context.args.card), context.args.json),
    ),
})

export const actions = defineGroup({
  summary: 'The Action Center: recommendations with a measured outcome',
  commands: { list, dismiss, reopen },
  examples: ['actions list --site acme.com', 'actions dismiss --site acme.com CARD_ID'],
})

function printOne(io: Io, card: ActionCard, json: boolean): void {
  if (json) printJson(io, presentCard(card))
  else printAll(io, [card])
}

function printAll(io: Io, cards: readonly ActionCard[]): void {
  printTable(
    io,
    ['id', 'status', 'impact', 'effort', 'category', 'title', 'why', 'outcome'],
    cards.map((card) => [
      card.id,
      card.status,
      card.impact,
      card.effort,
      card.category,
      card.title,
      card.why,
      card.outcome === null ? null : (card.outcome.verdict ?? `measured on ${card.outcome.resultDue.slice(0, 10)}`),
    ]),
  )
}
