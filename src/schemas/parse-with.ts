import * as v from 'valibot'
import type { ErrorDetail } from '../errors.ts'
import { FAULTS_LISTED_MAX } from '../limits.ts'

/** A parsed value, or what is wrong with it. */
export type Parsed<T> = { readonly value: T } | { readonly faults: readonly ErrorDetail[] }

/** Holds a value against a schema; every fault is told (of a flood the first hundred), with its dotted path (`root` for the value itself). */
export function parseWith<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  root: string,
): Parsed<v.InferOutput<S>> {
  const result = v.safeParse(schema, value)
  if (result.success) return { value: result.output }
  const listed = result.issues.slice(0, FAULTS_LISTED_MAX)
  return { faults: listed.map((issue) => ({ path: v.getDotPath(issue) ?? root, message: toMessage(issue) })) }
}

/** What to do about a fault. Checks of our own say it themselves. */
function toMessage(issue: v.BaseIssue<unknown>): string {
  const bound = String(issue.requirement)
  switch (issue.type) {
    case 'strict_object':
      if (issue.expected === 'never') return 'Unknown field. Remove it.'
      return issue.expected === 'Object' ? 'Use an object.' : 'Required. Add it.'
    case 'string':
      return 'Use a string.'
    case 'number':
      return 'Use a number.'
    case 'integer':
      return 'Use a whole number.'
    case 'boolean':
      return 'Use true or false.'
    case 'array':
      return 'Use an array.'
    case 'picklist':
    case 'literal':
      return `Use one of ${(issue.expected ?? '').replace(/^\(|\)$/g, '').replaceAll(' | ', ', ')}.`
    case 'iso_date':
      return 'Use a day in the form YYYY-MM-DD.'
    case 'min_value':
      return `Use at least ${bound}.`
    case 'max_value':
      return `Use at most ${bound}.`
    case 'min_length':
      return Array.isArray(issue.input) ? `Name at least ${bound}.` : 'Use a text that is not empty.'
    case 'max_length':
      return Array.isArray(issue.input) ? `Name at most ${bound}.` : `Use at most ${bound} characters.`
    default:
      return issue.message
  }
}
