import { join } from 'node:path'
import type { Budget } from '../domain/call.ts'
import type { EngineId, ProviderId } from '../domain/enums.ts'
import { CommandError } from '../errors.ts'
import { readJsonFile } from '../read-json-file.ts'
import { parseWith } from '../schemas/parse-with.ts'
import { ScanFile } from './scan-file-schema.ts'

/** What `scan.json` says, checked for its form; `targets.ts` makes targets of it (contract/imports 4.1). */
export interface ScanConfig {
  /** Of the file, for messages. */
  readonly path: string
  readonly targets: readonly ConfiguredTarget[]
  readonly providers: { readonly [Id in ProviderId]?: ConfiguredProvider }
  /** Answers to each prompt a day and target. */
  readonly samples: number
  readonly budget: Budget | undefined
  readonly schedules: readonly Schedule[]
  readonly judge: { readonly provider: ProviderId; readonly model: string | undefined } | undefined
  /** How long raw answers are kept: `keep`, or a period such as `90d`. */
  readonly keepRaw: string
}

export interface ConfiguredTarget {
  readonly id: string
  readonly engine: EngineId
  readonly provider: ProviderId
  readonly model: string | undefined
  readonly role: 'main' | 'shadow'
}

export interface ConfiguredProvider {
  readonly baseUrl: string | undefined
  readonly perMinute: number | undefined
  readonly concurrency: number | undefined
}

/** When a site is scanned by `serve --scan`. */
export interface Schedule {
  /** Id or domain, as written. */
  readonly site: string
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string
  /** IANA name; the fields are read in it. */
  readonly zone: string
  /** A scan starts up to this much later, by chance. */
  readonly jitterMs: number
}

/** The file in a data directory that says what is asked. */
export function toScanConfigPath(dataDir: string): string {
  return join(dataDir, 'scan.json')
}

/**
 * The `scan.json` of a data directory; undefined where there is none, and nothing is asked. Throws CommandError, with each
 * fault and what to do about it.
 */
export async function readScanConfig(dataDir: string): Promise<ScanConfig | undefined> {
  const path = toScanConfigPath(dataDir)
  const content = await readJsonFile(path)
  if (content === undefined) return undefined
  return parseScanConfig(content, path)
}

/** The checked content of a `scan.json`, which stands at `path`. Throws CommandError as `readScanConfig`. */
export function parseScanConfig(content: unknown, path: string): ScanConfig {
  const parsed = parseWith(ScanFile, content, 'the file')
  const faults =
    'faults' in parsed
      ? parsed.faults.map((fault) => `${fault.path}: ${fault.message}`)
      : findContradictions(parsed.value)
  if (faults.length > 0 || 'faults' in parsed) {
    throw new CommandError(`${path} cannot be used; correct this and run the command again:`, { faults })
  }
  return { path, ...parsed.value }
}

/** What fits no schema: things that contradict each other. */
function findContradictions({ targets, budget }: Omit<ScanConfig, 'path'>): readonly string[] {
  const doubled = targets.flatMap(({ id, engine, role }, index) => {
    const before = targets.slice(0, index)
    if (before.some((other) => other.id === id)) {
      return [`targets.${index}: Another target is called ${id} too. Give this one an "id" of its own.`]
    }
    const main = before.find((other) => other.engine === engine && other.role === 'main')
    if (role === 'shadow' || main === undefined) return []
    return [
      `targets.${index}: ${main.id} is the main target of ${engine} already, and one an engine makes the reports. Remove one of them, or give one "role": "shadow".`,
    ]
  })
  const unknown = [...(budget?.targets.keys() ?? [])].filter((id) => !targets.some((each) => each.id === id))
  return [
    ...doubled,
    ...unknown.map((id) => `budget.targets.${id}: No target is called so. Correct the name or remove it.`),
  ]
}
