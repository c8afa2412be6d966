import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseDuration, toDuration } from './domain/duration.ts'
import { ENGINE_IDS, type EngineId } from './domain/enums.ts'
import { CommandError, UsageError } from './errors.ts'
import {
  CONFIG_BYTES_MAX,
  QUERIES_RUNNING_MAX,
  QUERIES_WAITING_MAX,
  QUERY_TIMEOUT_MS,
  SERVER_QUERY_MEMORY_MIB,
  SHUTDOWN_GRACE_MS,
  CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MAX,
  SNAPSHOT_GRACE_MS,
  SPILL_GIB_MAX,
} from './limits.ts'
import { readWholeFile } from './read-whole-file.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Everything an operator may set, typed and checked. Nothing below the command line reads the environment. */
export interface Config {
  /** Absolute path of the directory that holds everything. */
  readonly dataDir: string
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  readonly logLevel: LogLevel
  readonly connections: number
  readonly connectionsPerAddress: number
  readonly queryTimeoutMs: number
  readonly queriesRunning: number
  readonly queriesWaiting: number
  readonly queryThreads: number
  readonly queryMemoryMib: number
  readonly spillGib: number
  /** How long a replaced snapshot stays readable. */
  readonly snapshotGraceMs: number
  /** How long requests under way may take after SIGTERM. */
  readonly shutdownGraceMs: number
  /** Engines that no answers are collected from, in the API's order (contract/api 8.1). What was collected stays in reports. */
  readonly enginesOff: readonly EngineId[]
}

type Setting = { readonly description: string } & (
  | { readonly type: 'text'; readonly default: string }
  | { readonly type: 'choice'; readonly options: readonly string[]; readonly default: string }
  | { readonly type: 'integer'; readonly min: number; readonly max: number; readonly default: number }
  | { readonly type: 'duration'; readonly minMs: number; readonly maxMs: number; readonly default: string }
  | { readonly type: 'list'; readonly options: readonly string[]; readonly default: readonly string[] }
)

/**
 * The settings by their name in `config.json`. The flag of `serve` is the name with dashes, the environment variable the
 * name in capitals after `ANSWERLAKE_`. Flags win over the environment, that over the file, that over the default. A list
 * is an array in the file, and separated by commas elsewhere.
 */
export const SETTINGS = {
  host: { type: 'text', default: '127.0.0.1', description: 'address to listen on' },
  port: { type: 'integer', min: 0, max: 65_535, default: 8080, description: 'port to listen on; 0 takes a free one' },
  log_level: {
    type: 'choice',
    options: LOG_LEVELS,
    default: 'info',
    description: 'least important line that is logged',
  },
  connections: {
    type: 'integer',
    min: 1,
    max: 100_000,
    default: CONNECTIONS_MAX,
    description: 'connections at once; beyond them idle ones are closed',
  },
  connections_per_address: {
    type: 'integer',
    min: 1,
    max: 100_000,
    default: CONNECTIONS_PER_ADDRESS_MAX,
    description: 'connections at once from one address; a proxy has one for all its clients',
  },
  query_timeout: {
    type: 'duration',
    minMs: 100,
    maxMs: 600_000,
    default: toDuration(QUERY_TIMEOUT_MS),
    description: 'longest time a report may take',
  },
  queries_running: {
    type: 'integer',
    min: 1,
    max: 16,
    default: QUERIES_RUNNING_MAX,
    description: 'reports computed at the same time; a key has at most half of the places',
  },
  queries_waiting: {
    type: 'integer',
    min: 0,
    max: 10_000,
    default: QUERIES_WAITING_MAX,
    description: 'reports waiting for a place, at most half of them of one key; more are answered with 503',
  },
  query_threads: {
    type: 'integer',
    min: 0,
    max: 256,
    default: 0,
    description: 'processor cores that reports may use; 0 takes all',
  },
  query_memory_mib: {
    type: 'integer',
    min: 64,
    max: 1_048_576,
    default: SERVER_QUERY_MEMORY_MIB,
    description: 'memory for reports, in MiB; more spills to the data directory',
  },
  spill_gib: {
    type: 'integer',
    min: 0,
    max: 10_000,
    default: SPILL_GIB_MAX,
    description: 'what reports may spill to disk, in GiB',
  },
  snapshot_grace: {
    type: 'duration',
    minMs: SNAPSHOT_GRACE_MS,
    maxMs: 30 * 86_400_000,
    default: toDuration(SNAPSHOT_GRACE_MS),
    description: 'how long replaced data stays readable for open cursors, an hour at least',
  },
  shutdown_grace: {
    type: 'duration',
    minMs: 0,
    maxMs: 600_000,
    default: toDuration(SHUTDOWN_GRACE_MS),
    description: 'how long requests under way may take after SIGTERM',
  },
  engines_off: {
    type: 'list',
    options: ENGINE_IDS,
    default: [],
    description: 'engines that answers are not collected from, separated by commas',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS
/** Names of all settings as the configuration file has them, in the order of the documentation. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]

/** Settings given on the command line, by setting name, as typed. */
export type SettingFlags = { readonly [Name in SettingName]?: string | undefined }

export interface ConfigSources {
  readonly dataDir: string
  readonly flags?: SettingFlags
  readonly environment: Environment
}

/**
 * The absolute path of a data directory. Throws UsageError for one that DuckDB would take for a pattern: it has no way to
 * name such files, and would read those of every directory that matches.
 */
export function toDataDir(given: string): string {
  const path = resolve(given)
  const [special] = /[*?[]/.exec(path) ?? []
  if (special === undefined) return path
  throw new UsageError(
    `the path of the data directory, ${path}, holds ${special}, which stands for other names where data files are read; rename that directory or choose another --data-dir`,
  )
}

/** Reads `config.json` of the data directory, if there is one, and puts all sources together. Throws UsageError, and CommandError for one that may not be read. */
export async function readConfig(sources: ConfigSources): Promise<Config> {
  const path = join(toDataDir(sources.dataDir), 'config.json')
  let text: string
  try {
    text = (await readWholeFile(path, CONFIG_BYTES_MAX)).toString('utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      return parseConfig(sources, {}, path)
    }
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') {
      throw new CommandError(
        `${path} cannot be read: permission is denied. Run the command as the user who owns the data directory, or correct its permissions.`,
        { cause: error },
      )
    }
    throw error
  }
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`${path} is no valid JSON: ${cause instanceof Error ? cause.message : 'unreadable'}`, {
      cause,
    })
  }
  return parseConfig(sources, file, path)
}

/** Puts flags, environment and the parsed `config.json` (at `path`, for messages) together. Throws UsageError. */
export function parseConfig(sources: ConfigSources, file: unknown, path: string): Config {
  const settings = toRecord(file, path)
  const unknown = Object.keys(settings).find((name) => !Object.hasOwn(SETTINGS, name))
  if (unknown !== undefined) {
    throw new UsageError(`${path}: unknown setting "${unknown}"; the settings are ${SETTING_NAMES.join(', ')}`)
  }
  const find = (name: SettingName): { value: unknown; where: string } => {
    const flag = sources.flags?.[name]
    if (flag !== undefined) return { value: flag, where: toFlag(name) }
    const variable = sources.environment[toVariable(name)]
    if (variable !== undefined && variable !== '') return { value: variable, where: toVariable(name) }
    if (settings[name] !== undefined) return { value: settings[name], where: `${path}: ${name}` }
    return { value: SETTINGS[name].default, where: name }
  }
  const text = (name: SettingName): string => parseText(SETTINGS[name], find(name))
  const number = (name: SettingName): number => parseNumber(SETTINGS[name], find(name))
  return {
    dataDir: toDataDir(sources.dataDir),
    host: text('host'),
    port: number('port'),
    logLevel: LOG_LEVELS.find((level) => level === text('log_level')) ?? SETTINGS.log_level.default,
    connections: number('connections'),
    connectionsPerAddress: number('connections_per_address'),
    queryTimeoutMs: number('query_timeout'),
    queriesRunning: number('queries_running'),
    queriesWaiting: number('queries_waiting'),
    queryThreads: number('query_threads') || availableParallelism(),
    queryMemoryMib: number('query_memory_mib'),
    spillGib: number('spill_gib'),
    snapshotGraceMs: number('snapshot_grace'),
    shutdownGraceMs: number('shutdown_grace'),
    enginesOff: parseEngines(find('engines_off')),
  }
}

/** The settings in force, in the form of `config.json`. */
export function toConfigFile(config: Config): Record<SettingName, string | number | readonly string[]> {
  return {
    host: config.host,
    port: config.port,
    log_level: config.logLevel,
    connections: config.connections,
    connections_per_address: config.connectionsPerAddress,
    query_timeout: toDuration(config.queryTimeoutMs),
    queries_running: config.queriesRunning,
    queries_waiting: config.queriesWaiting,
    query_threads: config.queryThreads,
    query_memory_mib: config.queryMemoryMib,
    spill_gib: config.spillGib,
    snapshot_grace: toDuration(config.snapshotGraceMs),
    shutdown_grace: toDuration(config.shutdownGraceMs),
    engines_off: config.enginesOff,
  }
}

function toFlag(name: SettingName): string {
  return `--${name.replaceAll('_', '-')}`
}

/** Name of the environment variable of a setting: `ANSWERLAKE_PORT` for `port`. */
export function toVariable(name: SettingName): string {
  return `ANSWERLAKE_${name.toUpperCase()}`
}

function toRecord(file: unknown, path: string): Record<string, unknown> {
  if (typeof file !== 'object' || file === null || Array.isArray(file)) {
    throw new UsageError(`${path} must hold one JSON object`)
  }
  return { ...file }
}

interface Given {
  readonly value: unknown
  readonly where: string
}

function parseText(setting: Setting, { value, where }: Given): string {
  if (typeof value !== 'string' || value.trim() === '')
    throw new UsageError(`${where} must be a text that is not empty`)
  if (setting.type === 'choice' && !setting.options.includes(value)) {
    throw new UsageError(`${where} must be one of ${setting.options.join(', ')}, not "${value}"`)
  }
  return value
}

function parseNumber(setting: Setting, { value, where }: Given): number {
  if (setting.type === 'duration') {
    const ms = typeof value === 'string' ? parseDuration(value) : undefined
    if (ms === undefined || ms < setting.minMs || ms > setting.maxMs) {
      const range = `from ${toDuration(setting.minMs)} to ${toDuration(setting.maxMs)}`
      throw new UsageError(`${where} must be a duration such as 500ms, 30s, 15m or 1h, ${range}, not ${show(value)}`)
    }
    return ms
  }
  if (setting.type !== 'integer') throw new UsageError(`${where} must be a number`)
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number) || number < setting.min || number > setting.max) {
    throw new UsageError(`${where} must be a whole number from ${setting.min} to ${setting.max}, not ${show(value)}`)
  }
  return number
}

function parseEngines({ value, where }: Given): EngineId[] {
  const names: unknown = typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value
  if (!Array.isArray(names)) throw new UsageError(`${where} must be a list of engines, not ${show(value)}`)
  const given: readonly unknown[] = names
  const unknown = given.find((name) => !ENGINE_IDS.some((engine) => engine === name))
  if (unknown !== undefined) {
    throw new UsageError(`${where} must be some of ${ENGINE_IDS.join(', ')}, not ${show(unknown)}`)
  }
  return ENGINE_IDS.filter((engine) => given.includes(engine))
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing'
}
