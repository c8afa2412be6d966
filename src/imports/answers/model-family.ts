import type { EngineId } from '../../domain/enums.ts'

/** The engine whose models carry such a name, as vendors and routers write them (`gpt-5.5`, `anthropic/claude-sonnet-5`). */
export function engineOfModel(model: string | undefined): EngineId | undefined {
  return model === undefined ? undefined : ENGINES.find(([, name]) => name.test(model))?.[0]
}

/** Grok's models belong to no engine of this service. */
export function isGrok(model: string | undefined): boolean {
  return model !== undefined && /^(?:x-?ai\/)?grok/i.test(model)
}

/** Whether the name is plainly another vendor's than OpenAI's; unknown names (deployments, fine-tuned models) are not. */
export function isForeignToOpenai(model: string): boolean {
  const engine = engineOfModel(model)
  if (engine !== undefined) return engine !== 'chatgpt'
  return /^(?!openai\/)[a-z0-9-]+\/|^(?:mistral|ministral|deepseek|llama|qwen|command|kimi|glm)[-\d]/i.test(model)
}

const ENGINES: readonly (readonly [EngineId, RegExp])[] = [
  ['chatgpt', /^(?:openai\/)?(?:gpt|chatgpt|o[1-9])(?:[-.\d]|$)/i],
  ['claude', /^(?:anthropic\/)?claude/i],
  ['gemini', /^(?:google\/|models\/)?gemini/i],
  ['perplexity', /^(?:perplexity\/)?(?:sonar|r1-1776|pplx-)/i],
]
