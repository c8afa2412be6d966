import type { JsonSchema } from '@valibot/to-json-schema'
import { listColumns } from '../../rows/columns.ts'
import { ROW_FORMATS, toHead, toLines } from '../../rows/row-format.ts'
import { MEDIA_TYPES } from '../accept.ts'
import { type AnyEndpoint, type Schema, TAGS } from '../endpoint.ts'
import { defineErrorBody } from '../schemas/error-body.ts'
import { type ErrorStatus, listCodes, listErrorStatuses, RESPONSES } from './errors.ts'
import { listComponents, toOpenApiSchema } from './json-schema.ts'
import type { OpenApiDocument } from './openapi-document.ts'

/** The document of the whole API, from the table of endpoints alone (contract/api 10). */
export function createDocument(endpoints: readonly AnyEndpoint[]): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'answerlake',
      version: '1.0.0',
      summary: 'Answer-engine visibility over your own answers and server logs',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that gave this document.' }],
    security: [{ ApiKey: [] }, { Bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: toPaths(endpoints),
    components: {
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: KEY_DESCRIPTION },
        Bearer: { type: 'http', scheme: 'bearer', description: KEY_DESCRIPTION },
      },
      headers: HEADERS,
      responses: Object.fromEntries(
        Object.keys(RESPONSES).map((status) => {
          const known = Number(status) as ErrorStatus
          return [RESPONSES[known].name, toErrorResponse(known)]
        }),
      ),
      schemas: listComponents(),
    },
  }
}

const DESCRIPTION = `Measurements of how AI answer engines speak of a brand, and of the traffic that comes from them.

Every answer other than 200 and 201 has the same body, \`{"error": {"code", "message", "details", "request_id"}}\`. Fields may be added without a new version, so clients ignore fields they do not know.

Reports and lists are CSV or NDJSON, too, where \`Accept\` asks for \`text/csv\` or \`application/x-ndjson\`: a page when \`limit\` or \`cursor\` is sent, otherwise the whole result, up to 100,000 rows. A longer one ends with an error, a line \`{"error": …}\` of NDJSON, a broken connection of CSV.

Lists with \`info\` come in pages: pass \`info.next_cursor\` as \`cursor\` with the same request. All pages of a walk show the same moment, whatever is imported meanwhile.`

const KEY_DESCRIPTION =
  'A key of the organization, `alk_` and 40 letters and digits. Both headers may be sent when they agree. Never put a key into a URL.'

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example })

/** Headers of answers to requests with a valid key, and of all answers. */
const HEADERS = {
  'X-Request-Id': text('Names this request in the log of the service.', 'req_0k7q4zj0r1t2y3u4i5o6p7a8s9'),
  'RateLimit-Policy': text(
    'The limits of the key: `q` calls in `w` seconds.',
    '"requests";q=600;w=60, "writes";q=20;w=60',
  ),
  RateLimit: text('What is left: `r` calls, one more in `t` seconds.', '"requests";r=598;t=1, "writes";r=20;t=0'),
  'Content-Disposition': text(
    'As CSV and NDJSON: a name for the file.',
    'attachment; filename="acme.com-visibility-2026-11-01-2026-11-20.csv"',
  ),
  'X-Total-Results': {
    description: 'As CSV and NDJSON: rows across all pages.',
    schema: { type: 'integer', format: 'int64', minimum: 0 },
    example: 1,
  },
  'X-Next-Cursor': text('As CSV and NDJSON of one page: pass as `cursor` for the next.', 'eyJ2IjoxfQ'),
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: { type: 'integer', format: 'int32', minimum: 1 },
    example: 3,
  },
} as const
type HeaderName = keyof typeof HEADERS

function toPaths(endpoints: readonly AnyEndpoint[]): Record<string, object> {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const operations = (paths[endpoint.path] ??= {})
    operations[endpoint.method.toLowerCase()] = toOperation(endpoint)
  }
  return paths
}

function toOperation(endpoint: AnyEndpoint): object {
  const parameters = [
    ...toParameters(endpoint.params, 'path'),
    ...toParameters(endpoint.query, 'query', endpoint.example.query),
  ]
  const statuses = listErrorStatuses(endpoint)
  return {
    operationId: endpoint.operation,
    summary: endpoint.summary,
    description: endpoint.description,
    tags: [endpoint.tag],
    ...(endpoint.access === 'public' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: toOpenApiSchema(endpoint.body, 'request'), example: endpoint.example.body },
            },
          },
        }),
    responses: {
      200: toResponse(endpoint, endpoint.hasCreated ? 'Done; nothing was created.' : 'Done.'),
      ...(endpoint.hasCreated ? { 201: toResponse(endpoint, 'Created.') } : {}),
      ...Object.fromEntries(
        statuses.map((status) => [status, { $ref: `#/components/responses/${RESPONSES[status].name}` }]),
      ),
    },
  }
}

function toResponse(endpoint: AnyEndpoint, description: string): object {
  return {
    description,
    headers: refHeaders([
      ...(endpoint.access === 'public' ? (['X-Request-Id'] as const) : WITH_KEY),
      ...(endpoint.rows === undefined ? [] : OF_ROWS),
    ]),
    content: {
      [MEDIA_TYPES.json]: {
        schema: toOpenApiSchema(endpoint.response, 'response'),
        example: endpoint.example.response,
      },
      ...toRowContents(endpoint),
    },
  }
}

/** The other formats of a list or report, by their media types. */
function toRowContents({ rows, example }: AnyEndpoint): Record<string, object> {
  if (rows === undefined) return {}
  const { data } = example.response as { readonly data: readonly object[] }
  const fields = Object.keys(data[0] ?? {})
  const columns = listColumns(rows.row, fields)
  return Object.fromEntries(
    ROW_FORMATS.map((format) => [
      MEDIA_TYPES[format],
      { schema: { type: 'string' }, example: toHead(format, columns) + toLines(format, columns, data) },
    ]),
  )
}

/** Of answers as CSV and NDJSON alone. */
const OF_ROWS: readonly HeaderName[] = ['Content-Disposition', 'X-Total-Results', 'X-Next-Cursor']

const WITH_KEY: readonly HeaderName[] = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit']

function refHeaders(names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function toParameters(schema: Schema | undefined, place: 'path' | 'query', examples: unknown = {}): object[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = toOpenApiSchema(schema, 'request')
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...shape }: JsonSchema = typeof property === 'boolean' ? {} : property
    const example: unknown = Reflect.get(Object(examples), name)
    return {
      name,
      in: place,
      required: required.includes(name),
      description,
      schema: shape,
      ...(example === undefined ? {} : { example }),
    }
  })
}

function toErrorResponse(status: ErrorStatus): object {
  const codes = listCodes(status)
  const code = codes[0]
  const message = RESPONSES[status].description
  const headers: HeaderName[] = status === 429 || status === 503 ? ['X-Request-Id', 'Retry-After'] : ['X-Request-Id']
  return {
    description: `${message} Code ${codes.map((name) => `\`${name}\``).join(', ')}.`,
    headers: refHeaders(headers),
    content: {
      'application/json': {
        schema: toOpenApiSchema(defineErrorBody(codes), 'response'),
        example: { error: { code, message, request_id: HEADERS['X-Request-Id'].example } },
      },
    },
  }
}
