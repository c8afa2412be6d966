import type { Clock } from '../src/clock.ts'
import type { Environment } from '../src/config.ts'
import type { Io } from './io.ts'

/** What a flag or an operand of a command is. */
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
      /** What every value must be. `is` completes "must be ...". */
      readonly form?: { readonly is: string; readonly test: (value: string) => boolean }
    }
  | { readonly type: 'enum'; readonly options: readonly string[]; readonly default?: string }
  | {
      readonly type: 'integer'
      readonly valueHint: string
      readonly min: number
      readonly max: number
      readonly default?: number
    }
  /** `90s`, `15m`, `1h`, `7d`; the value is in milliseconds. */
  | { readonly type: 'duration'; readonly valueHint: string; readonly default?: string }
)

export interface Operand {
  readonly type: 'positional'
  readonly description: string
  readonly valueHint: string
  readonly required?: true
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
    : A extends { required: true } | { default: string | number }
      ? Single<A>
      : Single<A> | undefined

type Single<A extends Argument> = A extends { type: 'integer' | 'duration' }
  ? number
  : A extends { options: readonly (infer Option)[] }
    ? Option
    : string

export type Values<A extends Arguments> = { readonly [K in keyof A]: Value<A[K]> }

/** What a running command may use of the world. */
export interface Context<A extends Arguments = Arguments> {
  readonly args: Values<A>
  readonly io: Io
  /** All commands of the program, by their words. */
  readonly commands: Readonly<Record<string, Loader>>
  readonly environment: Environment
  readonly clock: Clock
  readonly dataDir: string
  /** Aborted by SIGINT and SIGTERM: stop, leave no trace of what was not committed. */
  readonly signal: AbortSignal
}

/** 0 done, 1 it found problems, 3 done with rejected records (formats.md 1); failures and wrong usage are thrown. */
export type Outcome = 0 | 1 | 3

export interface Command<A extends Arguments = Arguments> {
  readonly summary: string
  /** Further sentences under the summary, one paragraph each. */
  readonly notes?: readonly string[]
  readonly args: A
  /** Of a command with a data directory of its own: what goes before the system's file and the usual default. */
  readonly defaultDataDir?: string
  /** What one would type, without the program's name. */
  readonly examples: readonly string[]
  /** A method, so that its parameter is compared bivariantly and every command fits into one table. */
  run(context: Context<A>): Promise<Outcome | void>
}

/** A noun with its verbs, or the program with its commands. */
export interface Group {
  readonly summary: string
  readonly commands: Readonly<Record<string, Command | Group>>
  readonly examples: readonly string[]
}

/** Loads a command or a noun with its verbs when it is asked for, so that no command pays for the others. */
export type Loader = () => Promise<Command | Group>

export function defineCommand<const A extends Arguments>(command: Command<A>): Command<A> {
  return command
}

export function defineGroup(group: Group): Group {
  return group
}

export function isGroup(entry: Command | Group): entry is Group {
  return 'commands' in entry
}

/** Arguments that every command has beside its own. */
export const COMMON_ARGUMENTS = {
  'data-dir': {
    type: 'string',
    valueHint: 'DIR',
    description: 'directory that holds everything (ANSWERLAKE_DATA_DIR; default ./answerlake-data)',
  },
  help: { type: 'boolean', description: 'show this help' },
} as const satisfies Arguments

/** The flag of every command that prints a result. */
export const JSON_FLAG = { json: { type: 'boolean', description: 'print one JSON document' } } as const

/** The flag that names the site, by its id or its domain. */
export const SITE_FLAG = {
  site: { type: 'string', required: true, valueHint: 'SITE', description: 'site id or domain' },
} as const

export const OPTIONAL_SITE_FLAG = {
  site: { type: 'string', valueHint: 'SITE', description: 'site id or domain; all sites without it' },
} as const
