import type { ErrorCode } from '../../errors.ts'
import { ERRORS } from '../../errors.ts'
import type { AnyEndpoint, Schema } from '../endpoint.ts'

/** What a status means, for the document's named responses. */
export const RESPONSES = {
  400: { name: 'BadRequest', description: 'The request has faults; `details` lists each of them.' },
  401: { name: 'Unauthorized', description: 'The key is missing, malformed, unknown, revoked or expired.' },
  403: { name: 'Forbidden', description: 'No live Enterprise plan, or a key that may only read.' },
  404: { name: 'NotFound', description: 'The site does not exist or belongs to another organization.' },
  406: { name: 'NotAcceptable', description: '`Accept` names none of the formats.' },
  410: { name: 'Gone', description: 'The data that the cursor stands in is no longer kept.' },
  413: { name: 'PayloadTooLarge', description: 'The body is over 1 MiB.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not sent as uncompressed JSON.' },
  422: { name: 'PromptLimitReached', description: 'Activating the prompts would exceed the cap of the plan.' },
  429: { name: 'TooManyRequests', description: 'The key has used up its requests or writes of this minute.' },
  500: { name: 'InternalError', description: 'The service failed on this request.' },
  503: { name: 'Unavailable', description: 'The service can not do this now; try again later.' },
} as const
export type ErrorStatus = keyof typeof RESPONSES

/** Every status beside 200 that the endpoint can answer with (contract/api 10). */
export function listErrorStatuses(endpoint: AnyEndpoint): ErrorStatus[] {
  const needsKey = endpoint.access !== 'public'
  const hasBody = endpoint.body !== undefined
  const site = hasField(endpoint.params, 'site_id') || hasField(endpoint.body, 'site_id')
  const statuses: [ErrorStatus, boolean][] = [
    [400, true],
    [401, needsKey],
    [403, needsKey],
    [404, site],
    [406, endpoint.rows !== undefined],
    [410, hasField(endpoint.body, 'cursor')],
    [413, hasBody],
    [415, hasBody],
    [422, endpoint.errors?.some((code) => ERRORS[code] === 422) ?? false],
    [429, needsKey],
    [500, true],
    [503, true],
  ]
  return statuses.flatMap(([status, applies]) => (applies ? [status] : []))
}

/** The codes of a status, in the order of the table of errors. */
export function listCodes(status: ErrorStatus): ErrorCode[] {
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code] === status)
}

function hasField(schema: Schema | undefined, name: string): boolean {
  return schema !== undefined && 'entries' in schema && Object.hasOwn(Object(schema.entries), name)
}
