import * as v from 'valibot'
import { canMoveCard, type ActionCard as Card, type CardStatus } from '../../../domain/action-card.ts'
import type { Site } from '../../../domain/site.ts'
import { ApiError } from '../../../errors.ts'
import { NOTE_CHARACTERS_MAX } from '../../../people-limits.ts'
import { CARD } from '../../../schemas/examples.ts'
import { maxCharacters } from '../../../schemas/max-characters.ts'
import { strictObject } from '../../../schemas/strict-object.ts'
import { Text, Timestamp } from '../../../schemas/values.ts'
import type { ServerApp } from '../../context.ts'
import { presentCard } from '../../present.ts'
import { SiteParams } from '../../schemas/params.ts'
import { ActionCard, list, single } from '../../schemas/resources.ts'
import { defineUiEndpoint, type UiContext } from '../ui-endpoint.ts'
import { inSameWords } from './refusals.ts'

const CardParams = v.object({ ...SiteParams.entries, action_id: Text })

const WithNote = strictObject({
  note: v.optional(
    v.pipe(v.string(), v.trim(), maxCharacters(NOTE_CHARACTERS_MAX), v.description('What was done, or why not.')),
  ),
})

/** The card, as the audit names it; 404 for one that isn't the site's. */
function getCard({ catalog }: ServerApp, site: Site, id: string): Card {
  const card = catalog.cards.find(site.id, id)
  if (card === undefined) throw new ApiError('not_found', 'The site has no such card.')
  return card
}

interface Move {
  readonly to: CardStatus
  /** Does it inside the transaction. */
  readonly work: (site: Site, card: Card) => void
  /** Null for one that says nothing; undefined where notes are dropped. */
  readonly note?: string | null
}

/** Moves a card, with what its mover wrote and its line in the audit, and shows it as the list does. */
async function move(
  { app, caller, getSite, change }: UiContext,
  { site_id, action_id }: v.InferOutput<typeof CardParams>,
  { to, work, note }: Move,
) {
  const { notes } = app.catalog.cards
  const site = getSite(site_id)
  await change(
    () => {
      const card = getCard(app, site, action_id)
      inSameWords(() => work(site, card))
      if (note === undefined) notes.remove(card.id)
      else notes.put(site.id, card.id, { note, actor: caller.user.mail })
      return card
    },
    ({ id, title }) => ({ action: `card.${to}`, subject: id, detail: { site: site.id, title } }),
  )
  return { data: presentCard(await app.actions.get(site.id, action_id)) }
}

export const markCardDone = defineUiEndpoint({
  operation: 'markCardDone',
  method: 'POST',
  path: '/ui/v1/sites/{site_id}/actions/{action_id}/done',
  access: 'member',
  summary: 'Mark a card done: measures now, and again 28 days later',
  params: CardParams,
  body: WithNote,
  response: single(ActionCard),
  example: { body: { note: 'Published on the blog.' }, response: { data: { ...CARD, status: 'done' } } },
  handle: async (context, { params, body }) => {
    const { app, getSite } = context
    const site = getSite(params.site_id)
    const { id, status } = getCard(app, site, params.action_id)
    // Measured before the transaction; of a card that can't become done, in vain.
    const outcome = canMoveCard(status, 'done') ? await app.actions.measureBefore(site.id, id) : undefined
    return move(context, params, {
      to: 'done',
      note: body.note || null,
      work: () => {
        if (outcome === undefined) throw new ApiError('invalid_request', `The card is ${status}. Open it again first.`)
        app.catalog.cards.markDone(site.id, id, outcome)
      },
    })
  },
})

export const dismissCard = defineUiEndpoint({
  operation: 'dismissCard',
  method: 'POST',
  path: '/ui/v1/sites/{site_id}/actions/{action_id}/dismiss',
  access: 'member',
  summary: 'Put a card away; the same finding does not come back',
  params: CardParams,
  body: WithNote,
  response: single(ActionCard),
  example: { body: {}, response: { data: { ...CARD, status: 'dismissed' } } },
  handle: (context, { params, body }) =>
    move(context, params, {
      to: 'dismissed',
      note: body.note || null,
      work: (site, card) => context.app.catalog.cards.dismiss(site.id, card.id),
    }),
})

export const reopenCard = defineUiEndpoint({
  operation: 'reopenCard',
  method: 'POST',
  path: '/ui/v1/sites/{site_id}/actions/{action_id}/reopen',
  access: 'member',
  summary: 'Open a card again; a measured outcome is dropped',
  params: CardParams,
  body: strictObject({}),
  response: single(ActionCard),
  example: { body: {}, response: { data: { ...CARD } } },
  handle: (context, { params }) =>
    move(context, params, { to: 'open', work: (site, card) => context.app.catalog.cards.reopen(site.id, card.id) }),
})

const CardNote = v.object({
  action_id: Text,
  /** Null of a card that somebody moved without a word. */
  note: v.nullable(Text),
  actor: Text,
  at: Timestamp,
})
export type CardNote = v.InferOutput<typeof CardNote>

export const listCardNotes = defineUiEndpoint({
  operation: 'listCardNotes',
  method: 'GET',
  path: '/ui/v1/sites/{site_id}/action-notes',
  access: 'member',
  summary: 'Who marked cards done or put them away, and their notes',
  params: SiteParams,
  response: list(CardNote),
  example: {
    response: {
      data: [
        {
          action_id: 'act_0k7q4zj0q1w2e3r4t5y6u7i8op',
          note: 'Published on the blog.',
          actor: 'ada@acme.com',
          at: '2026-11-20T09:00:00.000Z',
        },
      ],
    },
  },
  handle: ({ app: { catalog }, getSite }, { params }) => ({
    data: catalog.cards.notes
      .list(getSite(params.site_id).id)
      .map(({ cardId, note, actor, createdAt }) => ({ action_id: cardId, note, actor, at: createdAt })),
  }),
})
