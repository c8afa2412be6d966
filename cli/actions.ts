import type { Actions } from '../src/actions/actions.ts'
import { CARD_FILTERS, type ActionCard } from '../src/domain/action-card.ts'
import type { Site } from '../src/domain/site.ts'
import { presentCard } from '../src/http/present.ts'
import { defineCommand, defineGroup, JSON_FLAG, SITE_FLAG, type Context, type Values } from './command.ts'
import { printJson, printLine, type Io } from './io.ts'
import { printRecord, printTable, toMinute } from './table.ts'
import { withAppAndSite } from './with-app.ts'
import { countOf } from './format.ts'

const CARD = {
  ...SITE_FLAG,
  card: { type: 'positional', required: true, valueHint: 'CARD_ID', description: 'id of the card' },
  ...JSON_FLAG,
} as const

const list = defineCommand({
  summary: 'List the cards of a site, by impact, then newest first',
  notes: ['--json has all of a card: the evidence, what to do, the prompts and engines it is about, the outcome.'],
  args: {
    ...SITE_FLAG,
    status: { type: 'enum', options: CARD_FILTERS, default: 'open', description: 'all has the dismissed ones too' },
    ...JSON_FLAG,
  },
  examples: ['actions list --site acme.com', 'actions list --site acme.com --status all --json'],
  run: (context) =>
    withActions(context, async (actions, site) => {
      const { args, io } = context
      const cards = await actions.list(site.id, args.status)
      if (args.json) printJson(io, { data: cards.map(presentCard) })
      else printAll(io, cards)
    }),
})

const show = defineCommand({
  summary: 'Show all of a card: why, what to do, the evidence, what it is about, the outcome',
  args: CARD,
  examples: ['actions show --site acme.com CARD_ID'],
  run: (context) =>
    withActions(context, async (actions, site) => {
      const { args, io } = context
      const card = await actions.get(site.id, args.card)
      if (args.json) printJson(io, presentCard(card))
      else printWhole(io, card)
    }),
})

const refresh = defineCommand({
  summary: 'Look for new findings and measure what is due',
  notes: ['Imports do this by themselves.'],
  args: { ...SITE_FLAG, ...JSON_FLAG },
  examples: ['actions refresh --site acme.com'],
  run: (context) =>
    withActions(context, async (actions, site) => {
      const { args, io, signal } = context
      const { created, updated, unchanged, measured } = await actions.refresh(site.id, { signal })
      if (args.json) return printJson(io, { site_id: site.id, created, updated, unchanged, measured })
      printLine(io, `${countOf(created, 'new card')}, ${updated} updated, ${unchanged} unchanged, ${measured} measured`)
    }),
})

const done = defineCommand({
  summary: 'Mark an open card done: measures now, and again 28 days later',
  args: CARD,
  examples: ['actions done --site acme.com CARD_ID'],
  run: (context) => move(context, (actions, siteId, card) => actions.markDone(siteId, card)),
})

const dismiss = defineCommand({
  summary: 'Put an open card away; the same finding does not come back',
  args: CARD,
  examples: ['actions dismiss --site acme.com CARD_ID'],
  run: (context) => move(context, async (actions, siteId, card) => actions.dismiss(siteId, card)),
})

const reopen = defineCommand({
  summary: 'Open a done or dismissed card again; a measured outcome is dropped',
  args: CARD,
  examples: ['actions reopen --site acme.com CARD_ID'],
  run: (context) => move(context, async (actions, siteId, card) => actions.reopen(siteId, card)),
})

export const actions = defineGroup({
  summary: 'The Action Center: recommendations with a measured outcome',
  commands: { list, show, refresh, done, dismiss, reopen },
  examples: [
    'actions list --site acme.com',
    'actions show --site acme.com CARD_ID',
    'actions done --site acme.com CARD_ID',
  ],
})

function withActions(
  context: Context & { readonly args: { readonly site: string } },
  work: (actions: Actions, site: Site) => Promise<void>,
): Promise<void> {
  return withAppAndSite(context, context.args.site, (app, site) => work(app.actions, site))
}

function move(
  context: Context & { readonly args: Values<typeof CARD> },
  work: (actions: Actions, siteId: string, card: string) => Promise<ActionCard>,
): Promise<void> {
  const { args, io } = context
  return withActions(context, async (opened, site) => {
    const card = await work(opened, site.id, args.card)
    if (args.json) printJson(io, presentCard(card))
    else printOne(io, card)
  })
}

function printAll(io: Io, cards: readonly ActionCard[]): void {
  printTable(
    io,
    ['id', 'status', 'impact', 'effort', 'category', 'title', 'outcome'],
    cards.map((card) => [
      card.id,
      card.status,
      card.impact,
      card.effort,
      card.category,
      card.title,
      card.outcome === null ? null : (card.outcome.verdict ?? `measured on ${card.outcome.resultDue.slice(0, 10)}`),
    ]),
  )
}

function printWhole(io: Io, card: ActionCard): void {
  const { outcome } = card
  printRecord(io, [
    ['id', card.id],
    ['title', card.title],
    ['status', card.status],
    ['impact', card.impact],
    ['effort', card.effort],
    ['category', card.category],
    ['metric', card.targetMetric],
    ['cadence', card.cadence ?? 'once'],
    ['period', card.period],
    ['created', toMinute(card.createdAt)],
    ['why', card.why],
    ['what to do', card.detail],
    ['engines', card.targetPlatforms.join(', ')],
    ['page', card.targetUrl],
    ['done', toMinute(outcome?.markedDoneAt ?? null)],
    ['result due', toMinute(outcome?.resultDue ?? null)],
    ['verdict', outcome?.verdict ?? null],
    ['outcome', outcome?.summary ?? null],
  ])
  if (card.targetPrompts.length === 0) return
  printLine(io, '')
  printTable(
    io,
    ['prompt', 'text'],
    card.targetPrompts.map(({ id, text }) => [id, text]),
  )
}

function printOne(io: Io, card: ActionCard): void {
  printAll(io, [card])
  for (const text of [card.why, card.detail, card.outcome?.summary]) {
    if (!text) continue
    printLine(io, '')
    printLine(io, text)
  }
}
