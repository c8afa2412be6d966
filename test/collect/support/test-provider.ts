import type { Provider, Reply, Target, Verdict } from '../../../src/collect/providers/provider.ts'

/** What a call may cost at most, in micro-dollars. */
export const HIGH_MICROS = 5_000
export const SECRET = 'sk-test-0123456789-secret'

/**
 * A provider with the format of OpenAI's responses; a body with `task`, `next` or `pending` leads on. Its status codes mean
 * what those of all providers mean.
 */
export const testProvider: Provider = {
  id: 'openai',
  name: 'Test',
  engines: ['chatgpt'],
  secret: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  defaultBaseUrl: undefined,
  terms: '',
  limits: { concurrency: 100, perMinute: 1_000_000 },
  refusesMarket: () => undefined,
  price: () => ({ lowMicros: 500, highMicros: HIGH_MICROS }),
  toRequest: ({ prompt, target }) => ({
    method: 'POST',
    url: `${target.baseUrl}/responses`,
    headers: { 'content-type': 'application/json' },
    body: { model: target.model, input: prompt },
  }),
  classify: (reply, { question }): Verdict => {
    const verdict = judgeTestReply(reply)
    if (verdict) return verdict
    const json = reply.json as { task?: string; next?: string; pending?: number }
    if (json.task !== undefined) return { kind: 'task', taskId: json.task }
    if (json.pending !== undefined) return { kind: 'pending', afterMs: json.pending }
    if (json.next === undefined) return { kind: 'answer' }
    return { kind: 'follow', request: { method: 'GET', url: `${question.target.baseUrl}${json.next}`, headers: {} } }
  },
  poll: (taskId, { target }) => ({ method: 'GET', url: `${target.baseUrl}/tasks/${taskId}`, headers: {} }),
  cost: (parts) => (parts.at(-1) as { cost?: number } | undefined)?.cost,
}

function judgeTestReply({ status, headers, json }: Reply): Verdict | undefined {
  const reason = `HTTP ${status}`
  if (status === 429) {
    const afterMs = Number(headers.get('retry-after-ms') ?? Number.NaN)
    return { kind: 'retry', afterMs: Number.isNaN(afterMs) ? undefined : afterMs }
  }
  if (status === 401) return { kind: 'off', reason }
  if (status === 400) return { kind: 'refused', reason }
  if (status !== 200 || typeof json !== 'object') return { kind: 'uncertain', reason }
  return undefined
}

export function toTarget(baseUrl: string, given: Partial<Target> = {}): Target {
  return {
    id: 'chatgpt',
    engine: 'chatgpt',
    provider: 'openai',
    model: 'gpt-5.5',
    role: 'main',
    baseUrl,
    concurrency: 4,
    ...given,
  }
}
