import * as v from 'valibot'
import type { Competitors } from '../../../catalog/competitors.ts'
import type { Competitor as CompetitorRecord } from '../../../domain/competitor.ts'
import type { Site } from '../../../domain/site.ts'
import { ApiError } from '../../../errors.ts'
import { strictObject } from '../../../schemas/strict-object.ts'
import { Count, Text } from '../../../schemas/values.ts'
import type { Context } from '../../context.ts'
import { presentCompetitor } from '../../present.ts'
import { SiteParams } from '../../schemas/params.ts'
import { Competitor, list, single } from '../../schemas/resources.ts'
import { defineUiEndpoint } from '../ui-endpoint.ts'
import { inSameWords } from './refusals.ts'

const CompetitorEvidence = v.object({
  ...Competitor.entries,
  aliases: v.array(Text),
  /** How many answers listed a discovered competitor when they were imported; null of others, for whom nobody counts. */
  answers: v.nullable(Count),
})
export type CompetitorEvidence = v.InferOutput<typeof CompetitorEvidence>

const CompetitorParams = v.object({ ...SiteParams.entries, competitor_id: Text })

function presentEvidence(competitor: CompetitorRecord) {
  const { aliases, source, answers } = competitor
  return { ...presentCompetitor(competitor), aliases, answers: source === 'discovered' ? answers : null }
}

const INITECH = {
  id: 'cmp_0k7q4zj0c3v4b5n6m7q8w9e1rt',
  name: 'Initech',
  aliases: [],
  domains: [],
  confirmed: false,
  source: 'discovered',
  answers: 31,
} as const

export const listCompetitorEvidence = defineUiEndpoint({
  operation: 'listCompetitorEvidence',
  method: 'GET',
  path: '/ui/v1/sites/{site_id}/competitor-evidence',
  access: 'member',
  summary: 'Competitors with their spellings and what speaks for them',
  params: SiteParams,
  response: list(CompetitorEvidence),
  example: { response: { data: [INITECH] } },
  handle: ({ app: { catalog }, getSite }, { params }) => ({
    data: catalog.competitors.list(getSite(params.site_id).id).map(presentEvidence),
  }),
})

/** Decides one thing about a competitor, with its line in the audit. */
async function decide(
  { app, getSite, change }: Pick<Context, 'app' | 'getSite' | 'change'>,
  { site_id, competitor_id }: v.InferOutput<typeof CompetitorParams>,
  action: string,
  work: (competitors: Competitors, site: Site, before: CompetitorRecord) => CompetitorRecord,
) {
  const { competitors } = app.catalog
  const site = getSite(site_id)
  const { after } = await change(
    () => {
      const before = getCompetitor(competitors, site, competitor_id)
      return { before, after: inSameWords(() => work(competitors, site, before)) }
    },
    ({ before, after }) =>
      action !== 'competitor.ignore' && JSON.stringify(before) === JSON.stringify(after)
        ? undefined
        : {
            action,
            subject: before.id,
            detail: { site: site.id, name: before.name, ...(after.id === before.id ? {} : { into: after.id }) },
          },
  )
  return { data: presentEvidence(after) }
}

/** By its id alone: a name may be another's id. */
function getCompetitor(competitors: Competitors, site: Site, id: string): CompetitorRecord {
  const found = competitors.find(site.id, id)
  if (found?.id !== id) throw new ApiError('not_found', 'The site has no such competitor.')
  return found
}

const NOTHING = strictObject({})

export const confirmCompetitor = defineUiEndpoint({
  operation: 'confirmCompetitor',
  method: 'POST',
  path: '/ui/v1/sites/{site_id}/competitors/{competitor_id}/confirm',
  access: 'member',
  summary: 'Rank a competitor from the next report on',
  params: CompetitorParams,
  body: NOTHING,
  response: single(CompetitorEvidence),
  example: { body: {}, response: { data: { ...INITECH, confirmed: true } } },
  handle: (context, { params }) =>
    decide(context, params, 'competitor.confirm', (competitors, site, { id }) => competitors.confirm(site.id, id)),
})

export const unconfirmCompetitor = defineUiEndpoint({
  operation: 'unconfirmCompetitor',
  method: 'POST',
  path: '/ui/v1/sites/{site_id}/competitors/{competitor_id}/unconfirm',
  access: 'member',
  summary: 'Measure a competitor without ranking it',
  params: CompetitorParams,
  body: NOTHING,
  response: single(CompetitorEvidence),
  example: { body: {}, response: { data: INITECH } },
  handle: (context, { params }) =>
    decide(context, params, 'competitor.unconfirm', (competitors, site, { id }) => competitors.unconfirm(site.id, id)),
})

export const ignoreCompetitor = defineUiEndpoint({
  operation: 'ignoreCompetitor',
  method: 'POST',
  path: '/ui/v1/sites/{site_id}/competitors/{competitor_id}/ignore',
  access: 'member',
  summary: 'Remove a competitor, and never discover its name again',
  params: CompetitorParams,
  body: NOTHING,
  response: single(CompetitorEvidence),
  example: { body: {}, response: { data: INITECH } },
  handle: (context, { params }) =>
    decide(context, params, 'competitor.ignore', (competitors, site, { id }) => competitors.ignore(site.id, id)),
})

export const mergeCompetitor = defineUiEndpoint({
  operation: 'mergeCompetitor',
  method: 'POST',
  path: '/ui/v1/sites/{site_id}/competitors/{competitor_id}/merge',
  access: 'member',
  summary: 'Make a competitor a spelling of another one',
  params: CompetitorParams,
  body: strictObject({ into: v.pipe(Text, v.description('Id of the other competitor.')) }),
  response: single(CompetitorEvidence),
  example: {
    body: { into: 'cmp_0k7q4zj0c3v4b5n6m7q8w9e1ru' },
    response: {
      data: { ...INITECH, id: 'cmp_0k7q4zj0c3v4b5n6m7q8w9e1ru', name: 'Initech Corp', aliases: ['Initech'] },
    },
  },
  handle: (context, { params, body }) =>
    decide(context, params, 'competitor.merge', (competitors, site, { id }) =>
      competitors.merge(site.id, id, getCompetitor(competitors, site, body.into).id),
    ),
})
