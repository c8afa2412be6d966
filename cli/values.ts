import { parseDuration } from '../src/domain/duration.ts'
import { UsageError } from '../src/errors.ts'
import type { Argument } from './command.ts'
import { findNearest } from './suggest.ts'

/** What the command line holds for one argument; undefined when it isn't there. */
export type Given = string | boolean | readonly string[] | undefined

/** The typed value of one argument, its default when it isn't given. Throws UsageError for what is missing or not valid. */
export function toValue(name: string, definition: Argument, given: Given): unknown {
  const title = definition.type === 'positional' ? definition.valueHint : `--${name}`
  if (definition.type === 'boolean') return given === true
  if ('multiple' in definition) return toList(title, definition, typeof given === 'object' ? given : [])
  if (typeof given === 'string') return toSingle(title, definition, given)
  if (definition.required === true) throw new UsageError(`${title} is missing${describeOptions(definition)}`)
  if (!('default' in definition) || definition.default === undefined) return undefined
  return definition.type === 'duration' ? parseDuration(definition.default) : definition.default
}

function toList(title: string, definition: Argument, given: readonly string[]): readonly unknown[] {
  if (given.length === 0 && definition.required === true) throw new UsageError(`${title} is missing`)
  return given.map((value) => toSingle(title, definition, value))
}

function toSingle(title: string, definition: Argument, given: string): string | number {
  if (given.trim() === '' && !('mayBeEmpty' in definition)) throw new UsageError(`${title} must not be empty`)
  switch (definition.type) {
    case 'integer':
      return toInteger(title, definition, given)
    case 'duration':
      return toMilliseconds(title, given)
    case 'enum':
      return toOption(title, definition.options, given)
    case 'positional':
      return definition.options === undefined ? given : toOption(title, definition.options, given)
    case 'string':
      if (definition.form?.test(given) === false)
        throw new UsageError(`${title} must be ${definition.form.is}, not "${given}"`)
      return given
    case 'boolean':
      return given
    default:
      return definition satisfies never
  }
}

function toInteger(title: string, { min, max }: { min: number; max: number }, given: string): number {
  const number = /^\d{1,12}$/.test(given) ? Number(given) : Number.NaN
  if (number >= min && number <= max) return number
  throw new UsageError(`${title} must be a whole number from ${min} to ${max}, not "${given}"`)
}

function toMilliseconds(title: string, given: string): number {
  const ms = parseDuration(given)
  if (ms !== undefined) return ms
  throw new UsageError(`${title} must be a duration such as 30s, 15m, 1h or 7d, not "${given}"`)
}

function toOption(title: string, options: readonly string[], given: string): string {
  if (options.includes(given)) return given
  const nearest = findNearest(given, options)
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
  throw new UsageError(`${title} must be one of ${options.join(', ')}, not "${given}"${hint}`)
}

function describeOptions(definition: Argument): string {
  return 'options' in definition && definition.options !== undefined ? `: one of ${definition.options.join(', ')}` : ''
}
