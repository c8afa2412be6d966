import { toPromptText } from '../domain/prompt.ts'
import { toDomain } from '../domain/site.ts'
import { CommandError } from '../errors.ts'
import { GIVEN_ID } from '../ids.ts'
import { NAME_CHARACTERS_MAX, PROMPT_CHARACTERS_MAX, SPELLINGS_MAX } from '../limits.ts'

/** What operators type, checked and brought into the form that is kept. Each refuses with a CommandError. */

export function parseId(given: string): string {
  if (GIVEN_ID.test(given)) return given
  throw new CommandError(`The id "${given}" cannot be used: an id is 1 to 64 of A-Z a-z 0-9 . _ -`)
}

export function toName(given: string): string {
  const name = given.normalize('NFC').trim()
  if (name === '') throw new CommandError('A name cannot be empty.')
  return atMostCharacters(NAME_CHARACTERS_MAX, 'A name', name)
}

/** The text of a prompt. */
export function toText(given: string): string {
  const text = toPromptText(given)
  if (text === '') throw new CommandError('The text of a prompt cannot be empty.')
  return atMostCharacters(PROMPT_CHARACTERS_MAX, 'The text of a prompt', text)
}

/** Null and blank both mean that there is none. */
export function toMarket(given: string | null): string | null {
  const market = given?.normalize('NFC').trim() ?? ''
  return market === '' ? null : atMostCharacters(NAME_CHARACTERS_MAX, 'A market', market)
}

export function toHost(given: string): string {
  const domain = toDomain(given)
  if (domain === undefined) throw new CommandError(`"${given}" is no domain. Give it like this: acme.com`)
  return domain
}

export function toHosts(given: readonly string[]): string[] {
  return atMost(SPELLINGS_MAX, 'domains', [...new Set(given.map(toHost))])
}

export function toNames(given: readonly string[]): string[] {
  return atMost(SPELLINGS_MAX, 'aliases', [...new Set(given.map(toName))])
}

export function toWhole(given: number, least: number, what: string): number {
  if (Number.isSafeInteger(given) && given >= least) return given
  throw new CommandError(`The ${what} must be a whole number of at least ${least}.`)
}

/** Counts as the API does: an emoji is one character. */
function atMostCharacters(most: number, what: string, text: string): string {
  const { length } = Array.from(text)
  if (length <= most) return text
  throw new CommandError(`${what} has at most ${most} characters; this one has ${length}.`)
}

function atMost<T>(most: number, what: string, list: T[]): T[] {
  if (list.length > most) throw new CommandError(`At most ${most} ${what} can be kept; ${list.length} were given.`)
  return list
}
