import { defineEndpoint } from '../endpoint.ts'
import { presentSite } from '../present.ts'
import { SiteParams } from '../schemas/params.ts'
import { single, Site } from '../schemas/resources.ts'
import { SITE } from '../../schemas/examples.ts'

export const getSite = defineEndpoint({
  operation: 'getSite',
  tag: 'Discovery',
  method: 'GET',
  path: '/v1/sites/{site_id}',
  access: 'read',
  summary: 'One site',
  description: 'With its most recent daily scan of answers; null before the first.',
  params: SiteParams,
  response: single(Site),
  example: { response: { data: SITE } },
  handle: ({ app: { catalog }, getSite }, { params }) => ({ data: presentSite(catalog, getSite(params.site_id)) }),
})
