import type { EngineId } from '../../../src/domain/enums.ts'
import type { Provider, Question, Reply } from '../../../src/collect/providers/provider.ts'
import { findMarket } from '../../../src/reference/markets.ts'

interface Asking {
  readonly prompt?: string
  readonly market?: string | null
  readonly engine?: EngineId | undefined
  readonly model?: string | undefined
  readonly baseUrl?: string
}

/** A question to a provider, with its first engine unless another is named. */
export function toQuestion(
  { id, engines, defaultBaseUrl }: Provider,
  { prompt = 'best crm for dentists', market = null, engine, model, baseUrl }: Asking = {},
): Question {
  return {
    prompt: market === null ? prompt : `${prompt} ${market}`,
    market,
    place: market === null ? undefined : findMarket(market),
    target: {
      id: 'target',
      engine: engine ?? engines[0] ?? 'chatgpt',
      provider: id,
      model,
      role: 'main',
      baseUrl: baseUrl ?? defaultBaseUrl ?? 'https://gateway.example/v1',
      concurrency: 4,
    },
  }
}

/** What came with a status: an object as JSON, a text as it is. */
export function toReply(status: number, said: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  const text = typeof said === 'string' ? said : JSON.stringify(said)
  return { status, headers: new Headers(headers), body: Buffer.from(text), json: toJson(text) }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
