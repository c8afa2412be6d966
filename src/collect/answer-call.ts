import type { ChangeContext } from '../change/change-lake.ts'
import { toTimestamp } from '../clock.ts'
import type { Call } from '../domain/call.ts'
import type { ProviderId } from '../domain/enums.ts'
import type { Market } from '../domain/market.ts'
import type { Prompt } from '../domain/prompt.ts'
import { isRejection } from '../domain/rejection.ts'
import type { Site } from '../domain/site.ts'
import { readRecords } from '../import-answers/envelope.ts'
import { importAnswers } from '../import-answers/import-answers.ts'
import { DISCOVER_MIN_DEFAULT } from '../limits.ts'
import type { Errand, PaidCall, Reading } from './paid-call.ts'
import { toQuestion } from './plan.ts'
import type { Provider, Target } from './providers/provider.ts'
import type { Envelope } from './spool-line.ts'

export interface AnswerErrandOptions {
  readonly change: ChangeContext
  readonly site: Site
  /** All of the site's, disabled ones too: a task may be of one. */
  readonly prompts: readonly Prompt[]
  readonly targets: readonly Target[]
  readonly getProvider: (id: ProviderId) => Provider
  readonly findMarket: (market: string) => Market | undefined
}

/** Engines' answers to a site's prompts, imported as `import answers` does it. */
export function openAnswerErrand(options: AnswerErrandOptions): Errand {
  const { change, site, getProvider } = options
  const prompts = new Map(options.prompts.map((prompt) => [prompt.promptNo, prompt]))
  const targets = new Map(options.targets.map((target) => [target.id, target]))
  return {
    kind: 'answer',
    lane: 'main',
    toId: toAnswerId,
    restore(call) {
      const prompt = call.subject.kind === 'answer' ? prompts.get(call.subject.promptNo) : undefined
      const target = targets.get(call.target)
      if (!prompt || !target || target.provider !== call.provider || target.engine !== call.engine) return undefined
      return toAnswerCall(call, { target, prompt, provider: getProvider(target.provider), options })
    },
    async takeIn(path) {
      await importAnswers(change, {
        site,
        files: [path],
        format: 'auto',
        defaults: {},
        createPrompts: false,
        dryRun: false,
        strict: false,
        discoverMin: DISCOVER_MIN_DEFAULT,
      })
    },
  }
}

/** The id under which an answer is imported. Numbers of prompts keep two calls apart whatever their targets are called. */
export function toAnswerId({ siteId, day, subject, target }: Call): string {
  if (subject.kind !== 'answer') throw new Error('a judgement has no answer of its own')
  return `scn_${siteId}_${day}_${subject.promptNo}_${target}_${subject.sample}`
}

interface Parts {
  readonly target: Target
  readonly prompt: Prompt
  readonly provider: Provider
  readonly options: AnswerErrandOptions
}

function toAnswerCall(call: Call, { target, prompt, provider, options }: Parts): PaidCall {
  const question = toQuestion(prompt, target, options)
  const id = toAnswerId(call)
  return {
    call,
    id,
    provider,
    highMicros: provider.price(question).highMicros,
    lane: target.role === 'main' ? 'main' : 'shadow',
    toRequest: () => provider.toRequest(question),
    classify: (reply, asked) => provider.classify(reply, { question, ...asked }),
    ...(provider.poll ? { poll: (taskId: string) => provider.poll?.(taskId, question) } : {}),
    cost: (parts) => provider.cost(parts, question),
    toEnvelope: (askedMs) => ({
      id,
      date: call.day,
      asked_at: toTimestamp(askedMs),
      prompt_id: prompt.id,
      platform: target.engine,
      market: question.market,
      provider: provider.id,
      ...(target.model === undefined ? {} : { model: target.model }),
      ...(target.role === 'main' ? {} : { role: target.role }),
      request: provider.toRequest(question),
    }),
    read: readAnswer,
  }
}

/** What the import will make of it: the adapters alone know what an answer is. */
export function readAnswer(envelope: Envelope, response: unknown): Reading {
  const records = readRecords({ ...envelope, response }, { format: 'auto', defaults: {} })
  const [first] = records
  if (first === undefined || isRejection(first)) {
    return { status: 'failed', reason: first?.reason ?? 'the reply holds no answer' }
  }
  const { text, search_queries: queries = [], citations, consulted = [] } = first
  if (text === null || text === '') return { status: 'no_answer', searched: queries.length > 0 }
  return { status: 'answered', searched: queries.length + citations.length + consulted.length > 0 }
}
