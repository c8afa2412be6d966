import type { Schemas } from '../../../client/client.ts'
import { ENGINE_IDS } from '../../names.ts'

/**
 * Where one answer is. Its day, engine and prompt stand beside its id, because the service finds answers by these; so a link
 * to an answer needs nothing that callers of the API don't have.
 */
export interface AnswerPlace {
  readonly date: string
  readonly platform: Schemas['EngineId']
  readonly prompt: string
  readonly id: string
}

const PLACE = /^(\d{4}-\d{2}-\d{2}),([a-z_]+),([\w.-]+),([\w.-]+)$/

/** What `answer=` says in a URL; undefined where it says nothing that could be an answer. */
export function readPlace(text: string | undefined): AnswerPlace | undefined {
  const [, date, engine, prompt, id] = PLACE.exec(text ?? '') ?? []
  const platform = ENGINE_IDS.find((known) => known === engine)
  if (date === undefined || platform === undefined || prompt === undefined || id === undefined) return undefined
  return Number.isNaN(Date.parse(date)) ? undefined : { date, platform, prompt, id }
}

/** The same for a URL. */
export function writePlace({ date, platform, prompt, id }: AnswerPlace): string {
  return [date, platform, prompt, id].join(',')
}

/** Where a listed answer is; undefined where the list didn't ask for as much. */
export function toPlace({ id, date, platform, prompt }: Schemas['Answer']): AnswerPlace | undefined {
  if (date === undefined || platform === undefined || prompt === undefined) return undefined
  return { date, platform, prompt: prompt.id, id }
}
