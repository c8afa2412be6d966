import type { JsonSchema } from '@valibot/to-json-schema'
import * as enums from '../../domain/enums.ts'
import { ANSWER_DIMENSIONS } from '../../reports/answer-dimensions.ts'
import { namesOf } from '../../reports/contract.ts'
import { REPORTS } from '../../reports/index.ts'
import { GRADES } from '../../reports/quality/grades.ts'
import * as requests from '../../reports/request.ts'

/**
 * Names of the enumerations that stand in lists, in unions or in several places. Generators of clients make a type of
 * each; from anonymous ones in such places they make code that doesn't compile, or none. Those of one report stand in its contract.
 */
const SHARED_ENUMERATIONS: Readonly<Record<string, readonly string[]>> = {
  AnswerDimension: namesOf(ANSWER_DIMENSIONS),
  BotType: enums.BOT_TYPES,
  BrandSet: ['owned', 'all'],
  Category: enums.CATEGORIES,
  EngineId: enums.ENGINE_IDS,
  EqualityOperator: ['is', 'not_is'],
  Grade: GRADES,
  ListOperator: requests.LIST_OPERATORS,
  Owner: enums.OWNERS,
  PageType: enums.PAGE_TYPES,
  PromptStatus: enums.PROMPT_STATUSES,
  Sentiment: enums.SENTIMENTS,
  SortDirection: ['asc', 'desc'],
  SourceKind: enums.SOURCE_KINDS,
  TextOperator: requests.TEXT_OPERATORS,
}

const ENUMERATIONS = [SHARED_ENUMERATIONS, ...REPORTS.map(({ contract }) => contract.enumerations)]
  .flatMap((names) => Object.entries(names ?? {}))
  .toSorted(([a], [b]) => (a < b ? -1 : 1))

const NAMES = new Map(ENUMERATIONS.map(([name, values]) => [JSON.stringify(values), name]))

export function listEnumerations(): Record<string, JsonSchema> {
  return Object.fromEntries(ENUMERATIONS.map(([name, values]) => [name, { type: 'string', enum: [...values] }]))
}

/** The schema with references in place of enumerations that have a name, and each number with its format. */
export function nameShapes(schema: JsonSchema): JsonSchema {
  return rewrite(schema) as JsonSchema
}

function rewrite(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(rewrite)
  if (typeof part !== 'object' || part === null) return part
  const { type, enum: values, ...rest } = part as JsonSchema
  const name = NAMES.get(JSON.stringify(values))
  if (name !== undefined) return { ...toReference(name), ...rest }
  // Generators write the default of a union as if it were code; its description tells it.
  if (rest.$ref !== undefined) delete rest.default
  const format = typeof type === 'string' ? toFormat(type, rest.maximum) : undefined
  const entries = Object.entries(rest.$ref === undefined ? part : rest).map(([key, value]) => [
    key,
    key === 'enum' || key === 'default' ? value : rewrite(value),
  ])
  return { ...Object.fromEntries(entries), ...(format && { format }) }
}

/** Counts may exceed 32 bits; shares and means need 64. */
function toFormat(type: string, maximum: number | undefined): string | undefined {
  if (type === 'number') return 'double'
  if (type !== 'integer') return undefined
  return maximum !== undefined && maximum < 2 ** 31 ? 'int32' : 'int64'
}

function toReference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

/** The component and, where it is a union, its members beside it: each has the union's name and what tells it apart. */
export function hoistMembers(name: string, component: JsonSchema): [string, JsonSchema][] {
  const hoisted = (component.anyOf ?? []).flatMap((member): [string, JsonSchema][] =>
    typeof member === 'boolean' || member.$ref !== undefined ? [] : [[name + toSuffix(member), member]],
  )
  const anyOf = component.anyOf?.map((member) => {
    const found = hoisted.find(([, shape]) => shape === member)
    return found === undefined ? member : toReference(found[0])
  })
  return [[name, { ...component, ...(anyOf && { anyOf }) }], ...hoisted]
}

/** A condition has `field` and `op`, a combination one field; anything else is a list. */
function toSuffix({ properties }: JsonSchema): string {
  const [first = 'list', ...others] = Object.keys(properties ?? {})
  if (others.length === 0) return toPascal(first)
  const [field, value] = [properties?.['field'], properties?.['value']].map((part) =>
    typeof part === 'object' ? part : {},
  )
  const fields = (field?.enum ?? []) as string[]
  return toPascal(fields.length === 1 ? (fields[0] ?? '') : 'text') + (value?.type === 'array' ? 'List' : '')
}

const toPascal = (name: string): string => name.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())
