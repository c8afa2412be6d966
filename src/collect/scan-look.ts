import type { Catalog } from '../catalog/catalog.ts'
import { type Clock, toTimestamp } from '../clock.ts'
import { toDay } from '../domain/day.ts'
import { type EngineId, PROVIDER_IDS } from '../domain/enums.ts'
import type { Site } from '../domain/site.ts'
import { toDollars } from './micros.ts'
import { type PlannedCall, type ScanPlan, toQuestion } from './plan.ts'
import { getProvider } from './providers/index.ts'
import type { Target } from './providers/provider.ts'
import { toOutlook, toPlanJson } from './scan-outlook.ts'
import { describeMissingSecret, planSite, type ScanSetup } from './scan-setup.ts'
import { readScanState, toRunJson, toStateJson } from './scan-state.ts'
import { findNext } from './schedule.ts'
import { toSecretVariable } from '../read-secret.ts'

/** What a look at a site's scans stands on. */
export interface LookStand {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly config: { readonly dataDir: string; readonly enginesOff: readonly EngineId[] }
  readonly setup: ScanSetup
}

export type ScanLook = ReturnType<typeof lookAtScans>

/** A prompt of ordinary length, for what a call costs. */
const ORDINARY_PROMPT = { text: 'What is the best project management tool for small teams?', market: null }
const RUNS_SHOWN = 20

/** Everything that one wants to know before and after a scan of a site, in US dollars and without any place of the machine. */
export function lookAtScans({ catalog, clock, config, setup }: LookStand, site: Site) {
  const day = toDay(clock.now())
  const plan = planSite(setup, catalog.prompts, { site, day, seed: 0, enginesOff: config.enginesOff })
  const open = listOpen(catalog, site, plan)
  const { cannot, targets: planned, ...outlook } = toPlanJson(toOutlook(catalog, setup, site, plan))
  const toText = (text: string): string => withoutPlaces(text, config.dataDir, setup)
  const alive = catalog.scanRuns.findAlive(site.id, 'answer')
  const runs = catalog.scanRuns.list(site.id, 'answer').slice(0, RUNS_SHOWN)
  const state = toStateJson(site, readScanState(catalog, site))
  return {
    targets: setup.targets.map((target) => ({
      ...describeTarget(target, setup, site),
      problem: toNullable(describeMissingSecret(setup.secrets, target.provider), toText),
      planned_calls: planned.find(({ id }) => id === target.id)?.calls ?? 0,
      open: sumCosts(open.filter(({ question }) => question.target.id === target.id)),
    })),
    plan: {
      ...outlook,
      samples: setup.config.samples,
      open: sumCosts(open),
      cannot: cannot.map((each) => ({ ...each, reason: toText(each.reason) })),
    },
    schedules: setup.config.schedules
      .filter((schedule) => schedule.site === site.id || schedule.site === site.domain)
      .map((schedule) => {
        const next = findNext(schedule, clock.now())
        const { cron, zone } = schedule
        return { cron, zone, next_at: next === undefined ? null : toTimestamp(next.startMs) }
      }),
    running: alive === undefined ? null : { ...toRunJson(alive, true), date: alive.day },
    runs: runs.map((run) => ({
      ...toRunJson(run, run.id === alive?.id),
      date: run.day,
      reason: toNullable(run.reason, toText),
    })),
    last:
      state.date === null
        ? null
        : {
            date: state.date,
            targets: state.targets.map((target) => ({
              ...target,
              reasons: target.reasons.map((each) => ({ ...each, reason: toText(each.reason) })),
            })),
          },
  }
}

/** The calls of a plan that a scan would ask now: those that weren't asked, or by which nothing was bought. */
function listOpen(catalog: Catalog, site: Site, { calls, day }: ScanPlan): readonly PlannedCall[] {
  const made = new Set(
    catalog.calls.listMade(site.id, day).map(({ promptNo, target, sample }) => `${promptNo} ${sample} ${target}`),
  )
  return calls.filter(({ promptNo, sample, question }) => !made.has(`${promptNo} ${sample} ${question.target.id}`))
}

function sumCosts(calls: readonly PlannedCall[]) {
  return {
    calls: calls.length,
    cost_usd_low: toDollars(calls.reduce((sum, { price }) => sum + price.lowMicros, 0)),
    cost_usd_high: toDollars(calls.reduce((sum, { price }) => sum + price.highMicros, 0)),
  }
}

function describeTarget(target: Target, { config }: ScanSetup, site: Site) {
  const provider = getProvider(target.provider)
  const price = provider.price(toQuestion(ORDINARY_PROMPT, target, { site, findMarket: () => undefined }))
  const limits = config.budget?.targets.get(target.id)
  return {
    id: target.id,
    engine: target.engine,
    provider: target.provider,
    provider_name: provider.name,
    model: target.model ?? null,
    role: target.role,
    call_usd_low: toDollars(price.lowMicros),
    call_usd_high: toDollars(price.highMicros),
    usd_day: limits?.dayMicros === undefined ? null : toDollars(limits.dayMicros),
    usd_month: limits?.monthMicros === undefined ? null : toDollars(limits.monthMicros),
    terms: provider.terms,
  }
}

/** A text for people who don't see the machine: without its directories, and with variables for the files of secrets. */
export function withoutPlaces(text: string, dataDir: string, setup?: Pick<ScanSetup, 'secrets'>): string {
  let shown = text.replaceAll(`${dataDir}/`, '').replaceAll(dataDir, 'the data directory')
  for (const provider of PROVIDER_IDS) {
    const state = setup?.secrets.find(provider)
    if (state?.kind === 'unusable') shown = shown.replaceAll(state.where, toSecretVariable(provider))
  }
  return shown
}

function toNullable(text: string | undefined, toText: (text: string) => string): string | null {
  return text === undefined ? null : toText(text)
}
