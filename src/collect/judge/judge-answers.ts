import type { ChangeContext } from '../../change/change-lake.ts'
import { toDay } from '../../domain/day.ts'
import type { Call, NewCall } from '../../domain/call.ts'
import type { Site } from '../../domain/site.ts'
import { importSentiment } from '../../import-answers/import-sentiment.ts'
import type { Lake } from '../../lake/lake.ts'
import type { Errand } from '../paid-call.ts'
import { writePatiently } from '../patience.ts'
import { getProvider } from '../providers/index.ts'
import type { PriceRange } from '../providers/provider.ts'
import { type RunContext, type RunResult, runCalls } from '../run-calls.ts'
import { isJudgeProvider, type Judge } from './judge.ts'
import { priceOfJudgement, toAnswerId, toJudgeCall } from './judge-call.ts'
import { readUnjudgedAnswers, type UnjudgedAnswer, type UnjudgedAnswers } from './unjudged-answers.ts'

/** What judging stands on. */
export interface JudgeContext extends Omit<RunContext, 'catalog' | 'clock'> {
  readonly change: ChangeContext
  readonly lake: Lake
}

export interface JudgeRequest {
  readonly site: Site
  readonly judge: Judge
  /** UTC days of the answers, both included. */
  readonly from: string
  readonly to: string
  /** At most so many answers. */
  readonly limit: number
  /** Asks again where no reply came or it was no judgement; that may be paid for twice. */
  readonly retries: boolean
}

/** What would be asked. */
export interface JudgePlan extends Omit<UnjudgedAnswers, 'answers'> {
  readonly calls: number
  /** Of all calls together. */
  readonly cost: PriceRange
}

export interface JudgeResult extends RunResult, Omit<UnjudgedAnswers, 'answers'> {}

/** Reads what `judgeAnswers` would ask and what it may cost; asks nobody. */
export async function planJudgements(
  { change: { catalog }, lake }: Pick<JudgeContext, 'change' | 'lake'>,
  { judge, retries, ...request }: JudgeRequest,
): Promise<JudgePlan> {
  const asked = catalog.calls.listAsked(request.site.id, judge.target, retries)
  const { answers, ...counts } = await readUnjudgedAnswers({ catalog, lake }, { ...request, asked })
  const prices = answers.map(({ message }) => priceOfJudgement(judge, message))
  return {
    ...counts,
    calls: answers.length,
    cost: {
      lowMicros: prices.reduce((sum, { lowMicros }) => sum + lowMicros, 0),
      highMicros: prices.reduce((sum, { highMicros }) => sum + highMicros, 0),
    },
  }
}

/**
 * Asks a judge about stored answers that name the own brand and have no sentiment, each once, within the budget, and imports
 * its judgements as sentiment; what is judged meanwhile stays as it is. Rejects with CommandError as `runCalls`.
 */
export async function judgeAnswers(context: JudgeContext, request: JudgeRequest): Promise<JudgeResult> {
  const { change, lake } = context
  const { catalog, clock } = change
  const { site, judge, retries } = request
  const day = toDay(clock.now())
  const messages = new Map<string, string>()
  let counts: Omit<UnjudgedAnswers, 'answers'> = { unjudged: 0, askedBefore: 0, tooLong: 0 }
  const plan = async (): Promise<readonly Call[]> => {
    if (retries) await writePatiently(catalog, () => catalog.calls.planAgain(site.id, judge.target))
    const asked = catalog.calls.listAsked(site.id, judge.target, false)
    const { answers, ...found } = await readUnjudgedAnswers({ catalog, lake }, { ...request, asked })
    counts = found
    const calls: Call[] = []
    for (let at = 0; at < answers.length; at += CALLS_A_WRITE) {
      const some = answers.slice(at, at + CALLS_A_WRITE)
      for (const { id, message } of some) messages.set(id, message)
      const wanted = some.map((answer) => toNewCall(judge, answer))
      calls.push(...(await writePatiently(catalog, () => catalog.calls.plan(site.id, day, wanted))))
    }
    return calls
  }
  const errand = openJudgeErrand({ change, site, judge, messages })
  const result = await runCalls({ ...context, catalog, clock }, { siteId: site.id, day, seed: 0, errand, plan })
  return { ...result, ...counts }
}

/** Calls planned in one write, which keeps other writers waiting. */
const CALLS_A_WRITE = 500

function toNewCall({ id, model, target }: Judge, answer: UnjudgedAnswer): NewCall {
  const subject = { kind: 'judgement', answerId: answer.id } as const
  return { subject, target, role: 'main', engine: answer.engine, provider: id, model }
}

interface ErrandOptions {
  readonly change: ChangeContext
  readonly site: Site
  readonly judge: Judge
  /** Of the answers that are asked about now, by their ids. */
  readonly messages: ReadonlyMap<string, string>
}

/** Judgements, imported as `sentiment import` does it. What a dead run asked may be of another judge, and is only read. */
function openJudgeErrand({ change, site, judge, messages }: ErrandOptions): Errand {
  return {
    kind: 'judgement',
    lane: 'judgements',
    toId: toAnswerId,
    restore(call) {
      const { provider: id, model = '', target } = call
      if (!isJudgeProvider(id)) return undefined
      const asked = target === judge.target ? judge : { ...judge, provider: getProvider(id), id, model, target }
      return toJudgeCall(asked, call, messages.get(toAnswerId(call)) ?? '')
    },
    async takeIn(path) {
      await importSentiment(change, { site, files: [path], dryRun: false, strict: false, keepsJudged: true })
    },
  }
}
