import * as v from 'valibot'
import content from '../../data/tracking_parameters.json' with { type: 'json' }
import { HEAD, parseCatalogue, SOURCED } from './catalogue.ts'

const text = v.pipe(v.string(), v.nonEmpty())

const trackingParameterFile = v.strictObject({
  ...HEAD,
  parameters: v.array(
    v.strictObject({
      name: v.pipe(v.string(), v.regex(/^[a-z0-9_]+\*?$/)),
      from: text,
      domains: v.optional(v.pipe(v.array(v.pipe(v.string(), v.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/))), v.nonEmpty())),
      ...SOURCED,
    }),
  ),
})

/** Where a parameter tracks: on these registrable domains, or everywhere. */
type Reach = ReadonlySet<string> | 'everywhere'

const { parameters } = parseCatalogue('tracking_parameters.json', trackingParameterFile, content)
const reachByName = new Map<string, Reach>()
const reachByBeginning = new Map<string, Reach>()
for (const { name, domains } of parameters) {
  const reach = domains === undefined ? 'everywhere' : new Set(domains)
  if (name.endsWith('*')) reachByBeginning.set(name.slice(0, -1), reach)
  else reachByName.set(name, reach)
}

/** Names and reach of all tracking parameters: what decides how a link becomes a page. */
export function listTrackingParameters(): readonly {
  readonly name: string
  readonly domains?: readonly string[] | undefined
}[] {
  return parameters.map(({ name, domains }) => ({ name, domains }))
}

/**
 * Whether a query parameter of a URL under a registrable domain only tracks (contract/api 5.6). The name is as it stands in
 * the URL, still encoded; upper and lower case make no difference.
 */
export function isTrackingParameter(name: string, domain: string): boolean {
  const lower = name.toLowerCase()
  if (reaches(reachByName.get(lower), domain)) return true
  for (const [beginning, reach] of reachByBeginning) {
    if (lower.startsWith(beginning) && reaches(reach, domain)) return true
  }
  return false
}

function reaches(reach: Reach | undefined, domain: string): boolean {
  return reach === 'everywhere' || (reach?.has(domain) ?? false)
}
