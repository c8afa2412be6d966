import { isRejection } from '../../domain/rejection.ts'
import type { Sentiment } from '../../domain/enums.ts'
import { parseJudgement } from '../../import-answers/judge-replies/judgement.ts'
import { readWrittenText } from '../../import-answers/judge-replies/written-text.ts'
import { CALL_DEADLINE_MS, CALL_TRIES_MAX } from '../../call-limits.ts'
import type { LabelledAnswer } from '../../reference/labelled-answers.ts'
import { type Gate, GATE_LIMITS, openGate } from '../gate.ts'
import { openSender, type Sender } from '../send.ts'
import { toPace } from '../targets.ts'
import { type AgreementReport, measureAgreement } from './agreement.ts'
import { toQuestion } from './judge.ts'
import { priceOfJudgement, toJudgeRequest } from './judge-call.ts'
import type { JudgeSetup } from './judge-setup.ts'
import { toMessage } from './prompt.ts'

export interface EvaluateOptions {
  readonly setup: JudgeSetup
  readonly examples: readonly LabelledAnswer[]
  /** The most that this evaluation may cost, in micro-dollars. */
  readonly budgetMicros: number
  /** For proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborted: no further example is asked about, and those under way are given up. */
  readonly signal: AbortSignal
  readonly now: () => number
  readonly onProgress?: (done: number) => void
}

export interface Evaluation extends AgreementReport {
  /** Examples without a judgement, by why; the most frequent first. */
  readonly failures: readonly { readonly reason: string; readonly examples: number }[]
  readonly costMicros: number
}

/**
 * Asks a judge about labelled examples, just as about answers, and holds its judgements against the labels. Nothing is
 * stored, and nothing is asked beyond the budget: each call reserves its upper bound before it is sent.
 */
export async function evaluateJudge(options: EvaluateOptions): Promise<Evaluation> {
  const { setup, examples, environment, signal, now, onProgress } = options
  const { judge, config, secrets } = setup
  const { provider } = judge
  await using sender = openSender({ environment, deadlineMs: CALL_DEADLINE_MS, redact: (text) => secrets.redact(text) })
  const gate = openGate({ name: provider.name, pace: toPace(config, provider), signal, limits: GATE_LIMITS, now })
  const purse: Purse = { leftMicros: options.budgetMicros }
  const judgements = new Map<string, Sentiment>()
  const failures = new Map<string, number>()
  let done = 0
  await Promise.all(
    examples.map(async (example) => {
      const said = await gate.inTurn(() => askAbout(example, { setup, gate, sender, purse, signal }))
      if ('reason' in said) failures.set(said.reason, (failures.get(said.reason) ?? 0) + 1)
      else judgements.set(example.id, said.sentiment)
      onProgress?.(++done)
    }),
  )
  return {
    ...measureAgreement(examples, judgements),
    failures: [...failures]
      .map(([reason, count]) => ({ reason, examples: count }))
      .toSorted((a, b) => b.examples - a.examples),
    costMicros: options.budgetMicros - purse.leftMicros,
  }
}

/** What is neither spent nor reserved. */
interface Purse {
  leftMicros: number
}

interface Asking {
  readonly setup: JudgeSetup
  readonly gate: Gate
  readonly sender: Sender
  readonly purse: Purse
  readonly signal: AbortSignal
}

type Said = { readonly sentiment: Sentiment } | { readonly reason: string }
interface Retry {
  readonly afterMs: number | undefined
  readonly reason: string
}

/** Tries again only where nothing was bought. */
async function askAbout(example: LabelledAnswer, asking: Asking): Promise<Said> {
  const { gate } = asking
  const message = toMessage({ brand: example.brand, alsoCalled: [], answer: example.text })
  const nextBackoffMs = gate.openBackoff()
  for (let tries = 1; ; tries++) {
    const attempt = await gate.attempt(() => tryOnce(message, asking))
    if (attempt === undefined) return { reason: gate.off ?? 'it was stopped' }
    const { said } = attempt
    if (!('afterMs' in said)) return said
    if (tries === CALL_TRIES_MAX) return { reason: `${said.reason} (${tries} tries)` }
    await gate.wait(said.afterMs ?? nextBackoffMs())
  }
}

async function tryOnce(
  message: string,
  { setup: { judge, secrets }, gate, sender, purse, signal }: Asking,
): Promise<{ readonly said: Said | Retry; readonly isFailure: boolean }> {
  const { highMicros } = priceOfJudgement(judge, message)
  if (highMicros > purse.leftMicros) return { said: { reason: 'the budget is used up' }, isFailure: false }
  purse.leftMicros -= highMicros
  const free = (said: Said | Retry, isFailure: boolean) => {
    purse.leftMicros += highMicros
    return { said, isFailure }
  }
  const { provider, id } = judge
  const request = toJudgeRequest(judge, message)
  const reply = await sender.send({ request, place: provider.secret, secret: secrets.get(id), signal })
  if ('kind' in reply) {
    if (reply.kind === 'uncertain') return { said: { reason: reply.reason }, isFailure: true }
    return free({ afterMs: undefined, reason: `nothing could be sent: ${reply.reason}` }, true)
  }
  gate.learn(reply.headers)
  const question = toQuestion(judge, message)
  const verdict = provider.classify(reply, { question, parts: [] })
  switch (verdict.kind) {
    case 'answer': {
      purse.leftMicros += highMicros - (provider.cost([reply.json], question) ?? highMicros)
      return { said: readSentiment(reply.json), isFailure: false }
    }
    case 'retry': {
      if (reply.status === 429) gate.slowDown(verdict.afterMs ?? 0)
      return free({ afterMs: verdict.afterMs, reason: `HTTP ${reply.status}` }, reply.status !== 429)
    }
    case 'refused':
    case 'off': {
      const reason = secrets.redact(verdict.reason)
      // A request that is refused once is refused for every example.
      gate.turnOff(reason)
      return free({ reason }, false)
    }
    case 'uncertain':
      return { said: { reason: secrets.redact(verdict.reason) }, isFailure: true }
    case 'follow':
    case 'task':
    case 'pending':
      return { said: { reason: `an unexpected reply (${verdict.kind})` }, isFailure: true }
  }
}

function readSentiment(reply: unknown): Said {
  const written = readWrittenText(reply)
  return isRejection(written) ? written : parseJudgement(written.text)
}
