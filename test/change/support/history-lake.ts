import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, openApp } from '../../../src/app.ts'
import { parseConfig } from '../../../src/config.ts'
import type { Site } from '../../../src/domain/site.ts'
import { importAnswers } from '../../../src/import-answers/import-answers.ts'
import type { ImportAnswersResult } from '../../../src/import-answers/import-result.ts'
import { importLogs } from '../../../src/import-logs/import-logs.ts'
import type { ImportLogsResult } from '../../../src/import-logs/import-options.ts'
import { makeWorld, type WorldRecord } from '../../support/oracle/world.ts'

/** Site, prompts and competitors of all histories; its own answers are not used. */
export const WORLD = makeWorld('history', { share: 0 })
export const SITE = WORLD.site.id
const NOW_MS = Date.parse('2026-10-10T12:00:00Z')

/** A data directory with the world's site and what an operator does to it. Dispose of it in the end. */
export interface HistoryLake extends AsyncDisposable {
  readonly app: App
  readonly site: Site
  /** One call of `import answers`; `options` for what goes beyond an ordinary import. */
  answers(
    records: readonly WorldRecord[],
    options?: Partial<Parameters<typeof importAnswers>[1]>,
  ): Promise<ImportAnswersResult>
  /** One call of `import logs` with lines of the combined format. */
  logs(lines: readonly string[]): Promise<ImportLogsResult>
}

export async function openHistoryLake(): Promise<HistoryLake> {
  const dir = mkdtempSync(join(tmpdir(), 'answerlake-history-'))
  const clock = { now: () => NOW_MS }
  const config = parseConfig({ dataDir: join(dir, 'data'), environment: {} }, { query_threads: 1 }, 'config.json')
  const app = await openApp(config, { mode: 'command', create: true, clock })
  const { catalog } = app
  const organization = catalog.organizations.create({ name: 'Acme' })
  const site = catalog.sites.create({ ...WORLD.site, organizationId: organization.id })
  catalog.prompts.add(SITE, WORLD.prompts)
  for (const competitor of WORLD.competitors) catalog.competitors.add(SITE, competitor)
  let inputs = 0
  const write = (lines: readonly string[]): string => {
    const path = join(dir, `input-${inputs++}`)
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
    return path
  }
  return {
    app,
    site,
    answers: (records, options = {}) =>
      importAnswers(app.change, {
        site: catalog.sites.get(SITE),
        files: [write(records.map((record) => JSON.stringify(record)))],
        format: 'native',
        defaults: {},
        createPrompts: false,
        dryRun: false,
        strict: true,
        discoverMin: Number.MAX_SAFE_INTEGER,
        ...options,
      }),
    logs: (lines) =>
      importLogs(app.change, {
        site,
        files: [write(lines)],
        format: 'combined',
        dryRun: false,
        strict: true,
      }),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
