import { getDomain } from 'tldts'
import * as v from 'valibot'
import content from '../../data/source_kinds.json' with { type: 'json' }
import { SOURCE_KINDS, type SourceKind } from '../domain/enums.ts'
import { OWN_SOURCE_KINDS_MAX } from '../limits.ts'
import { HEAD, parseCatalogue, SOURCED } from './catalogue.ts'
import { parseKeyValueFile } from './key-value-file.ts'

/** The kind of one registrable domain. */
interface DomainKind {
  readonly domain: string
  readonly kind: SourceKind
}

const names = v.pipe(v.array(v.pipe(v.string(), v.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/))), v.minLength(1))

const sourceKindFile = v.strictObject({
  ...HEAD,
  source_kinds: v.array(v.strictObject({ kind: v.picklist(SOURCE_KINDS), domains: names, ...SOURCED })),
  suffixes: v.array(v.strictObject({ kind: v.picklist(SOURCE_KINDS), suffixes: names, ...SOURCED })),
})

const file = parseCatalogue('source_kinds.json', sourceKindFile, content)

const BY_DOMAIN: ReadonlyMap<string, SourceKind> = new Map(
  file.source_kinds.flatMap(({ kind, domains }) => domains.map((domain) => [domain, kind] as const)),
)
const BY_SUFFIX: ReadonlyMap<string, SourceKind> = new Map(
  file.suffixes.flatMap(({ kind, suffixes }) => suffixes.map((suffix) => [suffix, kind] as const)),
)

/** The bundled kinds by registrable domain (public suffix list with its private section; contract/api 5.6). */
export function listSourceKinds(): ReadonlyMap<string, SourceKind> {
  return BY_DOMAIN
}

/**
 * The bundled kinds by suffix: of the registrable domains directly under one (`acme.blogspot.com`, `agency.gov`) that have no
 * kind of their own.
 */
export function listHostingKinds(): ReadonlyMap<string, SourceKind> {
  return BY_SUFFIX
}

/**
 * A site's own kinds by registrable domain, from the file of `sites source-kinds SITE FILE`: lines of `DOMAIN SOURCE_KIND`,
 * or JSON of `domain` and `source_kind` (docs/catalogues.md). An empty file gives none. Throws a CommandError that lists
 * every fault with its line.
 */
export function parseSourceKinds(text: string): ReadonlyMap<string, SourceKind> {
  const kinds = new Map<string, SourceKind>()
  parseKeyValueFile<DomainKind>(text, {
    what: 'source kinds',
    key: 'domain',
    value: 'source_kind',
    entriesMax: OWN_SOURCE_KINDS_MAX,
    read(written, value) {
      const kind = SOURCE_KINDS.find((name) => name === value)
      const host = toHost(written)
      const domain = host === undefined ? undefined : toRegistrableDomain(host)
      if (domain === undefined) return `${written}: write a registrable domain, like example.com`
      if (domain !== host) return `${written}: a kind belongs to a registrable domain; write ${domain}`
      if (kind === undefined) return `${value}: use one of ${SOURCE_KINDS.join(', ')}`
      if (kinds.has(domain)) return `${written} stands above already; remove one`
      kinds.set(domain, kind)
      return { domain, kind }
    },
  })
  return kinds
}

function toHost(written: string): string | undefined {
  const url = /[/:?#@\\]/.test(written) ? null : URL.parse(`http://${written}`)
  return url?.hostname.replace(/\.$/, '')
}

/** An IP address and a host without a dot are their own; undefined for a public suffix such as `co.uk`. */
function toRegistrableDomain(host: string): string | undefined {
  const isOwn = !host.includes('.') || /^\d+\.\d+\.\d+\.\d+$/.test(host)
  return isOwn ? host : (getDomain(host, { allowPrivateDomains: true }) ?? undefined)
}
