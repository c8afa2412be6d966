import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type { Schema } from '../endpoint.ts'
import { hoistMembers, listEnumerations, nameShapes } from './shape-names.ts'
import { REQUEST_COMPONENTS, RESPONSE_COMPONENTS } from './components.ts'

/** A request's schema shows what may be sent, a response's what comes back: defaults and coercions differ. */
export type SchemaSide = 'request' | 'response'

const COMPONENTS = { ...REQUEST_COMPONENTS, ...RESPONSE_COMPONENTS }

/** The schema in JSON Schema 2020-12, which OpenAPI 3.1 speaks; named shapes are references. */
export function toOpenApiSchema(schema: Schema, side: SchemaSide): JsonSchema {
  const {
    $schema: _dialect,
    $defs: _shown,
    ...shape
  } = toJsonSchema(schema, { ...configOf(side), definitions: COMPONENTS })
  return nameShapes(shape)
}

/** All named shapes. */
export function listComponents(): Record<string, JsonSchema> {
  const responses = toJsonSchemaDefs(COMPONENTS, configOf('response'))
  const requests = toJsonSchemaDefs(COMPONENTS, configOf('request'))
  const shapes = Object.keys(COMPONENTS).map(
    (name) => [name, (Object.hasOwn(REQUEST_COMPONENTS, name) ? requests : responses)[name] ?? {}] as const,
  )
  const named = shapes.flatMap(([name, shape]) => hoistMembers(name, nameShapes(shape)))
  const all = [...named, ...Object.entries(listEnumerations())]
  return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function configOf(side: SchemaSide): ConversionConfig {
  return {
    typeMode: side === 'request' ? 'input' : 'output',
    target: 'draft-2020-12',
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    overrideAction: ({ valibotAction, jsonSchema }) => {
      // Rules that JSON Schema has no word for are told in descriptions and by `details`.
      if (valibotAction.type === 'raw_check' || valibotAction.type === 'check') return jsonSchema
      if ('metadata' in valibotAction) return { ...jsonSchema, ...(valibotAction.metadata as object) }
      return undefined
    },
  }
}
