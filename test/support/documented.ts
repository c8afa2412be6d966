import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { ENDPOINTS } from '../../src/http/endpoints/index.ts'
import { createDocument } from '../../src/http/openapi/document.ts'
import type { TestRequest, TestResponse } from './http.ts'

export const DOCUMENT = createDocument(ENDPOINTS)

/** Every header that an answer may carry; `x-request-id` and the two fixed ones are on all of them. */
const HEADERS = new Set([
  'allow',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'vary',
  'www-authenticate',
  'x-content-type-options',
  'x-request-id',
])

/**
 * Fails unless the answer is what the OpenAPI document says of endpoint and status, without a field more, and carries the
 * headers of every answer. Answers outside the endpoints must hold the error body.
 */
export function expectDocumented(request: TestRequest, response: TestResponse): void {
  const { method = 'GET', path } = request
  const { status, headers, body, text } = response
  const what = `${method} ${path} → ${status}`
  expect(
    Object.keys(headers).filter((name) => !HEADERS.has(name)),
    what,
  ).toEqual([])
  expect(headers, what).toMatchObject({
    'x-request-id': expect.stringMatching(/^req_[0-9a-z]{26}$/),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  if (method === 'HEAD') {
    expect(text, what).toBe('')
    return
  }
  if (/^\/(healthz|readyz)$/.test(path) && status !== 405) return

  const template = findTemplate(path)
  const validate = template && findValidator(template, method, status)
  if (validate) {
    if (!validate(body)) expect.fail(`${what} is not as documented: ${JSON.stringify(validate.errors)}\n${text}`)
  } else {
    expect([404, 405, 400], what).toContain(status)
    expect(body, what).toEqual({
      error: expect.objectContaining({ code: expect.any(String), message: expect.any(String) }),
    })
  }
  if (status !== 200) {
    expect(body.error.request_id, what).toBe(headers['x-request-id'])
    expect(text, what).not.toMatch(/node_modules|\.ts:\d|SELECT |sqlite|duckdb|at \w+ \(/i)
  }
}

/** The path template of a target, when it is an endpoint's. */
function findTemplate(target: string): string | undefined {
  const path = target.split('?')[0] ?? ''
  const matches = Object.keys(DOCUMENT.paths).filter((template) =>
    new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  return matches.find((template) => !template.includes('{')) ?? matches[0]
}

const ajv = new Ajv2020.default({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'openapi.json', ...closeObjects(DOCUMENT) })
const validators = new Map<string, ValidateFunction | undefined>()

function findValidator(template: string, method: string, status: number): ValidateFunction | undefined {
  const key = `${method} ${template} ${status}`
  if (!validators.has(key)) {
    const operation = Reflect.get(DOCUMENT.paths[template] ?? {}, method.toLowerCase())
    const response = operation?.responses?.[status]
    const pointer =
      response?.$ref?.replace('#', '') ??
      `/paths/${template.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method.toLowerCase()}/responses/${status}`
    validators.set(key, response && ajv.compile({ $ref: `openapi.json#${pointer}/content/application~1json/schema` }))
  }
  return validators.get(key)
}

/** The document promises that fields may be added; the tests hold answers to those that it names. */
function closeObjects(node: unknown): object {
  return JSON.parse(JSON.stringify(node), (_key, value) => {
    const isShape = value?.type === 'object' && value.properties && value.additionalProperties === undefined
    return isShape && !value.properties.openapi && !value.properties.title
      ? { ...value, additionalProperties: false }
      : value
  })
}
