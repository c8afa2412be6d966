import { ApiError } from '../errors.ts'
import { ROW_FORMATS, type RowFormat } from '../rows/row-format.ts'

/** In what form a list or report is answered. */
export type AnswerFormat = 'json' | RowFormat

/** Media types, in our own order where a client has no preference. */
export const MEDIA_TYPES = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
} as const satisfies Record<AnswerFormat, string>

/** A member of an `Accept` header: a type, or a wildcard for several. */
interface Range {
  readonly type: string
  readonly weight: number
}

/**
 * The format that an `Accept` header asks for (contract/api 14.1): the highest weight, of equal ones a named type before a
 * wildcard, then the first. Parameters but `q` play no part. Throws ApiError `not_acceptable` when it takes none.
 */
export function chooseFormat(accept: string | undefined): AnswerFormat {
  const ranges = parseRanges(accept ?? '')
  if (ranges.length === 0) return 'json'
  const [best] = (['json', ...ROW_FORMATS] as const)
    .map((format) => ({ format, ...judge(MEDIA_TYPES[format], ranges) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight || Number(b.isNamed) - Number(a.isNamed) || a.place - b.place)
  if (best !== undefined) return best.format
  throw new ApiError(
    'not_acceptable',
    `Send one of ${Object.values(MEDIA_TYPES).join(', ')} as Accept, or none at all.`,
  )
}

/** True when an `Accept` header names HTML itself, as browsers do for a page; a wildcard doesn't. */
export function namesHtml(accept: string | undefined): boolean {
  return parseRanges(accept ?? '').some(({ type, weight }) => type === 'text/html' && weight > 0)
}

/** How a type fares: by the most particular of the ranges that hold it (RFC 9110, 12.5.1). */
function judge(type: string, ranges: readonly Range[]): { weight: number; isNamed: boolean; place: number } {
  for (const wanted of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const found = ranges.filter((range) => range.type === wanted)
    const weight = Math.max(...found.map((range) => range.weight))
    const place = ranges.findIndex((range) => range.type === wanted && range.weight === weight)
    if (place >= 0) return { weight, isNamed: wanted === type, place }
  }
  return { weight: 0, isNamed: false, place: 0 }
}

function parseRanges(accept: string): Range[] {
  // What is quoted may hold commas, and is never part of a type or a weight.
  const plain = accept.replaceAll(/"(?:\\.|[^"\\])*"?/g, '""').toLowerCase()
  return plain.split(',').flatMap((member) => {
    const [type = '', ...parameters] = member.split(';').map((part) => part.trim())
    if (type === '') return []
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '')
    return [{ type, weight: weight === undefined ? 1 : Math.min(1, Number(weight) || 0) }]
  })
}
