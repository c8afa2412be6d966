import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Json = Record<string, unknown>

const CASES = join(import.meta.dirname, '../../import-answers/cases')
const read = new Map<string, Json>()

/** A payload of the adapters' cases, as the frame of a body: `index` counts where a file holds an array of them. */
export function readCase(format: string, name: string, index = 0): Json {
  const key = `${format}/${name}`
  const known = read.get(`${key}/${index}`)
  if (known) return known
  const json = JSON.parse(readFileSync(join(CASES, key, 'input.json'), 'utf8')) as Json | Json[]
  const found = Array.isArray(json) ? json[index] : json
  if (found === undefined) throw new Error(`the case ${key} has no payload ${index}`)
  read.set(`${key}/${index}`, found)
  return found
}

export function objectOf(json: unknown): Json {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Json) : {}
}

export function listOf(json: unknown): Json[] {
  return Array.isArray(json) ? json.map(objectOf) : []
}

export function textOf(json: unknown): string {
  return typeof json === 'string' ? json : ''
}
