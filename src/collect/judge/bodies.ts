import type { ProviderId } from '../../domain/enums.ts'
import { JUDGEMENT_SCHEMA } from '../../import-answers/judge-replies/judgement.ts'
import { INSTRUCTIONS } from './prompt.ts'

/** Providers whose models can be judges: those that write text of a given schema. */
export const JUDGE_PROVIDERS = ['openai', 'anthropic', 'gemini', 'perplexity', 'custom'] as const satisfies ProviderId[]

export type JudgeProvider = (typeof JUDGE_PROVIDERS)[number]

/** Bound of the tokens that a model may write, its thinking included; a judgement alone takes about 60. */
export const OUTPUT_TOKENS_MAX = 2_048

/**
 * The body of a request for a judgement; address and headers are those of the provider's questions. Nothing is said of
 * temperature: models that think refuse it.
 */
export function toJudgeBody(provider: JudgeProvider, model: string, message: string): object {
  return BODIES[provider](model, message)
}

const BODIES: Readonly<Record<JudgeProvider, (model: string, message: string) => object>> = {
  // https://platform.openai.com/docs/guides/structured-outputs
  openai: (model, message) => ({
    model,
    instructions: INSTRUCTIONS,
    input: message,
    text: { format: { type: 'json_schema', name: 'judgement', strict: true, schema: JUDGEMENT_SCHEMA } },
    max_output_tokens: OUTPUT_TOKENS_MAX,
    store: false,
  }),
  // https://platform.claude.com/docs/en/build-with-claude/structured-outputs
  anthropic: (model, message) => ({
    model,
    max_tokens: OUTPUT_TOKENS_MAX,
    system: INSTRUCTIONS,
    messages: [{ role: 'user', content: message }],
    output_config: { format: { type: 'json_schema', schema: JUDGEMENT_SCHEMA } },
  }),
  // https://ai.google.dev/gemini-api/docs/structured-output; the address names the model.
  gemini: (_, message) => ({
    systemInstruction: { parts: [{ text: INSTRUCTIONS }] },
    contents: [{ role: 'user', parts: [{ text: message }] }],
    generationConfig: {
      responseMimeType: 'application/json',
      responseJsonSchema: JUDGEMENT_SCHEMA,
      maxOutputTokens: OUTPUT_TOKENS_MAX,
    },
  }),
  // https://docs.perplexity.ai: chat completions, without a search.
  perplexity: (model, message) => ({ ...toChat(model, message), disable_search: true }),
  custom: toChat,
}

/** Chat completions, which gateways and local servers speak. */
function toChat(model: string, message: string): object {
  return {
    model,
    messages: [
      { role: 'system', content: INSTRUCTIONS },
      { role: 'user', content: message },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'judgement', strict: true, schema: JUDGEMENT_SCHEMA },
    },
    max_tokens: OUTPUT_TOKENS_MAX,
  }
}
