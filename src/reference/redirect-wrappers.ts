import { getDomain, getDomainWithoutSuffix } from 'tldts'
import * as v from 'valibot'
import content from '../../data/redirect_wrappers.json' with { type: 'json' }
import { HEAD, parseCatalogue, SOURCED } from './catalogue.ts'

/** How a host's links say where they lead. */
export interface RedirectWrapper {
  /** Paths without a final slash; one that ends in `/*` is every path that begins so. */
  readonly paths: readonly string[]
  /** Query parameters that may hold the target, the first that does. Empty: only the service knows the target. */
  readonly parameters: readonly string[]
  readonly encoding: 'percent' | 'bing'
}

const places = {
  hosts: v.pipe(v.array(v.pipe(v.string(), v.regex(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(\.\*)?$/))), v.nonEmpty()),
  paths: v.pipe(v.array(v.pipe(v.string(), v.regex(/^\/[^?#\s]*$/))), v.nonEmpty()),
}

const redirectWrapperFile = v.strictObject({
  ...HEAD,
  redirect_wrappers: v.array(
    v.strictObject({
      ...places,
      parameters: v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.nonEmpty()),
      encoding: v.optional(v.literal('bing')),
      ...SOURCED,
    }),
  ),
  hidden_targets: v.array(v.strictObject({ ...places, ...SOURCED })),
})

const file = parseCatalogue('redirect_wrappers.json', redirectWrapperFile, content)
const wrappersByHost = new Map<string, RedirectWrapper[]>()
const hidden = file.hidden_targets.map((entry) => ({ ...entry, parameters: [], encoding: undefined }))
for (const { hosts, paths, parameters, encoding } of [...file.redirect_wrappers, ...hidden]) {
  const wrapper: RedirectWrapper = {
    paths: paths.map((path) => path.replace(/(?<=.)\/$/, '')),
    parameters,
    encoding: encoding ?? 'percent',
  }
  for (const host of hosts) wrappersByHost.set(host, [...(wrappersByHost.get(host) ?? []), wrapper])
}

/** The wrappers of a host, lower-case and in ASCII; most hosts have none. */
export function findRedirectWrappers(host: string): readonly RedirectWrapper[] {
  const name = host.replace(/^www\./, '')
  const below = name.slice(name.indexOf('.') + 1)
  const everywhere = getDomain(name) === name ? `${getDomainWithoutSuffix(name) ?? ''}.*` : ''
  return [name, `*.${below}`, everywhere].flatMap((key) => wrappersByHost.get(key) ?? [])
}

/** All of them: they decide how a link becomes a page. */
export function listRedirectWrappers(): readonly (readonly [string, readonly RedirectWrapper[]])[] {
  return [...wrappersByHost]
}
