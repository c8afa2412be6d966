import { defineEndpoint } from '../endpoint.ts'
import { presentSite } from '../present.ts'
import { list, Site } from '../schemas/resources.ts'
import { SITE } from '../../schemas/examples.ts'

export const listSites = defineEndpoint({
  operation: 'listSites',
  tag: 'Discovery',
  method: 'GET',
  path: '/v1/sites',
  access: 'read',
  summary: 'All sites',
  description: "Those of the key's organization, in the order of creation.",
  response: list(Site),
  rows: { row: Site, fileName: () => 'sites' },
  example: { response: { data: [SITE] } },
  handle: ({ app: { catalog }, caller }) =>
    catalog.read(() => ({
      data: catalog.sites.list(caller.organization.id).map((site) => presentSite(catalog, site)),
    })),
})
