import * as v from 'valibot'
import type { App } from '../src/app.ts'
import { ApiError, type ErrorDetail, UsageError } from '../src/errors.ts'
import { findReportFaults } from '../src/http/report-endpoint.ts'
import { parseWith } from '../src/schemas/parse-with.ts'
import { startWork } from '../src/lake/read/work.ts'
import type { Report } from '../src/reports/index.ts'
import type { RangeRequest } from '../src/reports/request.ts'
import type { Flag } from './command.ts'

type Contract = Report['contract']
type Schema = v.GenericSchema

/** A flag for each field of a report's request but the site and the cursor; `start_date` is `--from`. */
export function listReportFlags({ request }: Contract): Readonly<Record<string, Flag>> {
  return Object.fromEntries(
    listFields(request).map(([field, schema]): [string, Flag] => {
      const shape = toShape(schema)
      const required = schema.type === 'optional' ? {} : ({ required: true } as const)
      const description = DESCRIPTIONS[field] ?? toPhrase(findDescription(schema) ?? field)
      if (shape.type === 'picklist')
        return [toFlag(field), { type: 'enum', options: optionsOf(shape), description, ...required }]
      const valueHint = hintOf(field, shape)
      return [toFlag(field), { type: 'string', valueHint, description: describe(description, shape), ...required }]
    }),
  )
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  limit: 'at most so many rows, as many as a page of the API may have; all of them without it',
  filter:
    'what rows are counted from: {"field": "FIELD", "op": "is", "value": "VALUE"}, or filters joined by and, or, not',
  sort: 'what rows are sorted by: {"field": "FIELD", "dir": "asc"}, or desc',
}

/**
 * The request that the flags make, checked as the API checks a body. What is wrong is a UsageError that names the flags.
 * `isWhole`: no limit was given, all rows are wanted.
 */
export async function readRequest(
  app: App,
  { request }: Contract,
  args: Readonly<Record<string, unknown>>,
): Promise<{ readonly request: RangeRequest; readonly isWhole: boolean }> {
  const body: Record<string, unknown> = { site_id: args['site'] }
  for (const [field, schema] of listFields(request)) {
    const text = args[toFlag(field)]
    if (typeof text === 'string') body[field] = readValue(toFlag(field), text, toShape(schema))
  }
  using work = startWork(app.config.queryTimeoutMs)
  const parsed = parseWith(request, body, 'request')
  const faults = [...('faults' in parsed ? parsed.faults : []), ...(await findReportFaults(app, body, work))]
  if ('faults' in parsed || faults.length > 0) throw toUsageError(faults)
  return { request: parsed.value, isWhole: body['limit'] === undefined }
}

/** Rethrows what the site has against a request, such as a brand that it doesn't have, as wrong usage; other errors as they are. */
export function refuseRequest(error: unknown): never {
  const isFault = error instanceof ApiError && error.code === 'invalid_request' && error.details !== undefined
  throw isFault ? toUsageError(error.details ?? []) : error
}

function toUsageError(faults: readonly ErrorDetail[]): UsageError {
  const told = faults.map(({ path, message }) => {
    const [field = '', ...rest] = path.split('.')
    return `--${toFlag(field)}${rest.length === 0 ? '' : ` (${rest.join('.')})`}: ${message}`
  })
  return new UsageError(told.join(' '))
}

function listFields(request: Schema): [field: string, schema: Schema][] {
  const entries: Readonly<Record<string, Schema>> = 'entries' in request ? Object(request.entries) : {}
  return Object.entries(entries).filter(([field]) => field !== 'site_id' && field !== 'cursor')
}

function toFlag(field: string): string {
  return field
    .replace(/start_date$/, 'from')
    .replace(/end_date$/, 'to')
    .replaceAll('_', '-')
}

/** What stands behind `optional` and a getter: a schema whose type says what the flag's text is. */
function toShape(schema: Schema): Schema {
  if ('wrapped' in schema) return toShape(Object(schema.wrapped))
  if (schema.type === 'lazy' && 'getter' in schema) return toShape(Object(schema.getter)(undefined))
  return schema
}

function findDescription(schema: Schema): string | undefined {
  const inner: unknown = 'wrapped' in schema ? schema.wrapped : undefined
  return v.getDescription(schema) ?? (inner === undefined ? undefined : findDescription(Object(inner)))
}

/** The schemas of a union; any other alone. */
function membersOf(shape: Schema): Schema[] {
  return shape.type === 'union' && 'options' in shape ? Object(shape.options).map(toShape) : [shape]
}

function optionsOf(shape: Schema): readonly string[] {
  return 'options' in shape && shape.type === 'picklist' ? Object(shape.options) : []
}

function findList(shape: Schema): Schema | undefined {
  return membersOf(shape).find(({ type }) => type === 'array')
}

function hintOf(field: string, shape: Schema): string {
  if (field.endsWith('_date')) return 'DAY'
  if (shape.type === 'number') return 'N'
  if (findList(shape) !== undefined) return 'LIST'
  return shape.type === 'string' ? toFlag(field).toUpperCase() : 'JSON'
}

/** With the names that a list may hold. */
function describe(description: string, shape: Schema): string {
  const list = findList(shape)
  const names = list !== undefined && 'item' in list ? optionsOf(Object(list.item)) : []
  return names.length === 0 ? description : `${description} (${names.join(', ')})`
}

/** The API's sentence as help has it. */
function toPhrase(sentence: string): string {
  const [first = '', ...rest] = sentence.replaceAll('`', '').replace(/\.$/, '')
  return first.toLowerCase() + rest.join('')
}

/** What a flag's text stands for: JSON where it begins so, a number, a list parted by commas, or the text itself. */
function readValue(flag: string, text: string, shape: Schema): unknown {
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text)
    } catch {
      throw new UsageError(`--${flag} is not valid JSON; correct its syntax`)
    }
  }
  if (shape.type === 'number' && /^-?\d+$/.test(text)) return Number(text)
  const isOne = membersOf(shape).some((member) => optionsOf(member).includes(text))
  return findList(shape) === undefined || isOne ? text : text.split(',').map((part) => part.trim())
}
