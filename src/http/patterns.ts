import * as v from 'valibot'
import type { ErrorDetail } from '../errors.ts'
import type { Lake } from '../lake/lake.ts'
import { PATTERN_CHARACTERS_MAX, PATTERN_REPETITION_MAX, PATTERN_SIZE_MAX, PATTERNS_MAX } from '../limits.ts'
import { findPatternFault } from '../reports/filter.ts'
import { FilterValue, findExcess } from '../reports/filter-schema.ts'

/**
 * Faults of the expressions of `matches` in a filter that may have other faults: too many or too large ones, and what RE2
 * refuses. Ends with the lake's work.
 */
export async function findPatternFaults(lake: Lake, filter: unknown): Promise<readonly ErrorDetail[]> {
  if (findExcess(filter) !== undefined) return []
  const patterns = listPatterns(filter, 'filter')
  if (patterns.length > PATTERNS_MAX) {
    return [{ path: 'filter', message: `Use matches in at most ${PATTERNS_MAX} conditions.` }]
  }
  const faults: ErrorDetail[] = []
  for (const { path, value } of patterns) {
    const message = findExcessivePart(value) ?? (await findRefusal(lake, value))
    if (message !== undefined) faults.push({ path: `${path}.value`, message })
  }
  return faults
}

async function findRefusal(lake: Lake, pattern: string): Promise<string | undefined> {
  const fault = await findPatternFault(pattern, lake)
  return fault === undefined ? undefined : `Not a valid RE2 regular expression: ${fault}. Correct the pattern.`
}

function findExcessivePart(pattern: string): string | undefined {
  if (Array.from(pattern).length > PATTERN_CHARACTERS_MAX) {
    return `Use at most ${PATTERN_CHARACTERS_MAX} characters in a regular expression.`
  }
  const { repetition, size } = measurePattern(pattern)
  if (repetition > PATTERN_REPETITION_MAX) return `Repeat at most ${PATTERN_REPETITION_MAX} times by a count.`
  if (size > PATTERN_SIZE_MAX) {
    return `Repeat less: with counted repetitions written out, the expression has over ${PATTERN_SIZE_MAX} parts.`
  }
  return undefined
}

/** A quoted text, an escape, a class, a counted repetition, or one character. */
const PARTS =
  /\\Q.*?(?:\\E|$)|\\[pPx](?:\{[^}]*\}|.)|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\{(?<least>\d+)(?:,(?<most>\d*))?\}|./gsu

/** The greatest count of a pattern's repetitions, and its parts when each is written as often as its count says. */
export function measurePattern(pattern: string): { readonly repetition: number; readonly size: number } {
  const outside: number[] = []
  let size = 0
  let last = 0
  let repetition = 0
  for (const { 0: part, groups } of pattern.matchAll(PARTS)) {
    if (groups?.['least'] !== undefined) {
      const count = Math.max(Number(groups['least']), Number(groups['most'] ?? 0), 1)
      repetition = Math.max(repetition, count)
      size += last * (count - 1)
      last *= count
    } else if (part === '(') {
      outside.push(size)
      size = 0
    } else if (part === ')' && outside.length > 0) {
      last = size
      size += outside.pop() ?? 0
    } else {
      last = part.startsWith('\\Q') ? part.length : 1
      size += last
    }
  }
  return { repetition, size: outside.reduce((sum, other) => sum + other, size) }
}

/** Conditions with `matches`, with their paths. */
function listPatterns(filter: unknown, path: string): { path: string; value: string }[] {
  const value = fieldOf(filter, 'value')
  const own = fieldOf(filter, 'op') === 'matches' && v.is(FilterValue, value) ? [{ path, value }] : []
  const members = ['and', 'or'].flatMap((name) => {
    const list = fieldOf(filter, name)
    return Array.isArray(list) ? list.flatMap((member, index) => listPatterns(member, `${path}.${name}.${index}`)) : []
  })
  const negated = fieldOf(filter, 'not')
  return [...own, ...members, ...(negated === undefined ? [] : listPatterns(negated, `${path}.not`))]
}

/** A field of an object that may be anything. */
export function fieldOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined
}
