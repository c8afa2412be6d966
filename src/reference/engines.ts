import * as v from 'valibot'
import content from '../../data/engines.json' with { type: 'json' }
import { ENGINE_IDS, type EngineId } from '../domain/enums.ts'
import { HEAD, parseCatalogue, SOURCED } from './catalogue.ts'

/** An answer engine as `GET /v1/platforms` names it (contract/api 8.1 and 11.4). */
export interface Engine {
  readonly id: EngineId
  /** Display name. */
  readonly name: string
}

const engineFile = v.strictObject({
  ...HEAD,
  engines: v.array(v.strictObject({ id: v.picklist(ENGINE_IDS), name: v.pipe(v.string(), v.nonEmpty()), ...SOURCED })),
})

const ENGINES: readonly Engine[] = parseCatalogue('engines.json', engineFile, content).engines.map(({ id, name }) => ({
  id,
  name,
}))

/** The seven engines in the API's order. */
export function listEngines(): readonly Engine[] {
  return ENGINES
}

/** The engine's number in stored rows: its place in the API's order, counted from 1. */
export function engineNo(id: EngineId): number {
  return ENGINE_IDS.indexOf(id) + 1
}

/** The engine of a stored number. Throws when no engine has it. */
export function getEngineId(engineNo: number): EngineId {
  const id = ENGINE_IDS[engineNo - 1]
  if (id === undefined) throw new Error(`no engine has the number ${engineNo}`)
  return id
}
