import { isDay } from '../src/domain/day.ts'
import { parseDuration } from '../src/domain/duration.ts'
import { ENGINE_IDS, type EngineId } from '../src/domain/enums.ts'
import { toDomain } from '../src/domain/site.ts'
import { UsageError } from '../src/errors.ts'
import { GIVEN_ID } from '../src/ids.ts'
import type { Form } from './command.ts'
import { findNearest } from './suggest.ts'

/** What the value of `--id` must be (contract/imports 1.5). */
export const ID_FORM = {
  is: '1 to 64 of A-Z a-z 0-9 . _ -',
  read: (text: string) => (GIVEN_ID.test(text) ? text : undefined),
}

export const DOMAIN_FORM = {
  is: 'a domain such as acme.com',
  read: (text: string) => (text === '' || toDomain(text) !== undefined ? text : undefined),
}

/** Refuses a domain that is nobody's own. The list of public suffixes is loaded by those commands alone that take domains. */
export async function refusePublicSuffixes(...given: readonly (string | undefined)[]): Promise<void> {
  const { isPublicSuffix } = await import('../src/derive/public-suffix.ts')
  const suffix = given.map((domain) => toDomain(domain ?? '')).find((domain) => domain && isPublicSuffix(domain))
  if (suffix === undefined) return
  throw new UsageError(
    `${suffix} is a public suffix: names under it belong to many others; give the domain below it, such as acme.${suffix}`,
  )
}

/** A duration, in milliseconds. */
export const DURATION_FORM: Form<number> = { is: 'a duration such as 30s, 15m, 1h or 7d', read: parseDuration }

/** A whole number within bounds. */
export function toIntegerForm(min: number, max: number): Form<number> {
  return {
    is: `a whole number from ${min} to ${max}`,
    read(text) {
      const number = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
      return number >= min && number <= max ? number : undefined
    },
  }
}

/** A day of the calendar. */
export const DAY_FORM = {
  is: 'a day such as 2026-11-20',
  read: (text: string) => (isDay(text) ? text : undefined),
}

/** The engines of a comma-separated list, in the order of the engine catalogue; undefined when none was given. */
export function parsePlatforms(given: string | undefined): readonly EngineId[] | undefined {
  if (given === undefined) return undefined
  const names = given.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !ENGINE_IDS.some((engine) => engine === name))
  if (unknown !== undefined) {
    const nearest = findNearest(unknown, ENGINE_IDS)
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
    throw new UsageError(`--platforms must be some of ${ENGINE_IDS.join(',')}, not "${unknown}"${hint}`)
  }
  return ENGINE_IDS.filter((engine) => names.includes(engine))
}

/** A repeated flag as a new list: undefined leaves the list as it is, one empty value empties it. */
export function toList(given: readonly string[]): readonly string[] | undefined {
  return given.length === 0 ? undefined : given.filter((value) => value !== '')
}

/** Refuses a change that changes nothing. */
export function requireChange(change: object, flags: string): void {
  if (Object.values(change).every((value) => value === undefined)) {
    throw new UsageError(`nothing is to change: give at least one of ${flags}`)
  }
}
