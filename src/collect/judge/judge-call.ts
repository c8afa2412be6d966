import { toTimestamp } from '../../clock.ts'
import type { Call } from '../../domain/call.ts'
import { isRejection } from '../../domain/rejection.ts'
import { parseJudgement } from '../../import-answers/judge-replies/judgement.ts'
import { readWrittenText } from '../../import-answers/judge-replies/written-text.ts'
import { boundOfCall, priceOfModel } from '../../reference/provider-prices.ts'
import type { PaidCall } from '../paid-call.ts'
import type { PriceRange, ProviderRequest } from '../providers/provider.ts'
import { toMicros } from '../providers/token-price.ts'
import { OUTPUT_TOKENS_MAX, toJudgeBody } from './bodies.ts'
import { type Judge, toQuestion } from './judge.ts'
import { PROMPT_VERSION } from './prompt.ts'

/** The paid call that asks a judge about one stored answer, with the message that quotes it. */
export function toJudgeCall(judge: Judge, call: Call, message: string): PaidCall {
  const { provider } = judge
  const id = toAnswerId(call)
  const question = toQuestion(judge, message, call.engine)
  const request = toJudgeRequest(judge, message)
  return {
    call,
    id,
    provider,
    highMicros: priceOfJudgement(judge, message).highMicros,
    lane: 'judgements',
    toRequest: () => request,
    classify: (reply, { parts }) => provider.classify(reply, { question, parts }),
    cost: (parts) => provider.cost(parts, question),
    toEnvelope: (askedMs) => ({
      id,
      asked_at: toTimestamp(askedMs),
      judge: { provider: judge.id, model: judge.model, prompt_version: PROMPT_VERSION },
      request,
    }),
    read: (_, reply) => readJudgement(reply),
  }
}

/** The stored answer that a call is about; its judgement stands under this id in the spool. */
export function toAnswerId({ subject }: Call): string {
  if (subject.kind !== 'judgement') throw new Error('the call is about no stored answer')
  return subject.answerId
}

/** Address and headers are those of the provider's questions, the body is the judge's. */
export function toJudgeRequest(judge: Judge, message: string): ProviderRequest {
  const asked = judge.provider.toRequest(toQuestion(judge, message))
  // A gateway's address may be that of the Responses API.
  const format = judge.id === 'custom' && asked.url.endsWith('/responses') ? 'openai' : judge.id
  return { ...asked, body: toJudgeBody(format, judge.model, message) }
}

/**
 * What a judgement costs. High: each byte of the request is a token, and the model writes all that it may. Low: four bytes a
 * token, and a judgement alone. Perplexity has a fee for each request.
 */
export function priceOfJudgement(judge: Judge, message: string): PriceRange {
  const price = priceOfModel(judge.id, judge.model)
  const bytes = Buffer.byteLength(JSON.stringify(toJudgeBody(judge.id, judge.model, message)))
  const searches = judge.id === 'perplexity' ? boundOfCall(judge.id).searches : 0
  return {
    lowMicros: toMicros(price, { input: bytes / BYTES_PER_TOKEN, output: JUDGEMENT_TOKENS, searches }),
    highMicros: toMicros(price, { input: OVERHEAD_TOKENS + bytes, output: OUTPUT_TOKENS_MAX, searches }),
  }
}

const BYTES_PER_TOKEN = 4
const JUDGEMENT_TOKENS = 60
/** What a vendor adds to a request, to explain the format of the reply. */
const OVERHEAD_TOKENS = 1_000

/** A reply that is no judgement is a failed call, which is paid for. */
function readJudgement(reply: unknown): ReturnType<PaidCall['read']> {
  const written = readWrittenText(reply)
  const judgement = isRejection(written) ? written : parseJudgement(written.text)
  return isRejection(judgement) ? { status: 'failed', reason: judgement.reason } : { status: 'answered' }
}
