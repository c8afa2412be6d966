import { toDuration } from './domain/duration.ts'
import { ENGINE_IDS } from './domain/enums.ts'
import {
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

export type Setting = {
  /** Its name in the program's own configuration. */
  readonly field: string
  readonly description: string
} & (
  | { readonly type: 'text'; readonly default: string }
  /** Of a directory; empty for none. */
  | { readonly type: 'path'; readonly default: string }
  /** On unless its flag, `--no-` and the name, or `false` elsewhere, switches it off. */
  | { readonly type: 'switch'; readonly default: true }
  /** `https://` with a host and perhaps a port; empty for none. */
  | { readonly type: 'origin'; readonly default: string }
  | { readonly type: 'choice'; readonly options: readonly string[]; readonly default: string }
  | { readonly type: 'integer'; readonly min: number; readonly max: number; readonly default: number }
  | { readonly type: 'duration'; readonly minMs: number; readonly maxMs: number; readonly default: string }
  /** How long data is kept (domain/period.ts). */
  | { readonly type: 'period'; readonly default: string }
  | {
      readonly type: 'list'
      readonly noun: string
      readonly options: readonly string[]
      readonly default: readonly string[]
    }
)

/**
 * The settings by their name in `config.json`. The flag of `serve` is the name with dashes, the environment variable the
 * name in capitals after `ANSWERLAKE_`. Flags win over the environment, that over the file, that over the default. A list
 * is an array in the file, and separated by commas elsewhere.
 */
export const SETTINGS = {
  host: { field: 'host', type: 'text', default: '127.0.0.1', description: 'address to listen on' },
  port: {
    field: 'port',
    type: 'integer',
    min: 0,
    max: 65_535,
    default: 8080,
    description: 'port to listen on; 0 takes a free one',
  },
  dashboard: {
    field: 'dashboard',
    type: 'switch',
    default: true,
    description: 'serve the dashboard beside the API',
  },
  public_url: {
    field: 'publicUrl',
    type: 'origin',
    default: '',
    description: 'where browsers find the dashboard behind a proxy with TLS, such as https://lake.acme.com',
  },
  log_level: {
    field: 'logLevel',
    type: 'choice',
    options: ['error', 'warn', 'info', 'debug'],
    default: 'info',
    description: 'least important line that is logged',
  },
  connections: {
    field: 'connections',
    type: 'integer',
    min: 1,
    max: 100_000,
    default: CONNECTIONS_MAX,
    description: 'connections at once; beyond them idle ones are closed',
  },
  connections_per_address: {
    field: 'connectionsPerAddress',
    type: 'integer',
    min: 1,
    max: 100_000,
    default: CONNECTIONS_PER_ADDRESS_MAX,
    description: 'connections at once from one address; a proxy has one for all its clients',
  },
  query_timeout: {
    field: 'queryTimeoutMs',
    type: 'duration',
    minMs: 100,
    maxMs: 600_000,
    default: toDuration(QUERY_TIMEOUT_MS),
    description: 'longest time a report may take',
  },
  queries_running: {
    field: 'queriesRunning',
    type: 'integer',
    min: 1,
    max: 16,
    default: QUERIES_RUNNING_MAX,
    description: 'reports computed at the same time; a key has at most half of the places',
  },
  queries_waiting: {
    field: 'queriesWaiting',
    type: 'integer',
    min: 0,
    max: 10_000,
    default: QUERIES_WAITING_MAX,
    description: 'reports waiting for a place, at most half of them of one key; more are answered with 503',
  },
  query_threads: {
    field: 'queryThreads',
    type: 'integer',
    min: 0,
    max: 256,
    default: 0,
    description: 'processor cores that reports may use; 0 takes all',
  },
  query_memory_mib: {
    field: 'queryMemoryMib',
    type: 'integer',
    min: 64,
    max: 1_048_576,
    default: SERVER_QUERY_MEMORY_MIB,
    description: 'memory for reports, in MiB; more spills to the data directory',
  },
  spill_gib: {
    field: 'spillGib',
    type: 'integer',
    min: 0,
    max: 10_000,
    default: SPILL_GIB_MAX,
    description: 'what reports may spill to disk, in GiB',
  },
  snapshot_grace: {
    field: 'snapshotGraceMs',
    type: 'duration',
    minMs: SNAPSHOT_GRACE_MS,
    maxMs: 30 * 86_400_000,
    default: toDuration(SNAPSHOT_GRACE_MS),
    description: 'how long replaced data stays readable for open cursors, an hour at least',
  },
  undo_window: {
    field: 'undoWindowMs',
    type: 'duration',
    minMs: 0,
    maxMs: 366 * 86_400_000,
    default: '30d',
    description: 'how long an import of logs can be taken back at least',
  },
  shutdown_grace: {
    field: 'shutdownGraceMs',
    type: 'duration',
    minMs: 0,
    maxMs: 600_000,
    default: toDuration(SHUTDOWN_GRACE_MS),
    description: 'how long requests under way may take after SIGTERM',
  },
  retention_answers: {
    field: 'retentionAnswers',
    type: 'period',
    default: 'keep',
    description: 'how long answers are kept, such as 90d, 24mo or 3y; older ones are deleted',
  },
  retention_logs: {
    field: 'retentionLogs',
    type: 'period',
    default: 'keep',
    description: 'how long bot hits and visits are kept; older ones are deleted',
  },
  retention_raw: {
    field: 'retentionRaw',
    type: 'period',
    default: 'keep',
    description: 'how long texts and links of answers are kept; then they are blanked, and numbers stay',
  },
  iceberg_catalog: {
    field: 'icebergCatalog',
    type: 'path',
    default: '',
    description: 'directory of a publication (`lake publish`) to serve as an Iceberg REST catalog',
  },
  iceberg_host: {
    field: 'icebergHost',
    type: 'text',
    default: '127.0.0.1',
    description: 'address that the Iceberg catalog listens on',
  },
  iceberg_port: {
    field: 'icebergPort',
    type: 'integer',
    min: 0,
    max: 65_535,
    default: 8181,
    description: 'port that the Iceberg catalog listens on; 0 takes a free one',
  },
  engines_off: {
    field: 'enginesOff',
    type: 'list',
    noun: 'engines',
    options: ENGINE_IDS,
    default: [],
    description: 'engines that answers are not collected from, separated by commas',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS
/** Names of all settings as the configuration file has them, in the order of the documentation. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]

export type LogLevel = (typeof SETTINGS)['log_level']['options'][number]

/** What the program reads of a setting: durations in milliseconds, lists in the order of their options. */
export type SettingValue<S> = S extends { type: 'text' | 'path' | 'origin' | 'period' }
  ? string
  : S extends { type: 'switch' }
    ? boolean
    : S extends { type: 'choice'; options: readonly (infer Option)[] }
      ? Option
      : S extends { type: 'list'; options: readonly (infer Option)[] }
        ? readonly Option[]
        : number
