import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Actions, openActions } from '../../../src/actions/actions.ts'
import { openReportRows } from '../../../src/actions/report-rows.ts'
import type { Finding, Rule } from '../../../src/actions/rule.ts'
import { loadStudentT } from '../../../src/statistics/student-t.ts'
import { openSiteView } from '../../../src/actions/site-view.ts'
import { type App, openApp } from '../../../src/app.ts'
import type { NewCompetitor } from '../../../src/catalog/competitors.ts'
import type { Clock } from '../../../src/clock.ts'
import { parseConfig } from '../../../src/config.ts'
import type { TargetPrompt } from '../../../src/domain/action-card.ts'
import type { Category, EngineId, Sentiment } from '../../../src/domain/enums.ts'
import type { Site } from '../../../src/domain/site.ts'
import { importAnswers } from '../../../src/import-answers/import-answers.ts'
import { importLogs } from '../../../src/import-logs/import-logs.ts'

/** A clock that stands still until it is moved. */
export interface MovableClock extends Clock {
  nowMs: number
}

/** A line of the native format. */
export interface AnswerLine {
  readonly id: string
  readonly date: string
  readonly platform: EngineId
  readonly prompt: string
  readonly text: string
  readonly mentions: readonly string[]
  readonly citations: readonly string[]
  readonly sentiment: Sentiment | null
}

/** The last day of the small worlds: their rules look at 2026-10-19 to 2026-11-15, and at 2026-09-21 to 2026-10-18. */
const NEWEST_DAY = '2026-11-15'
export const NEWEST_DAY_BEFORE = '2026-10-18'

/** Equal answers but for what the counts say: the first ones name the brands, cite the pages, are judged. */
export interface AnswerGroup {
  /** The prompt's text. */
  readonly prompt: string
  readonly platform?: EngineId
  readonly count: number
  readonly named?: Readonly<Record<string, number>>
  readonly cited?: Readonly<Record<string, number>>
  readonly judged?: Partial<Readonly<Record<Sentiment, number>>>
  /** Last of the days that the answers are spread over. */
  readonly lastDay?: string
  readonly days?: number
}

let lineNo = 0

export function answers(group: AnswerGroup): readonly AnswerLine[] {
  const {
    prompt,
    platform = 'chatgpt',
    count,
    named = {},
    cited = {},
    judged = {},
    lastDay = NEWEST_DAY,
    days = 28,
  } = group
  const upTo = (counts: Readonly<Record<string, number>>, index: number): string[] =>
    Object.keys(counts).filter((name) => index < (counts[name] ?? 0))
  const sentiments = (['negative', 'positive', 'neutral'] as const).flatMap((sentiment) =>
    Array.from({ length: judged[sentiment] ?? 0 }, () => sentiment),
  )
  return Array.from({ length: count }, (_, index) => ({
    id: `answer-${(lineNo += 1)}`,
    date: toDay(Date.parse(lastDay) - (index % days) * 86_400_000),
    platform,
    prompt,
    text: 'An answer.',
    mentions: upTo(named, index),
    citations: upTo(cited, index),
    sentiment: sentiments[index] ?? null,
  }))
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

export interface NewWorld {
  /** Prompts by their text. */
  readonly prompts: Readonly<Record<string, Category>>
  readonly competitors?: readonly NewCompetitor[]
  readonly platforms?: readonly EngineId[]
}

/** A site of its own, named Acme, with the domain acme.com. */
export interface ActionWorld {
  readonly app: App
  readonly actions: Actions
  readonly clock: MovableClock
  readonly site: Site
  /** A tracked prompt as cards name it. */
  prompt(text: string): TargetPrompt
  import(...groups: readonly (readonly AnswerLine[])[]): Promise<void>
  /** Lines of the combined format. */
  importLog(...groups: readonly (readonly string[])[]): Promise<void>
  find(rule: Rule): Promise<readonly Finding[]>
}

export interface ActionWorlds {
  create(world: NewWorld): ActionWorld
  close(): Promise<void>
}

/** A data directory in which each test makes worlds of its own. */
export async function openActionWorlds(): Promise<ActionWorlds> {
  const dataDir = mkdtempSync(join(tmpdir(), 'answerlake-actions-'))
  const clock: MovableClock = { nowMs: Date.parse('2026-11-20T07:03:09.120Z'), now: () => clock.nowMs }
  const config = parseConfig({ dataDir, environment: { ANSWERLAKE_QUERY_THREADS: '1' } }, {}, 'config.json')
  const app = await openApp(config, { mode: 'command', create: true, clock })
  return {
    create: (world) => createWorld(app, clock, world),
    async close() {
      await app[Symbol.asyncDispose]()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function createWorld(app: App, clock: MovableClock, { prompts, competitors = [], platforms }: NewWorld): ActionWorld {
  const { catalog } = app
  const organization = catalog.organizations.create({ name: 'Acme Inc', promptLimit: 10_000 })
  const site = catalog.sites.create({ name: 'Acme', domain: 'acme.com', organizationId: organization.id, platforms })
  catalog.prompts.add(
    site.id,
    Object.entries(prompts).map(([text, category]) => ({ text, category })),
  )
  for (const competitor of competitors) catalog.competitors.add(site.id, competitor)
  return {
    app,
    clock,
    site,
    actions: openActions({ reporting: app.reporting, clock }),
    prompt(text) {
      const found = catalog.prompts.findByText(site.id, text)
      if (!found) throw new Error(`the world has no prompt "${text}"`)
      return { id: found.id, text: found.text }
    },
    import: (...groups) => importLines(app, site, groups.flat()),
    importLog: (...groups) => importLogLines(app, site, groups.flat()),
    find: async (rule) => {
      const view = openSiteView(catalog, site.id, {
        reports: openReportRows(app.reporting, site.id),
        studentT: await loadStudentT(),
        nowMs: clock.now(),
      })
      return view ? rule.find(view) : []
    },
  }
}

async function importLines(app: App, site: Site, lines: readonly AnswerLine[]): Promise<void> {
  const file = join(app.config.dataDir, `${site.id}.ndjson`)
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await importAnswers(app.change, {
    site,
    files: [file],
    format: 'native',
    defaults: {},
    createPrompts: false,
    dryRun: false,
    strict: true,
    discoverMin: Number.MAX_SAFE_INTEGER,
  })
}

async function importLogLines(app: App, site: Site, lines: readonly string[]): Promise<void> {
  const file = join(app.config.dataDir, `${site.id}.log`)
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
  await importLogs(app.change, { site, files: [file], format: 'combined', dryRun: false, strict: true })
}
