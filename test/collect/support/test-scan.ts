import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { type App, openApp } from '../../../src/app.ts'
import { parseConfig } from '../../../src/config.ts'
import { GATE_LIMITS } from '../../../src/collect/gate.ts'
import { planScan, type ScanPlan } from '../../../src/collect/plan.ts'
import type { Provider, Target } from '../../../src/collect/providers/provider.ts'
import type { RunLimits } from '../../../src/collect/run-calls.ts'
import type { ScanContext } from '../../../src/collect/run-scan.ts'
import { readSecrets } from '../../../src/collect/secrets.ts'
import type { Budget } from '../../../src/domain/call.ts'
import type { Site } from '../../../src/domain/site.ts'
import { importAnswers } from '../../../src/import-answers/import-answers.ts'
import { SECRET, testProvider } from './test-provider.ts'

export const DAY = '2026-11-20'

/** Short enough for a test, otherwise as they are. */
export const TEST_LIMITS: RunLimits = {
  deadlineMs: 5_000,
  gate: { ...GATE_LIMITS, restMs: 200, backoffMs: { first: 5, most: 20 } },
  tasks: { waitMsMax: 2_000, ageMsMax: 60_000 },
  intake: { answers: 500, ms: 60_000 },
}

export const NO_LIMIT: Budget = { dayMicros: undefined, monthMicros: undefined, targets: new Map() }

export interface ScanWorld {
  readonly app: App
  readonly dataDir: string
  readonly site: Site
  readonly context: ScanContext
  readonly plan: ScanPlan
}

export interface ScanWorldOptions {
  readonly targets: readonly Target[]
  readonly prompts?: number
  readonly samples?: number
  readonly provider?: Provider
  readonly dataDir?: string
  readonly given?: Partial<ScanContext>
}

export function makeDataDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'answerlake-collect-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return join(dir, 'data')
}

/** A data directory with a site and its prompts `Question 1?`, …, opened, and a plan to scan it. */
export async function openScanWorld({
  targets,
  prompts: count = 3,
  samples = 1,
  provider = testProvider,
  dataDir = makeDataDir(),
  given = {},
}: ScanWorldOptions): Promise<ScanWorld> {
  const app = await openApp(parseConfig({ dataDir, environment: {} }, {}, ''), { mode: 'command', create: true })
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]()
  })
  const { catalog } = app
  const site = catalog.sites.find('acme') ?? makeSite(app, count)
  const secrets = await readSecrets({ ANSWERLAKE_SECRET_OPENAI: SECRET })
  const pace = { concurrency: targets[0]?.concurrency ?? 4, perMinute: 1_000_000 }
  const context: ScanContext = {
    change: app.change,
    dataDir,
    environment: {},
    secrets,
    budget: NO_LIMIT,
    targets,
    toPace: () => pace,
    getProvider: () => provider,
    findMarket: () => undefined,
    limits: TEST_LIMITS,
    ...given,
  }
  const plan = planScan({
    site,
    prompts: catalog.prompts.list(site.id).prompts,
    targets,
    samples,
    day: DAY,
    seed: 1,
    getProvider: () => provider,
    toPace: () => pace,
    findMarket: () => undefined,
  })
  return { app, dataDir, site, context, plan }
}

function makeSite({ catalog }: App, count: number): Site {
  const site = catalog.sites.create({ id: 'acme', name: 'Acme', domain: 'acme.com', platforms: ['chatgpt'] })
  catalog.prompts.add(
    site.id,
    Array.from({ length: count }, (_, index) => ({
      id: `p${index + 1}`,
      text: `Question ${index + 1}?`,
      category: 'Brand' as const,
    })),
  )
  return site
}

/** Names below `scans/`, with their directories. */
export function listSpool(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'scans'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(dataDir, 'scans').length + 1))
    .toSorted()
}

/** Lines of all files of a directory below `scans/`, plain or sealed. */
export function readSpool(dataDir: string, directory = DAY): Record<string, unknown>[] {
  return listSpool(dataDir)
    .filter((name) => name.startsWith(`${directory}/`) && !name.slice(directory.length + 1).includes('/'))
    .flatMap((name) => {
      const bytes = readFileSync(join(dataDir, 'scans', name))
      const text = (name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString()
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    })
}

/** What importing a run's main files by hand would bring now. */
export async function importSpool({ app, dataDir, site }: Pick<ScanWorld, 'app' | 'dataDir' | 'site'>) {
  const files = listSpool(dataDir)
    .filter((name) => name.split('/').length === 2)
    .map((name) => join(dataDir, 'scans', name))
  const wishes = { createPrompts: false, dryRun: true, strict: false, discoverMin: 5 }
  return importAnswers(app.change, { site, files, format: 'auto', defaults: {}, ...wishes })
}

/** Answers and no_answers in the lake. */
export function countLake({ app, site }: Pick<ScanWorld, 'app' | 'site'>): number {
  const { manifest } = app.catalog
  return manifest
    .listFiles(site.id, manifest.currentSnapshot(site.id))
    .filter(({ dataset }) => dataset === 'answers' || dataset === 'no_answers')
    .reduce((sum, { rows }) => sum + rows, 0)
}

export function statusesOf({ app, site }: Pick<ScanWorld, 'app' | 'site'>, target = 'chatgpt'): Record<string, number> {
  const summary = app.catalog.calls
    .summarize({ siteId: site.id, kind: 'answer' })
    .find((each) => each.target === target)
  return Object.fromEntries(Object.entries(summary?.byStatus ?? {}).filter(([, count]) => count > 0))
}
