/** Where the service has what is of a site alone: `/sites/site_acme/prompts`. */
export const toSitePath = (siteId: string, rest: string): string => `/sites/${encodeURIComponent(siteId)}/${rest}`
