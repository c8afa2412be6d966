import type { ChangeContext } from '../change/change-lake.ts'
import type { NewCall } from '../domain/call.ts'
import type { ProviderId } from '../domain/enums.ts'
import type { Market } from '../domain/market.ts'
import type { Site } from '../domain/site.ts'
import { CommandError } from '../errors.ts'
import { openAnswerErrand } from './answer-call.ts'
import type { Errand } from './paid-call.ts'
import { writePatiently } from './patience.ts'
import type { ScanPlan } from './plan.ts'
import type { Provider, Target } from './providers/provider.ts'
import { type RunContext, type RunResult, runCalls } from './run-calls.ts'

/** What scans stand on. */
export interface ScanContext extends Omit<RunContext, 'catalog' | 'clock'> {
  readonly change: ChangeContext
  /** All configured ones: tasks of earlier runs may be of those that aren't asked now. */
  readonly targets: readonly Target[]
  readonly getProvider: (id: ProviderId) => Provider
  readonly findMarket: (market: string) => Market | undefined
}

export interface ScanResult extends RunResult {
  readonly siteId: string
  readonly day: string
  /** Calls of the plan that were asked before, on the same day. */
  readonly askedBefore: number
}

/**
 * Scans a site by a plan: asks each call that wasn't asked before, within the budget, and imports the answers. A scan that
 * is repeated on its day asks what is open; runs at the same time share the calls. Rejects with CommandError as `runCalls`, and when the site was deleted meanwhile.
 */
export async function runScan(context: ScanContext, site: Site, plan: ScanPlan): Promise<ScanResult> {
  const { catalog } = context.change
  const wanted = plan.calls.map(({ promptNo, sample, question: { target } }): NewCall => {
    const { id, role, engine, provider, model } = target
    return { subject: { kind: 'answer', promptNo, sample }, target: id, role, engine, provider, model }
  })
  let open = 0
  const result = await run(context, site, plan, async () => {
    const calls = []
    for (let at = 0; at < wanted.length; at += CALLS_A_WRITE) {
      const some = wanted.slice(at, at + CALLS_A_WRITE)
      calls.push(...(await writePatiently(catalog, () => catalog.calls.plan(site.id, plan.day, some))))
    }
    open = calls.length
    return calls
  })
  return { ...result, askedBefore: wanted.length - open }
}

/**
 * Asks again those calls of a day of which it isn't known whether they were bought; they may be paid for twice. Rejects with
 * CommandError as `runCalls`.
 */
export async function retryUncertain(
  context: ScanContext,
  site: Site,
  of: { readonly day: string; readonly seed: number },
): Promise<ScanResult> {
  const { catalog } = context.change
  const result = await run(context, site, of, async () => {
    const numbers = await writePatiently(catalog, () => catalog.calls.planUncertain(site.id, 'answer', of.day))
    const planned = new Set(numbers)
    return catalog.calls.listPlanned(site.id, 'answer', of.day).filter(({ callNo }) => planned.has(callNo))
  })
  return { ...result, askedBefore: 0 }
}

/** Calls planned in one write, which keeps other writers waiting. */
const CALLS_A_WRITE = 500

async function run(
  context: ScanContext,
  site: Site,
  { day, seed }: { readonly day: string; readonly seed: number },
  plan: () => ReturnType<Parameters<typeof runCalls>[1]['plan']>,
): Promise<Omit<ScanResult, 'askedBefore'>> {
  const { catalog, clock } = context.change
  const errand: Errand = openAnswerErrand({ ...context, site, prompts: catalog.prompts.list(site.id).prompts })
  const isGone = (): boolean => catalog.sites.find(site.id) === undefined
  const result = await runCalls({ ...context, catalog, clock }, { siteId: site.id, day, seed, errand, plan }).catch(
    (error: unknown) => {
      throw isGone() ? toGone(site, error) : error
    },
  )
  if (isGone()) throw toGone(site)
  return { ...result, siteId: site.id, day }
}

function toGone({ domain }: Site, cause?: unknown): CommandError {
  return new CommandError(
    `${domain} was deleted while it was scanned. What was asked until then is paid for; its answers are not kept.`,
    { cause },
  )
}
