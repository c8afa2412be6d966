import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { metadataPath, type PublicationState, readPublication, STATE_FILE } from './publication-state.ts'
import { PUBLISHED_TABLES } from './tables.ts'

/** The one namespace, which has all tables. */
const NAMESPACE = 'lake'

/** An answer of Iceberg's REST catalog; without a body it says that something is there. */
export interface CatalogAnswer {
  readonly status: number
  readonly body?: object
}

export interface RestCatalog {
  /** Answers a GET, or a HEAD, of a path as it was sent, with `?` and what follows when there is a query. */
  answer(method: string, target: string): Promise<CatalogAnswer>
}

const ROUTES = [
  'namespaces',
  'namespaces/{namespace}',
  'namespaces/{namespace}/tables',
  'namespaces/{namespace}/tables/{table}',
] as const

/**
 * The reading half of Iceberg's REST catalog (https://iceberg.apache.org/rest-catalog-spec/) over the publication of a
 * directory: each answer is of the newest one.
 */
export function openRestCatalog(directory: string): RestCatalog {
  const publicationOf = rememberNewest(directory)
  return {
    async answer(method, target) {
      const [pathname = '', query = ''] = target.split('?', 2)
      if (pathname === '/v1/config') return { status: 200, body: CONFIG }
      const [, version, root, namespace, tables, table, ...rest] = pathname.split('/').map(decode)
      if (version !== 'v1' || root !== 'namespaces' || rest.length > 0) return noSuch('NoSuchEndpoint', 'endpoint')
      if (namespace === undefined) {
        // Namespaces have none within them, which is what `parent` asks for.
        return { status: 200, body: { namespaces: new URLSearchParams(query).has('parent') ? [] : [[NAMESPACE]] } }
      }
      if (namespace !== NAMESPACE) return noSuch('NoSuchNamespaceException', `namespace ${namespace}`)
      if (tables === undefined) return found(method, { namespace: [NAMESPACE], properties: {} })
      if (tables !== 'tables') return noSuch('NoSuchEndpoint', 'endpoint')
      const state = await publicationOf()
      if (table === undefined) return { status: 200, body: { identifiers: state ? IDENTIFIERS : [] } }
      if (!state || !PUBLISHED_TABLES.some(({ name }) => name === table)) {
        return noSuch('NoSuchTableException', state ? `table ${NAMESPACE}.${table}` : 'publication yet')
      }
      return found(method, await readTable(directory, state, table))
    },
  }
}

const CONFIG = {
  defaults: {},
  overrides: {},
  endpoints: ROUTES.flatMap((route) => [
    `GET /v1/{prefix}/${route}`,
    ...(route.endsWith('}') ? [`HEAD /v1/{prefix}/${route}`] : []),
  ]),
}

const IDENTIFIERS = PUBLISHED_TABLES.map(({ name }) => ({ namespace: [NAMESPACE], name }))

async function readTable(directory: string, state: PublicationState, table: string): Promise<object> {
  const path = metadataPath(table, state.no)
  const metadata: unknown = JSON.parse(await readFile(join(directory, path), 'utf8'))
  return { 'metadata-location': `${state.location}/${path}`, metadata, config: {} }
}

function found(method: string, body: object): CatalogAnswer {
  return method === 'HEAD' ? { status: 204 } : { status: 200, body }
}

function noSuch(type: string, what: string): CatalogAnswer {
  return toFault(404, type, `There is no ${what}.`)
}

/** A refusal in the form that engines read. */
export function toFault(code: number, type: string, message: string): CatalogAnswer {
  return { status: code, body: { error: { message, type, code } } }
}

/** What can't be decoded is the name of nothing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

/** The directory's publication, read again when another one took its place. */
function rememberNewest(directory: string): () => Promise<PublicationState | undefined> {
  let known: { readonly identity: string; readonly state: PublicationState | undefined } | undefined
  return async () => {
    const { ino, mtimeNs, size } = await stat(join(directory, STATE_FILE), { bigint: true }).catch(() => ABSENT)
    const identity = `${ino} ${mtimeNs} ${size}`
    if (known?.identity !== identity) known = { identity, state: await readPublication(directory) }
    return known.state
  }
}

const ABSENT = { ino: 0n, mtimeNs: 0n, size: 0n }
