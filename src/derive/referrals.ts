import { HOST_CHARACTERS_MAX } from '../limits.ts'
import { listReferralSources, type ReferralSource } from '../reference/referral-sources.ts'
import { memoize } from './memo.ts'

/** The fields of a request that tell where its visitor came from, as logged. */
export interface ReferralFields {
  /** `Referer`; undefined, empty or `-` where there is none. */
  readonly referer: string | undefined
  /** Query string of the request, with or without its `?`; undefined where there is none. */
  readonly query: string | undefined
}

/** Finds the answer engine that sent a visitor. Made once an import; remembers what it found for each distinct value. */
export interface ReferralMatcher {
  /**
   * The `referral_source` of contract/api 5.12, or undefined: the engine that the `Referer` names, else the one that
   * `utm_source` names. `utm_medium` plays no part.
   */
  find(fields: ReferralFields): string | undefined
  /** False when a `Referer` that begins so, up to its path, names no engine, whatever its path is. */
  mayName(origin: string): boolean
}

/** A matcher over the bundled referral sources. */
export function createReferralMatcher(): ReferralMatcher {
  const sources = listReferralSources()
  const table: Table = {
    hosts: new Map(sources.flatMap(({ id, hosts }) => hosts.map((host) => [host, id]))),
    paths: Map.groupBy(sources.flatMap(toPathRules), (rule) => rule.host),
    apps: new Map(sources.flatMap(({ id, apps }) => apps.map((app) => [app, id]))),
    utmSources: new Map(sources.flatMap(({ id, utmSources }) => utmSources.map((value) => [value, id]))),
  }
  const mayBeEngine = memoize((origin) => isOfEngine(origin, table))
  const findByReferer = memoize((referer) => findReferer(referer, table))
  const findByUtmSource = memoize((value) => findUtmSource(value, table))

  return {
    mayName: mayBeEngine,
    find({ referer, query }) {
      const isWorthReading = referer !== undefined && referer.length > 1 && mayBeEngine(toOrigin(referer))
      const referring = isWorthReading ? findByReferer(referer) : undefined
      if (referring !== undefined) return referring
      const value = query === undefined ? undefined : findUtmSourceValue(query)
      return value === undefined ? undefined : findByUtmSource(value)
    },
  }
}

interface Table {
  readonly hosts: ReadonlyMap<string, string>
  readonly paths: ReadonlyMap<string, readonly PathRule[]>
  readonly apps: ReadonlyMap<string, string>
  readonly utmSources: ReadonlyMap<string, string>
}

interface PathRule {
  readonly host: string
  readonly path: string
  readonly id: string
}

function toPathRules({ id, paths }: ReferralSource): PathRule[] {
  return paths.map((rule) => {
    const slash = rule.indexOf('/')
    return { host: rule.slice(0, slash), path: rule.slice(slash), id }
  })
}

/** What stands before the path; pages of one site refer to each other by thousands of paths, but by one origin. */
function toOrigin(referer: string): string {
  const slashes = referer.indexOf('//')
  const pathStart = slashes === -1 ? -1 : referer.indexOf('/', slashes + 2)
  return pathStart === -1 ? referer : referer.substring(0, pathStart)
}

/** False when no rule knows the host, whatever the path. */
function isOfEngine(origin: string, { hosts, paths, apps }: Table): boolean {
  const url = URL.parse(origin)
  if (url === null) return true
  const host = toHost(url)
  return apps.has(host) || findByHost(host, (name) => paths.get(name) ?? hosts.get(name)) !== undefined
}

function toHost({ hostname }: URL): string {
  return hostname.toLowerCase().replace(/\.$/, '')
}

function findReferer(referer: string, { hosts, paths, apps }: Table): string | undefined {
  const url = URL.parse(referer)
  if (url === null) return undefined
  const host = toHost(url)
  if (url.protocol === 'android-app:') return apps.get(host)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  const path = url.pathname.toLowerCase()
  return findByHost(
    host,
    (name) => paths.get(name)?.find((rule) => startsWithPath(path, rule.path))?.id ?? hosts.get(name),
  )
}

/** A rule's path must end where a segment does: `/chat` is in `/chat/x`, not in `/chatter`. */
function startsWithPath(path: string, start: string): boolean {
  return path.startsWith(start) && (path.length === start.length || path[start.length] === '/')
}

/** Asks for the host, then for each domain above it: the first that is known decides. */
function findByHost<T>(host: string, find: (name: string) => T | undefined): T | undefined {
  if (host.length > HOST_CHARACTERS_MAX) return undefined
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const found = find(name)
    if (found !== undefined) return found
  }
  return undefined
}

/** The first `utm_source` that isn't empty; `;` separates too, as in links whose `&` came out as `&amp;`. */
const UTM_SOURCE = /(?:^|[?&;])utm_source=([^&;#]+)/i

function findUtmSourceValue(query: string): string | undefined {
  return UTM_SOURCE.exec(query)?.[1]
}

function findUtmSource(value: string, { utmSources, hosts }: Table): string | undefined {
  const name = decode(value).trim().toLowerCase()
  return utmSources.get(name) ?? findByHost(name, (host) => hosts.get(host))
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return value
  }
}
