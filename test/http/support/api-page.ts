import type { JsonSchema } from '@valibot/to-json-schema'
import { ERRORS, type ErrorCode } from '../../../src/errors.ts'
import { type AnyEndpoint, type Schema, TAGS } from '../../../src/http/endpoint.ts'
import { ENDPOINTS } from '../../../src/http/endpoints/index.ts'
import { listErrorStatuses } from '../../../src/http/openapi/errors.ts'
import { listComponents, toOpenApiSchema } from '../../../src/http/openapi/json-schema.ts'
import { API_GUIDE, ERROR_MEANINGS } from './api-guide.ts'
import { API_SAMPLES, type Sample } from './api-samples.ts'
import { type DemoService, openDemoService } from './demo-service.ts'

const ORIGIN = 'http://127.0.0.1:8080'

/** The text of `docs/api.md`: the guide, then each endpoint with a `curl` line and its true output over the demo. */
export async function renderApiPage(): Promise<string> {
  const service = await openDemoService()
  try {
    const parts = [API_GUIDE, renderErrors()]
    for (const [tag, description] of Object.entries(TAGS)) {
      parts.push(`## ${tag}\n\n${description}\n`)
      for (const endpoint of ENDPOINTS.filter((candidate) => candidate.tag === tag)) {
        parts.push(await renderEndpoint(endpoint, service))
      }
    }
    return parts.join('\n')
  } finally {
    await service.close()
  }
}

function renderErrors(): string {
  const rows = (Object.keys(ERRORS) as ErrorCode[]).map(
    (code) => `| ${ERRORS[code]} | \`${code}\` | ${ERROR_MEANINGS[code]} |`,
  )
  return `| status | code | when |\n| --- | --- | --- |\n${rows.join('\n')}\n`
}

async function renderEndpoint(endpoint: AnyEndpoint, service: DemoService): Promise<string> {
  const { method, path, summary, description, access, query, body } = endpoint
  const needs = { public: 'Needs no key.', read: '', write: 'Needs a key that may manage prompts; counts as a write.' }
  const statuses = listErrorStatuses(endpoint).join(', ')
  const parts = [
    `### ${method} ${path}`,
    `${summary}. ${description} ${needs[access]}`.trim(),
    ...renderFields('Query', query),
    ...renderFields('Body', body),
    ...renderData(endpoint.response),
    `Other statuses: ${statuses}.`,
    ...(await renderSample(endpoint, service)),
  ]
  return `${parts.join('\n\n')}\n`
}

function renderFields(title: string, schema: AnyEndpoint['body']): string[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = toOpenApiSchema(schema, 'request')
  const rows = Object.entries(properties).flatMap(([name, property]) => {
    if (typeof property === 'boolean') return []
    const needed = required.includes(name) ? 'required' : renderDefault(property)
    return [
      `| \`${name}\` | ${renderType(property)} | ${needed} | ${property.description ?? ''} |`,
      ...renderMembers(name, property),
    ]
  })
  return [`| ${title} | type | default | |\n| --- | --- | --- | --- |\n${rows.join('\n')}`]
}

/** What stands in `data`, where the document has a name for it. */
function renderData(response: Schema): string[] {
  const data = toOpenApiSchema(response, 'response').properties?.['data']
  if (typeof data !== 'object') return []
  const reference = data.$ref ?? (isSchema(data.items) ? data.items.$ref : undefined)
  const shape = COMPONENTS[reference?.split('/').at(-1) ?? '']
  if (shape === undefined) return []
  const rows = Object.entries(shape.properties ?? {}).flatMap(([name, property]) =>
    typeof property === 'boolean' ? [] : [`| \`${name}\` | ${renderType(property)} | ${property.description ?? ''} |`],
  )
  return [`| \`${data.$ref === undefined ? 'data[]' : 'data'}\` | type | |\n| --- | --- | --- |\n${rows.join('\n')}`]
}

const COMPONENTS = listComponents()

/** Fields of the objects in an array, or of an object. */
function renderMembers(name: string, property: JsonSchema): string[] {
  const [shape, prefix] = isSchema(property.items) ? [property.items, `${name}[].`] : [property, `${name}.`]
  return Object.entries(shape.properties ?? {}).flatMap(([member, schema]) => {
    if (typeof schema === 'boolean') return []
    const needed = shape.required?.includes(member) ? 'required' : renderDefault(schema)
    return [`| \`${prefix}${member}\` | ${renderType(schema)} | ${needed} | ${schema.description ?? ''} |`]
  })
}

function isSchema(items: JsonSchema['items']): items is JsonSchema {
  return typeof items === 'object' && !Array.isArray(items)
}

/** `all` for a list of everything that it may name. */
function renderDefault({ default: value, items }: JsonSchema): string {
  if (value === undefined) return ''
  if (!Array.isArray(value) || value.length === 0) return `\`${JSON.stringify(value)}\``
  const names = isSchema(items) ? COMPONENTS[items.$ref?.split('/').at(-1) ?? '']?.enum : undefined
  return names === undefined || names.length === value.length ? 'all' : `\`${value.join('`, `')}\``
}

function renderType(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return renderReference(schema.$ref.split('/').at(-1) ?? '')
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => renderType(one as JsonSchema)).join(' or ')
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `\`${JSON.stringify(value).replaceAll('"', '')}\``).join(', ')
  if (schema.type === 'array') {
    const most =
      schema.maxItems === undefined ||
      (isSchema(schema.items) && resolve(schema.items).enum?.length === schema.maxItems)
        ? ''
        : ` up to ${schema.maxItems}`
    return isSchema(schema.items) ? `list of${most}: ${renderType(schema.items)}` : 'list'
  }
  if (schema.type === 'integer') return `integer${renderRange(schema)}`
  if (schema.type === 'number') return `number${renderRange(schema)}`
  if (schema.format === 'date') return '`YYYY-MM-DD`'
  if (schema.format === 'date-time') return 'timestamp'
  if (schema.properties !== undefined) return `{ ${Object.keys(schema.properties).join(', ')} }`
  return String(schema.type)
}

function renderRange({ minimum, maximum }: JsonSchema): string {
  if (maximum !== undefined) return ` ${minimum} to ${maximum}`
  return minimum === undefined || minimum === 0 ? '' : ` from ${minimum}`
}

function resolve(schema: JsonSchema): JsonSchema {
  return COMPONENTS[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
}

function renderReference(name: string): string {
  if (name === 'Brands') return '`owned`, `all` or a list of up to 100 names'
  if (name.endsWith('Filter')) return '[filter](#filters)'
  return renderType(COMPONENTS[name] ?? {})
}

async function renderSample(endpoint: AnyEndpoint, service: DemoService): Promise<string[]> {
  const sample = API_SAMPLES[endpoint.operation]
  if (sample === null) return []
  if (sample === undefined) throw new Error(`api-samples.ts has none for ${endpoint.operation}`)
  const path = endpoint.path.replace('{site_id}', service.siteId) + (sample.query ?? '')
  const body =
    sample.body === undefined
      ? undefined
      : { ...('site_id' in Object(endpoint.example.body) && { site_id: service.siteId }), ...sample.body }
  const { status, text } = await service.send({
    method: endpoint.method,
    path,
    key: service.key,
    ...(body && { body }),
  })
  if (status !== 200) throw new Error(`${endpoint.operation}: ${text}`)
  return [
    `\`\`\`sh\n${toCurl(endpoint, path, body, sample)}\n\`\`\``,
    `\`\`\`json\n${renderOutput(text, sample, service)}\n\`\`\``,
  ]
}

function toCurl({ method, access }: AnyEndpoint, path: string, body: object | undefined, sample: Sample): string {
  const url = path.includes('?') ? `'${ORIGIN}${path}'` : ORIGIN + path
  const parts = [
    'curl -s',
    ...(method === 'PATCH' ? ['-X PATCH'] : []),
    ...(access === 'public' ? [] : ['-H "X-API-Key: $KEY"']),
    url,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`]),
    ...(sample.bytes === undefined ? [] : [`| head -c ${sample.bytes}`]),
  ]
  return parts.join(' ')
}

/** The output as it came, laid out to be read; ids that chance makes are replaced by one of the same form, cursors by dots. */
function renderOutput(text: string, { bytes }: Sample, { key }: DemoService): string {
  if (text.includes(key)) throw new Error('an answer repeats the key')
  const steady = text
    .replaceAll(/\b(key|cmp|act)_[0-9a-hjkmnp-tv-z]{26}\b/g, '$1_01k9w5q3f0a1b2c3d4e5f6g7h8')
    .replaceAll(/"next_cursor":"[^"]+"/g, '"next_cursor":"…"')
  return bytes === undefined ? layOut(JSON.parse(steady)) : steady.slice(0, bytes)
}

/** JSON with short objects and lists on one line. */
function layOut(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= 110) return spaced(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) return `[\n${value.map((item) => inner + layOut(item, inner)).join(',\n')}\n${indent}]`
  const fields = Object.entries(value).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${layOut(item, inner)}`)
  return `{\n${fields.join(',\n')}\n${indent}}`
}

function spaced(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  return `{${Object.entries(value)
    .map(([name, item]) => ` ${JSON.stringify(name)}: ${spaced(item)}`)
    .join(',')} }`
}
