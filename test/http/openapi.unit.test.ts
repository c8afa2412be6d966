import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../src/errors.ts'
import { ENDPOINTS } from '../../src/http/endpoints/index.ts'
import { listCodes, RESPONSES } from '../../src/http/openapi/errors.ts'
import { DOCUMENT, isDocumentedBody } from '../support/documented.ts'
import { expectGolden } from '../support/golden.ts'

const named = ENDPOINTS.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

describe('the OpenAPI document', () => {
  it('is as it was reviewed', () => {
    expectGolden('test/golden/openapi.json', `${JSON.stringify(DOCUMENT, null, 2)}\n`)
  })

  it('lists for each endpoint every status that it can answer with', () => {
    const statuses = Object.entries(DOCUMENT.paths).flatMap(([path, operations]) =>
      Object.entries(operations as Record<string, { responses: object }>).map(([method, { responses }]) => [
        `${method.toUpperCase()} ${path}`,
        Object.keys(responses).map(Number),
      ]),
    )
    const read = [200, 400, 401, 403, 429, 500, 503]
    const list = [200, 400, 401, 403, 406, 429, 500, 503]
    const ofSite = [200, 400, 401, 403, 404, 429, 500, 503]
    const listOfSite = [200, 400, 401, 403, 404, 406, 429, 500, 503]
    const write = [200, 400, 401, 403, 404, 413, 415, 429, 500, 503]
    const report = [200, 400, 401, 403, 404, 406, 410, 413, 415, 429, 500, 503]
    expect(Object.fromEntries(statuses)).toEqual({
      'GET /v1/openapi.json': [200, 400, 500, 503],
      'GET /v1/me': read,
      'GET /v1/sites': list,
      'GET /v1/sites/{site_id}': ofSite,
      'GET /v1/sites/{site_id}/competitors': listOfSite,
      'GET /v1/platforms': list,
      'GET /v1/sites/{site_id}/prompts': listOfSite,
      'POST /v1/sites/{site_id}/prompts': [200, 201, 400, 401, 403, 404, 413, 415, 422, 429, 500, 503],
      'PATCH /v1/sites/{site_id}/prompts': write,
      'PATCH /v1/sites/{site_id}/prompts/status': [200, 400, 401, 403, 404, 413, 415, 422, 429, 500, 503],
      'GET /v1/sites/{site_id}/actions': listOfSite,
      'POST /v1/reports/visibility': report,
      'POST /v1/reports/bots': report,
      'POST /v1/reports/referrals': report,
      'POST /v1/reports/citations': report,
      'POST /v1/reports/sentiment': report,
      'GET /v1/sites/{site_id}/quality': ofSite,
      'POST /v1/reports/searches': report,
      'POST /v1/reports/changes': report,
      'POST /v1/answers': report,
    })
  })

  it('names every error code under its status, but for those of paths, of what Node refuses and of broken answers', () => {
    const documented = Object.keys(RESPONSES).flatMap((status) => listCodes(Number(status) as keyof typeof RESPONSES))
    expect([...documented, 'method_not_allowed', 'headers_too_large', 'too_many_rows'].toSorted()).toEqual(
      Object.keys(ERRORS).toSorted(),
    )
  })

  it('asks for a key everywhere but for itself', () => {
    const open = Object.entries(DOCUMENT.paths).flatMap(([path, operations]) =>
      Object.values(operations as Record<string, { security?: unknown[] }>).flatMap(({ security }) =>
        security?.length === 0 ? [path] : [],
      ),
    )
    expect([DOCUMENT['security'], open]).toEqual([[{ ApiKey: [] }, { Bearer: [] }], ['/v1/openapi.json']])
  })

  it('gives every operation a name of its own', () => {
    expect(new Set(ENDPOINTS.map(({ operation }) => operation)).size).toBe(ENDPOINTS.length)
  })
})

describe('the examples', () => {
  it.each(named)(
    'of %s are what the service takes and gives',
    (_name, { method, path, query, body, response, example }) => {
      expect(v.safeParse(response, example.response).issues).toBeUndefined()
      if (query !== undefined) expect(v.safeParse(query, example.query ?? {}).issues).toBeUndefined()
      if (body === undefined) return
      expect(v.safeParse(body, example.body).issues).toBeUndefined()
      expect(isDocumentedBody(method, path, example.body)).toBe(true)
    },
  )
})

describe('for generators of clients', () => {
  const schemas = listSchemas(DOCUMENT)

  it('has a name for each enumeration in a list, each member of a union of several shapes', () => {
    const isAnonymous = (schema: Schema): boolean => schema.$ref === undefined
    const inLists = schemas.flatMap(({ items }) => (items?.enum && isAnonymous(items) ? [items] : []))
    const inUnions = schemas.flatMap(({ anyOf = [] }) => {
      const members = anyOf.filter(({ type }) => type !== 'null')
      return members.length > 1 ? members.filter(isAnonymous) : []
    })
    expect([inLists, inUnions]).toEqual([[], []])
    const isUnion = ({ $ref = '' }: Schema): boolean => resolve($ref)?.anyOf !== undefined
    expect(schemas.filter((schema) => isUnion(schema) && schema.default !== undefined)).toEqual([])
  })

  it('refers to what is there', () => {
    const missing = schemas.flatMap(({ $ref }) => ($ref?.includes('/schemas/') && !resolve($ref) ? [$ref] : []))
    expect(missing).toEqual([])
  })

  it('gives each number a format', () => {
    const numbers = schemas.filter(({ type }) => type === 'number' || type === 'integer')
    expect(numbers.length).toBeGreaterThan(30)
    expect(numbers.filter(({ type, format = '' }) => !FORMATS[type as keyof typeof FORMATS].includes(format))).toEqual(
      [],
    )
  })
})

const FORMATS = { number: ['double'], integer: ['int32', 'int64'] }

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: unknown
  readonly default?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

function resolve(reference: string): Schema | undefined {
  const { schemas } = DOCUMENT['components'] as { schemas: Record<string, Schema> }
  return schemas[reference.split('/').at(-1) ?? '']
}

/** Every object of the document but examples. */
function listSchemas(part: unknown): Schema[] {
  if (typeof part !== 'object' || part === null) return []
  const inner = Object.entries(part).flatMap(([key, value]) => (key === 'example' ? [] : listSchemas(value)))
  return Array.isArray(part) ? inner : [part, ...inner]
}
