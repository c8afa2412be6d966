import { createHash } from 'node:crypto'
import type { EngineId, ProviderId } from '../../domain/enums.ts'
import { CommandError } from '../../errors.ts'
import { GIVEN_ID } from '../../ids.ts'
import { defaultModel } from '../../reference/provider-prices.ts'
import { getProvider } from '../providers/index.ts'
import type { Provider } from '../providers/provider.ts'
import type { ScanConfig } from '../scan-config.ts'
import { JUDGE_PROVIDERS, type JudgeProvider } from './bodies.ts'
import { PROMPT_VERSION } from './prompt.ts'

/** A model that judges. */
export interface Judge {
  readonly provider: Provider
  readonly id: JudgeProvider
  readonly model: string
  readonly baseUrl: string
  /** Names provider, model and version of the prompt in the queue: an answer is asked about once for each. */
  readonly target: string
}

/** What a command says of the judge, in the place of `scan.json`'s `judge`. */
export interface JudgeChoice {
  readonly provider?: ProviderId | undefined
  readonly model?: string | undefined
}

/**
 * The judge of a command: what the command says, else `judge` of `scan.json`, else the provider's default model. Throws
 * CommandError where none is named or it can't judge.
 */
export function resolveJudge({ judge: configured, providers, path }: ScanConfig, choice: JudgeChoice): Judge {
  const id = choice.provider ?? configured?.provider
  if (id === undefined) {
    throw new CommandError(
      `No judge is configured, so nothing is judged. Give --provider, or write one into ${path}, such as:`,
      { faults: ['{"judge": {"provider": "openai", "model": "gpt-5.4-mini"}, "budget": {"usd_day": 5}}'] },
    )
  }
  if (!isJudgeProvider(id)) {
    throw new CommandError(`${id} has no models that judge. Use one of ${JUDGE_PROVIDERS.join(', ')}.`)
  }
  const provider = getProvider(id)
  const baseUrl = providers[id]?.baseUrl ?? provider.defaultBaseUrl
  if (baseUrl === undefined) {
    throw new CommandError(
      `${provider.name} needs an address. Write "providers": {"${id}": {"base_url": "https://…"}} into ${path}.`,
    )
  }
  const model = choice.model ?? (id === configured?.provider ? configured.model : undefined) ?? toDefault(id)
  return { provider, id, model, baseUrl, target: toTargetId(id, model) }
}

function toDefault(id: JudgeProvider): string {
  if (id === 'custom') throw new CommandError('Which model of the gateway judges? Give --model.')
  return defaultModel(id)
}

/** Whether models of the provider can judge. */
export function isJudgeProvider(id: ProviderId): id is JudgeProvider {
  return JUDGE_PROVIDERS.some((each) => each === id)
}

function toTargetId(id: JudgeProvider, model: string): string {
  const name = `judge.${id}.${model}.${PROMPT_VERSION}`
  if (GIVEN_ID.test(name)) return name
  return `judge.${id}.${createHash('sha256').update(model).digest('hex').slice(0, 16)}.${PROMPT_VERSION}`
}

/** The question of a call to the judge, as its provider takes one; any engine stands for none. */
export function toQuestion({ id, model, baseUrl, target }: Judge, message: string, engine: EngineId = 'chatgpt') {
  return {
    prompt: message,
    market: null,
    place: undefined,
    target: { id: target, engine, provider: id, model, role: 'main' as const, baseUrl, concurrency: 1 },
  }
}
