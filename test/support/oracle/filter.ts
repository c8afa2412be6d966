import type { Condition, Filter } from '../../../src/reports/request.ts'

/** What a filter looks at: a field's value; a prompt has two that `is` and `in` compare, the text first. */
export type Fields = Readonly<Record<string, string | null | readonly [text: string, id: string]>>

/** Whether a filter holds (contract/api 4.1). Patterns must mean the same to RE2 and to JavaScript. */
export function passes(filter: Filter | undefined, fields: Fields): boolean {
  if (filter === undefined) return true
  if ('and' in filter) return filter.and.every((member) => passes(member, fields))
  if ('or' in filter) return filter.or.some((member) => passes(member, fields))
  if ('not' in filter) return !passes(filter.not, fields)
  return holds(filter, fields)
}

/** Fields that a filter names anywhere. */
export function fieldsOf(filter: Filter): string[] {
  if ('and' in filter) return filter.and.flatMap(fieldsOf)
  if ('or' in filter) return filter.or.flatMap(fieldsOf)
  if ('not' in filter) return fieldsOf(filter.not)
  return [filter.field]
}

function holds({ field, op, value }: Condition, fields: Fields): boolean {
  const given = fields[field]
  if (given === null) return op.startsWith('not_')
  if (given === undefined) throw new Error(`The oracle has no field ${field}.`)
  const names: readonly [string, ...string[]] = typeof given === 'string' ? [given] : given
  const [text] = names
  const wanted = String(value)
  switch (op) {
    case 'is':
      return names.includes(wanted)
    case 'not_is':
      return !names.includes(wanted)
    case 'in':
      return names.some((name) => value.includes(name))
    case 'not_in':
      return !names.some((name) => value.includes(name))
    case 'contains':
      return text.includes(wanted)
    case 'not_contains':
      return !text.includes(wanted)
    case 'contains_case_insensitive':
      return lower(text).includes(lower(wanted))
    case 'not_contains_case_insensitive':
      return !lower(text).includes(lower(wanted))
    case 'starts_with':
      return text.startsWith(wanted)
    case 'ends_with':
      return text.endsWith(wanted)
    case 'matches':
      return toRegExp(wanted).test(text)
    default:
      throw new Error(`The oracle has no operator ${String(op satisfies never)}.`)
  }
}

/** Letter by letter, one letter for one: Unicode's simple mapping. */
export function lower(text: string): string {
  return Array.from(text, (letter) => Array.from(letter.toLowerCase())[0]).join('')
}

function toRegExp(pattern: string): RegExp {
  const isCaseless = pattern.startsWith('(?i)')
  return new RegExp(isCaseless ? pattern.slice(4) : pattern, isCaseless ? 'iu' : 'u')
}

const ANSWER_FIELDS = new Set(['platform', 'prompt', 'category', 'model', 'provider'])

/** Members of the top-level `and` that name only fields of answers select answers (contract/api 4.5). */
export function splitFilter(filter: Filter | undefined): { forAnswers: Filter; forRest: Filter } {
  const members = filter === undefined ? [] : 'and' in filter ? filter.and : [filter]
  const isForAnswers = (member: Filter): boolean => fieldsOf(member).every((field) => ANSWER_FIELDS.has(field))
  return {
    forAnswers: { and: members.filter(isForAnswers) },
    forRest: { and: members.filter((member) => !isForAnswers(member)) },
  }
}
