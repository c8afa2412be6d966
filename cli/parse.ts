import { parseArgs as tokenize } from 'node:util'
import type { ParsedArgs } from 'citty'
import { UsageError } from '../src/errors.ts'
import type { Argument, Arguments, Command } from './command.ts'
import { findNearest } from './suggest.ts'

/** A command or noun found by its words, and what is left of the command line. */
export interface Found {
  readonly command: Command
  /** The words that led there: `['keys', 'create']`. */
  readonly path: readonly string[]
  readonly rest: readonly string[]
  /** Why the next word leads nowhere. */
  readonly fault?: string
}

/**
 * Follows the words of a command line down citty's definitions. Flags every command has may stand before and between the
 * words: citty drops them there, and what a command gives back, so that it only runs the command found here.
 */
export async function findCommand(argv: readonly string[], program: Command): Promise<Found> {
  const moved: string[] = []
  const path: string[] = []
  let command = program
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? ''
    const { subCommands } = command
    if (subCommands === undefined || word === '--') return { command, path, rest: [...moved, ...argv.slice(i)] }
    if (word.startsWith('-')) {
      moved.push(word)
      if (word === '--data-dir' && i + 1 < argv.length) moved.push(argv[++i] ?? '')
    } else if (Object.hasOwn(subCommands, word)) {
      path.push(word)
      const found = subCommands[word] ?? command
      command = typeof found === 'function' ? await found() : found
    } else {
      return { command, path, rest: moved, fault: describeUnknownCommand(path, word, Object.keys(subCommands)) }
    }
  }
  return { command, path, rest: moved }
}

function describeUnknownCommand(path: readonly string[], word: string, names: readonly string[]): string {
  const nearest = findNearest(word, names)
  const command = [...path, word].join(' ')
  return `unknown command "${command}"${nearest === undefined ? '' : `; did you mean "${[...path, nearest].join(' ')}"?`}`
}

/** Whether `--help` or `-h` stands among the flags; asked before anything else is checked. */
export function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h')
}

/**
 * The same command line in the one form that citty reads rightly: each flag with its value in one word, then `--`, then the
 * operands. Throws UsageError for what citty would let pass or take for something else: whatever is unknown, repeated,
 * missing, surplus or no valid value.
 */
export function toStrictArguments(definitions: Arguments, argv: readonly string[]): string[] {
  const flags: string[] = []
  const operands: string[] = []
  const given = new Map<string, string[]>()
  const options = Object.fromEntries(
    Object.entries(definitions).flatMap(([name, { type }]) =>
      type === 'positional' ? [] : [[name, { type: type === 'boolean' ? type : 'string' }] as const],
    ),
  )
  const parsed = tokenize({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true })
  for (const token of parsed.tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const definition = Object.hasOwn(options, name) ? definitions[name] : undefined
    if (definition === undefined) throw new UsageError(describeUnknownFlag(rawName, Object.keys(options)))
    if (definition.type === 'boolean') {
      if (value !== undefined) throw new UsageError(`--${name} takes no value`)
    } else if (value === undefined || (!inlineValue && /^-./s.test(value))) {
      throw new UsageError(`--${name} needs a value`)
    }
    const before = given.get(name)
    if (before !== undefined && !('multiple' in definition)) throw new UsageError(`--${name} is given twice`)
    given.set(name, [...(before ?? []), value ?? ''])
    flags.push(value === undefined ? toCittyFlag(name) : `${toCittyFlag(name)}=${value}`)
  }
  refuseValues(definitions, given, operands)
  return [...flags, '--', ...operands]
}

/** citty takes `--no-exact` for the opposite of `--exact`; it also knows each flag without dashes. */
function toCittyFlag(name: string): string {
  return name.startsWith('no-')
    ? `--${name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}`
    : `--${name}`
}

function describeUnknownFlag(flag: string, names: readonly string[]): string {
  const nearest = findNearest(flag.replace(/^-+/, ''), names)
  return `unknown flag ${flag}${nearest === undefined ? '' : `; did you mean --${nearest}?`}`
}

function refuseValues(
  definitions: Arguments,
  given: ReadonlyMap<string, readonly string[]>,
  operands: readonly string[],
): void {
  const left = [...operands]
  const texts = Object.entries(definitions).map(([name, definition]) => {
    const isOperand = definition.type === 'positional'
    return isOperand ? left.splice(0, definition.multiple ? left.length : 1) : (given.get(name) ?? [])
  })
  if (left[0] !== undefined) throw new UsageError(`unexpected argument "${left[0]}"`)
  for (const [i, [name, definition]] of Object.entries(definitions).entries()) {
    const title = definition.type === 'positional' ? definition.valueHint : `--${name}`
    const options = 'options' in definition ? definition.options : undefined
    if (definition.required === true && texts[i]?.length === 0) {
      throw new UsageError(`${title} is missing${options === undefined ? '' : `: one of ${options.join(', ')}`}`)
    }
    if (definition.type === 'boolean') continue
    for (const text of texts[i] ?? []) refuseValue(title, definition, text)
  }
}

function refuseValue(title: string, definition: Exclude<Argument, { type: 'boolean' }>, text: string): void {
  if (text.trim() === '' && !('mayBeEmpty' in definition)) throw new UsageError(`${title} must not be empty`)
  const form = 'form' in definition ? definition.form : undefined
  if (form !== undefined && form.read(text) === undefined) {
    throw new UsageError(`${title} must be ${form.is}, not "${text}"`)
  }
  const options = 'options' in definition ? definition.options : undefined
  if (options === undefined || options.includes(text)) return
  const nearest = findNearest(text, options)
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
  throw new UsageError(`${title} must be one of ${options.join(', ')}, not "${text}"${hint}`)
}

/** What citty parsed, read by the forms; it keeps the last value of a repeated flag, the others are in its `rawArgs`. */
export function readValues(
  definitions: Arguments,
  parsed: ParsedArgs,
  rawArgs: readonly string[],
): Readonly<Record<string, unknown>> {
  const flags = rawArgs.slice(0, rawArgs.indexOf('--'))
  const operands = Object.values(definitions).filter(({ type }) => type === 'positional')
  const toValue = (name: string, definition: Argument): unknown => {
    if (definition.type === 'boolean') return parsed[name] === true
    if (!('multiple' in definition)) return readText(definition, parsed[name])
    if (definition.type === 'positional') return parsed._.slice(operands.indexOf(definition))
    const start = `${toCittyFlag(name)}=`
    return flags.flatMap((flag) => (flag.startsWith(start) ? [flag.slice(start.length)] : []))
  }
  return Object.fromEntries(Object.entries(definitions).map(([name, definition]) => [name, toValue(name, definition)]))
}

function readText(definition: Argument, text: unknown): unknown {
  const form = 'form' in definition ? definition.form : undefined
  return form === undefined || typeof text !== 'string' ? text : form.read(text)
}
