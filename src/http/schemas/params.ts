import * as v from 'valibot'

/** The path template's `{site_id}`. Any text may be asked for; what is no site of the organization is 404. */
export const SiteParams = v.object({ site_id: v.pipe(v.string(), v.description('A site of the organization.')) })
