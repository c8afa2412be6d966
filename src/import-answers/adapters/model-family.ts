import type { EngineId } from '../../domain/enums.ts'
import { type JsonObject, textAt } from './json.ts'

/** The engine whose models carry such a name, as vendors and routers write them (`gpt-5.5`, `anthropic/claude-sonnet-5`). */
export function engineOfModel(model: string | undefined): EngineId | undefined {
  return model === undefined ? undefined : ENGINES.find(([, name]) => name.test(model))?.[0]
}

/** Grok's models belong to no engine of this service. */
export function isGrok(model: string | undefined): boolean {
  return model !== undefined && /^(?:x-?ai[/.])?grok/i.test(model)
}

/** Who served a payload: whom it names itself, else whose model its name shows; undefined when nothing shows it. */
export function providerOf(payload: JsonObject): string | undefined {
  const model = textAt(payload, 'model')
  const engine = engineOfModel(model)
  return textAt(payload, 'provider') ?? (engine && PROVIDERS[engine]) ?? (isGrok(model) ? 'xai' : undefined)
}

/**
 * A name that stands nowhere here is nobody's: many vendors speak another's API. Open models (`gpt-oss`, `gpt-neo`) are
 * run by anybody, so they are no engine's either.
 */
const ENGINES: readonly (readonly [EngineId, RegExp])[] = [
  ['chatgpt', /^(?:openai[/.](?!gpt-oss)|gpt-(?!oss|neo|j\b|jt|sw3)|chatgpt|o[1-9](?:[-.]|$)|computer-use)/i],
  ['claude', /^(?:(?:[a-z]{2,6}\.)?anthropic[/.])?claude/i],
  ['gemini', /^(?:google\/|models\/)?gemini/i],
  ['perplexity', /^(?:perplexity\/)?(?:sonar|r1-1776|pplx-|llama-[\d.]+-sonar-)/i],
]

const PROVIDERS: Readonly<Partial<Record<EngineId, string>>> = {
  chatgpt: 'openai',
  claude: 'anthropic',
  gemini: 'google',
  perplexity: 'perplexity',
}
