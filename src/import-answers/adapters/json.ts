/** An object of a parsed JSON document whose members nobody has checked yet. */
export interface JsonObject {
  readonly [key: string]: unknown
}

/** Whether a value is an object of JSON, and no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The member `key` when it is an object. */
export function objectAt(json: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = json?.[key]
  return isObject(value) ? value : undefined
}

/** Those elements of the array at `key` that are objects; none when there is no array. */
export function objectsAt(json: JsonObject | undefined, key: string): readonly JsonObject[] {
  const value = json?.[key]
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The member `key` when it is a string with more than white space in it. */
export function textAt(json: JsonObject | undefined, key: string): string | undefined {
  const value = json?.[key]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** The member `key` when it is a string, else an empty one: pieces of a text are joined with their white space. */
export function pieceAt(json: JsonObject, key: string): string {
  const value = json[key]
  return typeof value === 'string' ? value : ''
}

/** Strings of the array at `key` that say something; undefined when there are none. A lone string counts as a list of one. */
export function textsAt(json: JsonObject | undefined, key: string): readonly string[] | undefined {
  const value = json?.[key]
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = values.filter((each) => typeof each === 'string').filter((each) => each.trim() !== '')
  return texts.length > 0 ? texts : undefined
}

/** The words of an API's error, whether it is a string or an object with a `message`; undefined when there is no error. */
export function errorAt(json: JsonObject | undefined): string | undefined {
  const error = json?.['error']
  if (error === undefined || error === null || error === false || error === '') return undefined
  const words = typeof error === 'string' ? error : textAt(isObject(error) ? error : undefined, 'message')
  return (words ?? describe(error)).slice(0, ERROR_CHARACTERS_MAX)
}

/** Errors are repeated in reasons, which are kept for the whole of an import. */
const ERROR_CHARACTERS_MAX = 300

/** A value as a message shows it: short, and never more than its kind for lists and objects. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  if (isObject(value)) return 'an object'
  if (typeof value !== 'string') return JSON.stringify(value)
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
}
