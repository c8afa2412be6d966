import assert from 'node:assert/strict'
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as v from 'valibot'
import { UI_ENDPOINTS } from '../../src/http/dashboard/ui-endpoints.ts'
import { ENDPOINTS } from '../../src/http/endpoints/index.ts'
import { createDocument } from '../../src/http/openapi/document.ts'
import type { TestRequest, TestResponse } from './http.ts'

export const DOCUMENT = createDocument(ENDPOINTS)

/** Every header that an answer may carry. */
const HEADERS = new Set([
  'allow',
  'cache-control',
  'connection',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'transfer-encoding',
  'vary',
  'www-authenticate',
  'x-content-type-options',
  'x-next-cursor',
  'x-request-id',
  'x-total-results',
])

/**
 * Fails unless the answer is what the OpenAPI document says of endpoint and status, without a field more, and carries the
 * headers of every answer. Answers outside the endpoints must hold the error body.
 */
export function expectDocumented(request: TestRequest, response: TestResponse): void {
  const { method = 'GET', path } = request
  const { status, headers, body, text } = response
  const what = `${method} ${path} → ${status}`
  const isUi = path.startsWith('/ui/')
  const surprising = Object.keys(headers).filter((name) => !HEADERS.has(name) && !(isUi && name === 'set-cookie'))
  assert.deepEqual(surprising, [], what)
  assert.match(String(headers['x-request-id']), /^req_[0-9a-z]{26}$/, what)
  assert.equal(headers['cache-control'], 'no-store', what)
  assert.equal(headers['x-content-type-options'], 'nosniff', what)
  if (method === 'HEAD') {
    assert.equal(text, '', what)
    return
  }
  if (/^\/(healthz|readyz)$/.test(path) && status !== 405) return
  if (isUi) return expectUiAnswer(request, response)

  const type = String(headers['content-type']).replace(/;.*/, '')
  if (type !== 'application/json') {
    const documented = Reflect.get(DOCUMENT.paths[findTemplate(path) ?? ''] ?? {}, method.toLowerCase())
    assert.ok(documented?.responses[status].content[type], `${what}: ${type} is not documented`)
    return
  }
  const template = findTemplate(path)
  const validate = template === undefined ? undefined : findValidator(template, method, status)
  if (validate === undefined) {
    // No operation of the document: an unknown path, a method that a path doesn't have, or a URL that isn't looked at.
    assert.ok([400, 404, 405, 431].includes(status), what)
    assert.deepEqual(Object.keys(body), ['error'], what)
    assert.deepEqual(Object.keys(body.error), ['code', 'message', 'request_id'], what)
  } else if (!validate(body)) {
    assert.fail(`${what} is not as documented: ${JSON.stringify(validate.errors)}\n${text}`)
  }
  if (status >= 400) {
    assert.equal(body.error.request_id, headers['x-request-id'], what)
    assert.doesNotMatch(text, /node_modules|\.ts:\d|SELECT |sqlite|duckdb|at \w+ \(/i, what)
  }
}

/** The same of an operation of the dashboard, which no document has: the body is what its schema says, without a field more. */
function expectUiAnswer({ method = 'GET', path }: TestRequest, { status, headers, body, text }: TestResponse): void {
  const what = `${method} ${path} → ${status}`
  if (status >= 400) {
    const { code, message, details, request_id, ...others } = body.error
    assert.deepEqual([Object.keys(body), others], [['error'], {}], what)
    assert.deepEqual([typeof code, typeof message, request_id], ['string', 'string', headers['x-request-id']], what)
    assert.ok(details === undefined || Array.isArray(details), what)
    assert.doesNotMatch(text, /node_modules|\.ts:\d|SELECT |sqlite|duckdb|at \w+ \(/i, what)
    return
  }
  const operations = UI_ENDPOINTS.filter((operation) => operation.method === method)
  const template = matchTemplate(
    operations.map((operation) => operation.path),
    path,
  )
  const operation = operations.find((one) => one.path === template)
  assert.ok(operation, `${what}: there is no such operation`)
  if (!String(headers['content-type']).startsWith('application/json')) {
    assert.ok(operation.rows, `${what}: the operation has no rows`)
    return
  }
  assert.deepEqual(v.parse(operation.response, body), body, what)
}

/** Whether the document allows the body for the operation. */
export function isDocumentedBody(method: string, template: string, body: unknown): boolean {
  const pointer = `${toPointer(template, method)}/requestBody/content/application~1json/schema`
  return compile(pointer)(body)
}

/** The path template of a target, when it is an endpoint's. */
function findTemplate(target: string): string | undefined {
  return matchTemplate(Object.keys(DOCUMENT.paths), target)
}

function matchTemplate(templates: readonly string[], target: string): string | undefined {
  const path = target.split('?')[0] ?? ''
  const matches = templates.filter((template) =>
    new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  return matches.find((template) => !template.includes('{')) ?? matches[0]
}

function findValidator(template: string, method: string, status: number): ValidateFunction | undefined {
  const operation = Reflect.get(DOCUMENT.paths[template] ?? {}, method.toLowerCase())
  const response = operation?.responses?.[status]
  if (response === undefined) return undefined
  const pointer = response.$ref?.slice(1) ?? `${toPointer(template, method)}/responses/${status}`
  return compile(`${pointer}/content/application~1json/schema`)
}

function toPointer(template: string, method: string): string {
  return `/paths/${template.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method.toLowerCase()}`
}

const ajv = new Ajv2020.default({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'openapi.json', ...closeObjects(DOCUMENT) })
const compiled = new Map<string, ValidateFunction>()

function compile(pointer: string): ValidateFunction {
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi.json#${pointer}` })
  compiled.set(pointer, validate)
  return validate
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
