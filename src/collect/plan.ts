import { createHash } from 'node:crypto'
import type { EngineId, ProviderId } from '../domain/enums.ts'
import type { Market } from '../domain/market.ts'
import type { Prompt } from '../domain/prompt.ts'
import type { Site } from '../domain/site.ts'
import type { PriceRange, Provider, Question, Target } from './providers/provider.ts'
import type { Pace } from './targets.ts'

/** One question to one target, once: what is bought (contract/imports 4.3). */
export interface PlannedCall {
  readonly promptNo: number
  readonly promptId: string
  /** From 1 to the samples of the plan. */
  readonly sample: number
  readonly question: Question
  /** What it costs at least and at most. */
  readonly price: PriceRange
}

/** What a scan of a site on a day asks, in the order of asking, and what that costs. */
export interface ScanPlan {
  readonly siteId: string
  /** UTC day that the answers get. */
  readonly day: string
  readonly seed: number
  readonly calls: readonly PlannedCall[]
  readonly costLowMicros: number
  readonly costHighMicros: number
  /** How long asking takes at the pace of the slowest provider, with answers of `ASSUMED_SECONDS`. */
  readonly minutes: number
  /** A line a target with calls, in the order of the targets. */
  readonly byTarget: readonly TargetPlan[]
  /** What can't be asked, a line a target and reason. */
  readonly cannot: readonly Unasked[]
}

export interface TargetPlan {
  readonly target: Target
  readonly calls: number
  readonly costLowMicros: number
  readonly costHighMicros: number
}

export interface Unasked {
  readonly target: Target
  readonly reason: string
  /** How many prompts it concerns. */
  readonly prompts: number
}

export interface PlanRequest {
  readonly site: Pick<Site, 'id' | 'market' | 'platforms'>
  /** Those to be asked; who calls has left the disabled ones out. */
  readonly prompts: readonly Pick<Prompt, 'id' | 'promptNo' | 'text' | 'market'>[]
  readonly targets: readonly Target[]
  readonly samples: number
  readonly day: string
  /** Decides the order alone: the same seed gives the same order. */
  readonly seed: number
  readonly getProvider: (id: ProviderId) => Pick<Provider, 'refusesMarket' | 'price'>
  readonly toPace: (id: ProviderId) => Pace
  readonly findMarket: (market: string) => Market | undefined
  /** Why a whole target can't be asked (no secret, its engine is switched off); undefined when it can. */
  readonly refuses?: (target: Target) => string | undefined
}

/** Seconds that an answer takes, for the time that a plan shows; engines that search take 5 to 40. */
const ASSUMED_SECONDS = 15

/** Plans a scan: each prompt on each target, as often as `samples` says. Pure; asks nobody. */
export function planScan(request: PlanRequest): ScanPlan {
  const { site, prompts, targets, day, seed } = request
  const cannot: Unasked[] = []
  const planned = targets.map((target) => {
    const reason = request.refuses?.(target) ?? refuseEngine(target.engine, site.platforms)
    if (reason === undefined) return planTarget(target, request, cannot)
    cannot.push({ target, reason, prompts: prompts.length })
    return []
  })
  const calls = shuffle(planned.flat(), seed)
  return {
    siteId: site.id,
    day,
    seed,
    calls,
    ...sumPrices(calls),
    minutes: countMinutes(calls, request.toPace),
    byTarget: targets.flatMap((target, index) => {
      const own = planned[index] ?? []
      return own.length === 0 ? [] : [{ target, calls: own.length, ...sumPrices(own) }]
    }),
    cannot: cannot.filter((each) => each.prompts > 0),
  }
}

function refuseEngine(engine: EngineId, platforms: readonly EngineId[]): string | undefined {
  return platforms.includes(engine) ? undefined : `the site is not measured on ${engine} (sites set --platforms)`
}

/** Prompts whose market can't be said go to `cannot`. */
function planTarget(target: Target, request: PlanRequest, cannot: Unasked[]): readonly PlannedCall[] {
  const provider = request.getProvider(target.provider)
  const refused = new Map<string, number>()
  const calls = request.prompts.flatMap((prompt) => {
    const question = toQuestion(prompt, target, request)
    const reason = provider.refusesMarket(question)
    if (reason !== undefined) {
      refused.set(reason, (refused.get(reason) ?? 0) + 1)
      return []
    }
    const price = provider.price(question)
    return Array.from({ length: request.samples }, (_, index) => ({
      promptNo: prompt.promptNo,
      promptId: prompt.id,
      sample: index + 1,
      question,
      price,
    }))
  })
  for (const [reason, prompts] of refused) cannot.push({ target, reason, prompts })
  return calls
}

/** What a prompt asks a target: with a market its text, a space and the market (contract/imports 4.3). */
export function toQuestion(
  { text, market: own }: Pick<Prompt, 'text' | 'market'>,
  target: Target,
  { site, findMarket }: Pick<PlanRequest, 'site' | 'findMarket'>,
): Question {
  const market = own ?? site.market
  return {
    prompt: market === null ? text : `${text} ${market}`,
    market,
    place: market === null ? undefined : findMarket(market),
    target,
  }
}

/** By a hash of seed and call, so that a scan that is cut off has asked no prompt and no target first. */
function shuffle(calls: readonly PlannedCall[], seed: number): readonly PlannedCall[] {
  return calls
    .map((call) => ({ call, rank: rankOf(call, seed) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ call }) => call)
}

function rankOf({ promptNo, question, sample }: PlannedCall, seed: number): string {
  return createHash('sha256').update(`${seed} ${promptNo} ${question.target.id} ${sample}`).digest('hex')
}

function sumPrices(calls: readonly PlannedCall[]): { costLowMicros: number; costHighMicros: number } {
  return {
    costLowMicros: calls.reduce((sum, { price }) => sum + price.lowMicros, 0),
    costHighMicros: calls.reduce((sum, { price }) => sum + price.highMicros, 0),
  }
}

/** Providers are asked side by side, so the slowest decides. */
function countMinutes(calls: readonly PlannedCall[], toPace: PlanRequest['toPace']): number {
  const byProvider = Map.groupBy(calls, ({ question }) => question.target.provider)
  const minutes = [...byProvider].map(([id, { length }]) => {
    const { concurrency, perMinute } = toPace(id)
    return Math.max(length / perMinute, (Math.ceil(length / concurrency) * ASSUMED_SECONDS) / 60)
  })
  return Math.ceil(Math.max(0, ...minutes))
}
