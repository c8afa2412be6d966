import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseDuration, toDuration } from './domain/duration.ts'
import { isPeriod } from './domain/period.ts'
import { CommandError, UsageError } from './errors.ts'
import { CONFIG_BYTES_MAX } from './limits.ts'
import { readWholeFile } from './read-whole-file.ts'
import { type Setting, SETTING_NAMES, type SettingName, SETTINGS, type SettingValue } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Everything an operator may set, typed and checked. Nothing below the command line reads the environment. */
export type Config = {
  /** Absolute path of the directory that holds everything. */
  readonly dataDir: string
} & {
  readonly [Name in SettingName as (typeof SETTINGS)[Name]['field']]: SettingValue<(typeof SETTINGS)[Name]>
}

type Value = string | number | boolean | readonly string[]

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
    if (flag !== undefined) return { value: flag, where: `--${name.replaceAll('_', '-')}` }
    const variable = sources.environment[toVariable(name)]
    if (variable !== undefined && variable !== '') return { value: variable, where: toVariable(name) }
    if (settings[name] !== undefined) return { value: settings[name], where: `${path}: ${name}` }
    return { value: SETTINGS[name].default, where: name }
  }
  const values: Record<string, Value> = {}
  for (const name of SETTING_NAMES) values[SETTINGS[name].field] = parseSetting(SETTINGS[name], find(name))
  const config = { ...values, dataDir: toDataDir(sources.dataDir) } as Config
  return { ...config, queryThreads: config.queryThreads || availableParallelism() }
}

/** The settings in force, in the form of `config.json`. */
export function toConfigFile(config: Config): Record<SettingName, Value> {
  const file: Partial<Record<SettingName, Value>> = {}
  for (const name of SETTING_NAMES) {
    const { field, type } = SETTINGS[name]
    file[name] = type === 'duration' ? toDuration(config[field]) : config[field]
  }
  return file as Record<SettingName, Value>
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

function parseSetting(setting: Setting, { value, where }: Given): Value {
  switch (setting.type) {
    case 'text':
    case 'choice':
      if (typeof value !== 'string' || value.trim() === '')
        throw new UsageError(`${where} must be a text that is not empty`)
      if (setting.type === 'choice' && !setting.options.includes(value)) {
        throw new UsageError(`${where} must be one of ${setting.options.join(', ')}, not "${value}"`)
      }
      return value
    case 'path':
      if (typeof value === 'string') return value === '' ? '' : resolve(value)
      throw new UsageError(`${where} must be the path of a directory, not ${show(value)}`)
    case 'switch': {
      const isOn = { true: true, false: false }[String(value)]
      if (isOn !== undefined && typeof value !== 'object') return isOn
      throw new UsageError(`${where} must be true or false, not ${show(value)}`)
    }
    case 'origin': {
      if (value === '') return ''
      const url = typeof value === 'string' ? URL.parse(value) : null
      // Its path must be empty: the dashboard's own paths begin at the root.
      if (url?.protocol === 'https:' && url.href === `${url.origin}/`) return url.origin
      throw new UsageError(
        `${where} must be https:// with a host and perhaps a port, such as https://lake.acme.com, not ${show(value)}`,
      )
    }
    case 'period':
      if (typeof value === 'string' && isPeriod(value)) return value
      throw new UsageError(`${where} must be keep or a period such as 90d, 24mo or 3y, not ${show(value)}`)
    case 'duration': {
      const ms = typeof value === 'string' ? parseDuration(value) : undefined
      if (ms !== undefined && ms >= setting.minMs && ms <= setting.maxMs) return ms
      const range = `from ${toDuration(setting.minMs)} to ${toDuration(setting.maxMs)}`
      throw new UsageError(`${where} must be a duration such as 500ms, 30s, 15m or 1h, ${range}, not ${show(value)}`)
    }
    case 'integer': {
      const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
      if (typeof number === 'number' && Number.isInteger(number) && number >= setting.min && number <= setting.max)
        return number
      throw new UsageError(`${where} must be a whole number from ${setting.min} to ${setting.max}, not ${show(value)}`)
    }
    case 'list': {
      const given: unknown = typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value
      if (!Array.isArray(given)) throw new UsageError(`${where} must be a list of ${setting.noun}, not ${show(value)}`)
      const unknown: unknown = given.find((name) => !setting.options.includes(name))
      if (unknown !== undefined)
        throw new UsageError(`${where} must be some of ${setting.options.join(', ')}, not ${show(unknown)}`)
      return setting.options.filter((option) => given.includes(option))
    }
  }
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing'
}
