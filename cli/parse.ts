import { parseArgs, type ParseArgsConfig } from 'node:util'
import { UsageError } from '../src/errors.ts'
import {
  COMMON_ARGUMENTS,
  isGroup,
  type Arguments,
  type Command,
  type Group,
  type Loader,
  type Values,
} from './command.ts'
import { findNearest } from './suggest.ts'
import { toValue, type Given } from './values.ts'

/** A command or noun found by its words, and what is left of the command line. */
export interface Found {
  readonly entry: Command | Group | undefined
  /** The words that led there: `['keys', 'create']`. */
  readonly path: readonly string[]
  readonly rest: readonly string[]
  /** Why the next word leads nowhere. */
  readonly fault?: string
}

/**
 * Follows the words of a command line down the table of commands. Flags every command has may stand before and between
 * the words.
 */
export async function findCommand(argv: readonly string[], table: Readonly<Record<string, Loader>>): Promise<Found> {
  const moved: string[] = []
  const path: string[] = []
  let entry: Command | Group | undefined
  let names = Object.keys(table)
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? ''
    if (word === '--') return { entry, path, rest: [...moved, ...argv.slice(i)] }
    if (word.startsWith('-')) {
      moved.push(word)
      if (word === '--data-dir' && i + 1 < argv.length) moved.push(argv[++i] ?? '')
      continue
    }
    if (!names.includes(word)) return { entry, path, rest: moved, fault: describeUnknownCommand(path, word, names) }
    path.push(word)
    entry = entry !== undefined && isGroup(entry) ? entry.commands[word] : await table[word]?.()
    if (entry === undefined || !isGroup(entry)) return { entry, path, rest: [...moved, ...argv.slice(i + 1)] }
    names = Object.keys(entry.commands)
  }
  return { entry, path, rest: moved }
}

/** Typed values of a command's arguments. Throws UsageError for whatever is unknown, missing, repeated or no valid value. */
export function parseArguments<A extends Arguments>(
  definitions: A,
  argv: readonly string[],
): Values<A & typeof COMMON_ARGUMENTS> {
  const all: Arguments = { ...definitions, ...COMMON_ARGUMENTS }
  const { values, positionals, tokens } = split(all, argv)
  const seen = new Set<string>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const definition = all[token.name]
    const isRepeatable = definition !== undefined && 'multiple' in definition
    if (seen.has(token.name) && !isRepeatable) throw new UsageError(`--${token.name} is given twice`)
    seen.add(token.name)
  }
  const operands = takeOperands(all, positionals)
  const result: Record<string, unknown> = {}
  for (const [name, definition] of Object.entries(all)) {
    const given = definition.type === 'positional' ? operands[name] : values[name]
    result[name] = toValue(name, definition, given)
  }
  return result as Values<A & typeof COMMON_ARGUMENTS>
}

/** Whether `--help` or `-h` stands among the flags; asked before anything else is checked. */
export function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h')
}

function describeUnknownCommand(path: readonly string[], word: string, names: readonly string[]): string {
  const nearest = findNearest(word, names)
  const command = [...path, word].join(' ')
  return `unknown command "${command}"${nearest === undefined ? '' : `; did you mean "${[...path, nearest].join(' ')}"?`}`
}

interface Split {
  readonly values: Readonly<Record<string, Given>>
  readonly positionals: readonly string[]
  readonly tokens: readonly { readonly kind: string; readonly name: string }[]
}

function split(definitions: Arguments, argv: readonly string[]): Split {
  const options: NonNullable<ParseArgsConfig['options']> = {}
  for (const [name, definition] of Object.entries(definitions)) {
    if (definition.type === 'positional') continue
    options[name] = {
      type: definition.type === 'boolean' ? 'boolean' : 'string',
      multiple: 'multiple' in definition,
      ...(name === 'help' ? { short: 'h' } : {}),
    }
  }
  try {
    const parsed = parseArgs({ args: [...argv], options, strict: true, allowPositionals: true, tokens: true })
    return {
      values: parsed.values as Record<string, Given>,
      positionals: parsed.positionals,
      tokens: parsed.tokens.map((token) => ({ kind: token.kind, name: token.kind === 'option' ? token.name : '' })),
    }
  } catch (error) {
    throw new UsageError(describeParseError(error, Object.keys(options)), { cause: error })
  }
}

/** Node's words for an unknown flag and a missing value, with the nearest flag instead of its lecture. */
function describeParseError(error: unknown, flags: readonly string[]): string {
  if (!(error instanceof Error)) return 'the arguments cannot be read'
  const unknown = /^Unknown option '(-[^']*)'/.exec(error.message)?.[1]
  if (unknown !== undefined) {
    const nearest = findNearest(unknown.replace(/^-+/, ''), flags)
    return `unknown flag ${unknown}${nearest === undefined ? '' : `; did you mean --${nearest}?`}`
  }
  const flag = /^Option '(?:-\w, )?(--[\w-]+)/.exec(error.message)?.[1] ?? 'a flag'
  return error.message.includes('does not take an argument') ? `${flag} takes no value` : `${flag} needs a value`
}

function takeOperands(definitions: Arguments, positionals: readonly string[]): Record<string, Given> {
  const operands: Record<string, Given> = {}
  let taken = 0
  for (const [name, definition] of Object.entries(definitions)) {
    if (definition.type !== 'positional') continue
    operands[name] = definition.multiple === true ? positionals.slice(taken) : positionals[taken]
    taken = definition.multiple === true ? positionals.length : taken + 1
  }
  const surplus = positionals[taken]
  if (surplus !== undefined) throw new UsageError(`unexpected argument "${surplus}"`)
  return operands
}
