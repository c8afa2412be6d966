import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../src/clock.ts'
import { importAnswers } from '../../../src/import-answers/import-answers.ts'
import type { ImportAnswersResult } from '../../../src/import-answers/import-result.ts'
import { SERVER_QUERY_MEMORY_MIB } from '../../../src/limits.ts'
import { openTestService, type TestService } from '../../support/http.ts'
import type { World, WorldRecord } from '../../support/oracle/world.ts'

/** A clock that stands still until it is moved. */
export interface MovableClock extends Clock {
  nowMs: number
}

export interface Reply {
  readonly status: number
  readonly body: ReportBody
}

/** A page of a report, or an error. */
export interface ReportBody {
  readonly info: {
    readonly site_id: string
    readonly start_date: string
    readonly end_date: string
    readonly count: number
    readonly total_results: number
    readonly next_cursor: string | null
  }
  readonly data: readonly Record<string, unknown>[]
  readonly error?: { readonly code: string; readonly message: string }
}

/** A world in a data directory of its own, served as an operator serves it. */
export interface ServedWorld {
  readonly service: TestService
  readonly app: TestService['app']
  readonly clock: MovableClock
  /** Of the world's imports. */
  readonly results: readonly ImportAnswersResult[]
  /** One call of `import answers`, each list of records a file. */
  import(files: readonly (readonly WorldRecord[])[]): Promise<ImportAnswersResult>
  /** POST with a key of the organization; `site_id` is the world's unless the body has one. */
  ask(path: string, body: object): Promise<Reply>
  /** GET with a key of the organization. */
  get(path: string): Promise<{ readonly status: number; readonly body: unknown }>
  close(): Promise<void>
}

/**
 * Makes the directory, imports the world's files and serves it on a free port. Hosts get numbers from `firstHostNo` on.
 * Reports are small and many here: one thread each takes less of the machine than two that wait for each other.
 */
export async function serveWorld(
  world: World,
  { firstHostNo = 1, queryThreads = 1, queryMemoryMib = SERVER_QUERY_MEMORY_MIB } = {},
): Promise<ServedWorld> {
  const clock: MovableClock = { nowMs: Date.parse('2026-10-10T12:00:00Z'), now: () => clock.nowMs }
  const service = await openTestService({
    clock,
    settings: { query_threads: queryThreads, query_memory_mib: queryMemoryMib },
  })
  const { app, dataDir } = service
  decide(service, world)
  app.catalog.sites.setCounter(world.site.id, 'host_no', firstHostNo)
  const importFiles = (files: readonly (readonly WorldRecord[])[]): Promise<ImportAnswersResult> =>
    importAnswers(app.change, {
      site: app.catalog.sites.get(world.site.id),
      files: files.map((records, index) => writeRecords(join(dataDir, `file-${index}.ndjson`), records)),
      format: 'auto',
      defaults: {},
      createPrompts: false,
      dryRun: false,
      strict: false,
      // Only names that records list themselves become brands here.
      discoverMin: Number.MAX_SAFE_INTEGER,
    })
  const results: ImportAnswersResult[] = []
  for (const files of world.imports) results.push(await importFiles(files))
  const { value: key } = app.catalog.keys.create({ name: 'tests', expiresInDays: 30, creator: 'tests' })

  return {
    service,
    app,
    clock,
    results,
    import: importFiles,
    ask: (path, body) => service.send({ method: 'POST', path, key, body: { site_id: world.site.id, ...body } }),
    get: (path) => service.send({ path, key }),
    close: () => service.close(),
  }
}

function decide({ app: { catalog } }: TestService, { site, competitors, prompts }: World): void {
  const organization = catalog.organizations.create({ name: 'Acme', requestsPerMinute: 1_000_000_000 })
  catalog.sites.create({ ...site, organizationId: organization.id })
  catalog.prompts.add(site.id, prompts)
  for (const competitor of competitors) catalog.competitors.add(site.id, competitor)
}

function writeRecords(path: string, records: readonly WorldRecord[]): string {
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return path
}
