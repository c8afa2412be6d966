import { defineCommand as defineCittyCommand, type ArgsDef, type CommandContext, type CommandMeta } from 'citty'
import type { Clock } from '../src/clock.ts'
import type { Environment } from '../src/config.ts'
import type { Io } from './io.ts'
import { readValues } from './parse.ts'

/** What a flag or an operand of a command is: citty's definitions, with repetition and forms added. */
export type Argument = Flag | Operand

export type Flag = { readonly description: string; readonly required?: true } & (
  | { readonly type: 'boolean' }
  | {
      readonly type: 'string'
      readonly valueHint: string
      readonly default?: string
      /** May be given again and again; the value is a list. */
      readonly multiple?: true
      /** Most values must not be empty; where an empty one clears something it may. */
      readonly mayBeEmpty?: true
      readonly form?: Form<string | number>
    }
  | { readonly type: 'enum'; readonly options: readonly string[]; readonly default?: string }
)

/** What the text of a flag must be and is read as; `is` completes "must be ...", and undefined refuses the text. */
export interface Form<T> {
  readonly is: string
  readonly read: (text: string) => T | undefined
}

export interface Operand {
  readonly type: 'positional'
  readonly description: string
  readonly valueHint: string
  /** citty asks for every operand that doesn't say false. */
  readonly required: boolean
  /** The last operand of a command may take all that are left. */
  readonly multiple?: true
  readonly options?: readonly string[]
}

export type Arguments = Readonly<Record<string, Argument>>

/** The value a command receives for an argument. */
export type Value<A extends Argument> = A extends { type: 'boolean' }
  ? boolean
  : A extends { multiple: true }
    ? readonly string[]
    : A extends { required: true } | { default: string }
      ? Single<A>
      : Single<A> | undefined

type Single<A extends Argument> = A extends { form: Form<infer T> }
  ? T
  : A extends { options: readonly (infer Option)[] }
    ? Option
    : string

export type Values<A extends Arguments> = { readonly [K in keyof A]: Value<A[K]> }

/** What a command may use of the world; citty hands it over as its `data`. */
export interface Surroundings {
  readonly io: Io
  /** All commands, by their words. */
  readonly program: Command
  readonly environment: Environment
  readonly clock: Clock
  readonly dataDir: string
  /** Aborted by SIGINT and SIGTERM: stop, leave no trace of what was not committed. */
  readonly signal: AbortSignal
}

export interface Context<A extends Arguments = Arguments> extends Surroundings {
  readonly args: Values<A>
}

/** 0 done, 1 it found problems, 3 done with rejected records (contract/imports 1.3); failures and wrong usage are thrown. */
export type Outcome = 0 | 1 | 3

/** citty's definition of a command, or of a noun with its verbs. */
export interface Command {
  readonly meta: Meta
  readonly args: Arguments
  readonly subCommands?: Readonly<Record<string, Command | Loader>>
  readonly run?: (context: CommandContext) => Promise<Outcome | void>
}

interface Meta extends CommandMeta {
  readonly description: string
  /** Further sentences under the description, one paragraph each. */
  readonly notes?: readonly string[]
  /** What one would type, without the program's name. */
  readonly examples: readonly string[]
  /** Of a command with a data directory of its own: what goes before the system's file and the usual default. */
  readonly defaultDataDir?: string
}

/** Loads a command or a noun with its verbs when it is asked for, so that no command pays for the others. */
export type Loader = () => Promise<Command>

/** A command that does something. `summary`, `notes` and `examples` make its help; `run` gets what was given for `args`. */
export function defineCommand<const A extends Arguments>(
  definition: Omit<Meta, 'description'> & {
    readonly summary: string
    readonly args: A
    readonly run: (context: Context<A>) => Promise<Outcome | void>
  },
): Command {
  const { summary: description, args: own, run, ...meta } = definition
  const args: Arguments = { ...own, ...toCommonArguments(meta.defaultDataDir) }
  return define({
    meta: { description, ...meta },
    args,
    async run({ args: parsed, rawArgs, data }) {
      return run({ ...(data as Surroundings), args: readValues(args, parsed, rawArgs) as Values<A> })
    },
  })
}

/** A noun with its verbs, or the program with its commands. */
export function defineGroup(definition: {
  readonly summary: string
  readonly commands: Readonly<Record<string, Command | Loader>>
  readonly examples: readonly string[]
}): Command {
  const { summary: description, commands: subCommands, examples } = definition
  return define({ meta: { description, examples }, args: toCommonArguments(), subCommands })
}

/** citty's own types know no read-only lists. */
function define(command: Command): Command {
  return defineCittyCommand({ ...command, args: command.args as ArgsDef }) as Command
}

/** The verbs of a noun by their words; a command has none. */
export async function loadSubCommands({ subCommands = {} }: Command): Promise<readonly (readonly [string, Command])[]> {
  return Promise.all(
    Object.entries(subCommands).map(
      async ([word, command]) => [word, typeof command === 'function' ? await command() : command] as const,
    ),
  )
}

/** Flags of every command beside its own. */
function toCommonArguments(defaultDataDir?: string) {
  const description =
    defaultDataDir === undefined
      ? 'directory that holds everything (ANSWERLAKE_DATA_DIR; default ./answerlake-data)'
      : `directory of its own that holds everything (ANSWERLAKE_DATA_DIR; default ${defaultDataDir})`
  return {
    'data-dir': { type: 'string', valueHint: 'DIR', description },
    help: { type: 'boolean', description: 'show this help' },
  } as const satisfies Arguments
}

/** The flag of every command that prints a result. */
export const JSON_FLAG = { json: { type: 'boolean', description: 'print one JSON document' } } as const

/** The flag that names the site, by its id or its domain. */
export const SITE_FLAG = {
  site: { type: 'string', required: true, valueHint: 'SITE', description: 'site id or domain' },
} as const

export const OPTIONAL_SITE_FLAG = {
  site: { type: 'string', valueHint: 'SITE', description: 'site id or domain; all sites without it' },
} as const
