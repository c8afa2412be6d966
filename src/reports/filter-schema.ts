import * as v from 'valibot'
import {
  FILTER_CONDITIONS_MAX,
  FILTER_DEPTH_MAX,
  FILTER_MEMBERS_MAX,
  FILTER_VALUE_CHARACTERS_MAX,
  FILTER_VALUES_MAX,
  PATTERN_CHARACTERS_MAX,
  PATTERN_REPETITION_MAX,
  PATTERNS_MAX,
} from '../limits.ts'
import { type Filter, LIST_OPERATORS, TEXT_OPERATORS } from './request.ts'
import { arrayOf } from '../schemas/bounded-array.ts'
import { maxCharacters } from '../schemas/max-characters.ts'
import { strictObject } from '../schemas/strict-object.ts'

/** What a field's values are: one of a closed list, text, or true and false. */
type FieldValues = readonly string[] | 'text' | 'boolean'
type FilterFields = Readonly<Record<string, FieldValues>>

/** A filter as the document shows it (`component`, called `name`) and as a request's body has it (`schema`). */
export interface FilterSchema {
  readonly name: string
  readonly component: v.GenericSchema<Filter>
  readonly schema: v.GenericSchema<Filter>
}

const EQUALITY_OPERATORS = ['is', 'not_is'] as const
/** The text a condition compares with. */
export const FilterValue = v.pipe(v.string(), v.minLength(1), maxCharacters(FILTER_VALUE_CHARACTERS_MAX))

/**
 * The filter of a report over the fields of `columns` (contract/api 4.1). Recursion is a getter that chooses by the value: a request is
 * judged by the one form it was meant to have, with dotted paths into it; the document, made without a value, shows all.
 */
export function defineFilter(
  name: string,
  columns: Readonly<Record<string, { readonly values: FieldValues }>>,
): FilterSchema {
  const fields = Object.fromEntries(Object.entries(columns).map(([field, { values }]) => [field, values] as const))
  const nested: v.GenericSchema<Filter> = v.lazy((given) => (given === undefined ? component : chooseForm(given)))
  const members = arrayOf(nested, { min: 1, max: FILTER_MEMBERS_MAX })
  const combinations = {
    and: strictObject({ and: members }),
    or: strictObject({ or: members }),
    not: strictObject({ not: nested }),
  }
  const component: v.GenericSchema<Filter> = v.pipe(
    v.union([...listConditionForms(fields), combinations.and, combinations.or, combinations.not]),
    v.description(
      `A condition or a combination of filters; at most ${FILTER_CONDITIONS_MAX} conditions, ${FILTER_DEPTH_MAX} deep. Of matches at most ${PATTERNS_MAX}, each of at most ${PATTERN_CHARACTERS_MAX} characters, repeating at most ${PATTERN_REPETITION_MAX} times by a count.`,
    ),
  )
  const chooseCondition = defineConditionChoice(fields)

  function chooseForm(given: unknown): v.GenericSchema<Filter> {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return NoObject
    const form = (['and', 'or', 'not'] as const).find((name) => Object.hasOwn(given, name))
    return form === undefined ? chooseCondition(given) : combinations[form]
  }

  return {
    name,
    component,
    schema: v.lazy((given) => (given === undefined ? component : (findExcess(given) ?? chooseForm(given)))),
  }
}

const refuse = (message: string): v.GenericSchema<Filter> => v.custom<Filter>(() => false, message)
const NoObject = refuse(
  'Use a condition {"field", "op", "value"} or a combination {"and": […]}, {"or": […]}, {"not": …}.',
)
const TooDeep = refuse(
  `Nest at most ${FILTER_DEPTH_MAX} deep: a condition alone is 1 deep, each and, or, not around it adds 1.`,
)
const TooMany = refuse(`Use at most ${FILTER_CONDITIONS_MAX} conditions.`)

/** One schema for each kind of field and shape of value. */
function listConditionForms(fields: FilterFields): v.GenericSchema<Filter>[] {
  const names = Object.keys(fields)
  const texts = names.filter((name) => fields[name] === 'text')
  const booleans = names.filter((name) => fields[name] === 'boolean')
  const forms: v.GenericSchema<Filter>[] = names.flatMap((name) => {
    const values = fields[name]
    if (values === undefined || typeof values === 'string') return []
    const value = v.picklist(values)
    return [
      strictObject({ field: v.picklist([name]), op: v.picklist(EQUALITY_OPERATORS), value }),
      strictObject({ field: v.picklist([name]), op: v.picklist(LIST_OPERATORS), value: manyOf(value) }),
    ]
  })
  if (texts.length > 0) {
    forms.push(
      strictObject({ field: v.picklist(texts), op: v.picklist(TEXT_OPERATORS), value: FilterValue }),
      strictObject({ field: v.picklist(texts), op: v.picklist(LIST_OPERATORS), value: manyOf(FilterValue) }),
    )
  }
  if (booleans.length > 0) {
    forms.push(strictObject({ field: v.picklist(booleans), op: v.picklist(EQUALITY_OPERATORS), value: v.boolean() }))
  }
  return forms
}

/** Chooses the schema of a condition by its field and operator, so that each fault is told where it stands. */
function defineConditionChoice(fields: FilterFields): (given: object) => v.GenericSchema<Filter> {
  const field = v.picklist(Object.keys(fields))
  const made = new Map<string, v.GenericSchema<Filter>>()

  return (given) => {
    const name: unknown = Reflect.get(given, 'field')
    const op: unknown = Reflect.get(given, 'op')
    const values = typeof name === 'string' && Object.hasOwn(fields, name) ? fields[name] : undefined
    const isList = LIST_OPERATORS.some((operator) => operator === op)
    const operators = toOperators(values)
    const key = `${values === undefined ? '' : String(name)} ${operators.some((known) => known === op) ? String(op) : ''}`
    let schema = made.get(key)
    if (schema === undefined) {
      // Fault after fault: which values are right can't be said before field and operator are.
      const value = values === undefined || key.endsWith(' ') ? v.unknown() : toValue(values, isList)
      schema = strictObject({
        field,
        op: v.picklist(operators),
        value,
      }) as v.GenericSchema<unknown> as v.GenericSchema<Filter>
      made.set(key, schema)
    }
    return schema
  }
}

function toOperators(values: FieldValues | undefined): readonly string[] {
  if (values === 'boolean') return EQUALITY_OPERATORS
  return values === undefined || values === 'text'
    ? [...TEXT_OPERATORS, ...LIST_OPERATORS]
    : [...EQUALITY_OPERATORS, ...LIST_OPERATORS]
}

function toValue(values: FieldValues, isList: boolean): v.GenericSchema {
  if (values === 'boolean') return v.boolean()
  const one = values === 'text' ? FilterValue : v.picklist(values)
  return isList ? manyOf(one) : one
}

function manyOf<const S extends v.GenericSchema>(one: S) {
  return arrayOf(one, { min: 1, max: FILTER_VALUES_MAX })
}

/** The fault of a filter that is too deep or too long; found before its parts are judged, which takes longer. */
export function findExcess(filter: unknown): v.GenericSchema<Filter> | undefined {
  const open = [{ part: filter, depth: 1 }]
  let conditions = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { depth } = next
    const members = listMembers(next.part)
    if (depth > FILTER_DEPTH_MAX) return TooDeep
    if (members.length === 0) conditions += 1
    if (conditions > FILTER_CONDITIONS_MAX) return TooMany
    for (const part of members) open.push({ part, depth: depth + 1 })
  }
  return undefined
}

function listMembers(filter: unknown): readonly unknown[] {
  if (typeof filter !== 'object' || filter === null) return []
  const valueOf = (name: string): unknown => (Object.hasOwn(filter, name) ? Reflect.get(filter, name) : undefined)
  const lists = [valueOf('and'), valueOf('or')].filter((list) => Array.isArray(list))
  const negated = valueOf('not')
  return negated === undefined ? lists.flat() : [...lists.flat(), negated]
}
