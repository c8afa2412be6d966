/** What a reply's headers say of the requests that its service still takes. */
export interface RateNotice {
  /** Nothing more before so long; 0 when more may be asked now. */
  readonly pauseMs: number
  /** The pace that can go on; undefined when it isn't told. */
  readonly perMinute: number | undefined
}

/**
 * Reads the headers in use: `x-ratelimit-*-requests` (OpenAI and its like) and `anthropic-ratelimit-requests-*`, whose buckets
 * fill up steadily until `reset`; `x-ratelimit-*`, `ratelimit-*` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), whose
 * windows begin anew at `reset`. Undefined where nothing is told.
 */
export function readRateHeaders(headers: Headers, nowMs: number): RateNotice | undefined {
  for (const prefix of ['x-ratelimit', 'anthropic-ratelimit']) {
    const read = (name: string): string | null =>
      headers.get(prefix === 'x-ratelimit' ? `${prefix}-${name}-requests` : `${prefix}-requests-${name}`)
    const [limit, remaining, resetMs] = [toCount(read('limit')), toCount(read('remaining')), toMs(read('reset'), nowMs)]
    if (limit !== undefined && remaining !== undefined && resetMs !== undefined) {
      return ofBucket(limit, remaining, resetMs)
    }
  }
  const structured = parseRateLimit(headers.get('ratelimit'))
  if (structured) return ofWindow(structured.remaining, structured.resetMs)
  for (const prefix of ['x-ratelimit', 'ratelimit']) {
    const remaining = toCount(headers.get(`${prefix}-remaining`))
    const resetMs = toMs(headers.get(`${prefix}-reset`), nowMs)
    if (remaining !== undefined && resetMs !== undefined) return ofWindow(remaining, resetMs)
  }
  return undefined
}

/** A bucket that misses `limit - remaining` and is full again after `resetMs`. */
function ofBucket(limit: number, remaining: number, resetMs: number): RateNotice {
  const missing = limit - remaining
  if (missing <= 0 || resetMs <= 0) return { pauseMs: 0, perMinute: undefined }
  return { pauseMs: remaining > 0 ? 0 : resetMs / missing, perMinute: (missing / resetMs) * MINUTE_MS }
}

function ofWindow(remaining: number, resetMs: number): RateNotice {
  if (resetMs <= 0) return { pauseMs: 0, perMinute: undefined }
  return remaining > 0
    ? { pauseMs: 0, perMinute: (remaining / resetMs) * MINUTE_MS }
    : { pauseMs: resetMs, perMinute: undefined }
}

const MINUTE_MS = 60_000

/** `"default";r=50;t=30` and the older `limit=100, remaining=50, reset=30`; of several policies the first. */
function parseRateLimit(header: string | null): { remaining: number; resetMs: number } | undefined {
  if (header === null) return undefined
  const find = (...names: string[]): number | undefined =>
    toCount(new RegExp(`(?:^|[;,\\s])(?:${names.join('|')})=(\\d+)`).exec(header)?.[1] ?? null)
  const [remaining, seconds] = [find('r', 'remaining'), find('t', 'reset')]
  return remaining === undefined || seconds === undefined ? undefined : { remaining, resetMs: seconds * 1_000 }
}

function toCount(text: string | null): number | undefined {
  return text !== null && /^\s*\d+\s*$/.test(text) ? Number(text) : undefined
}

/** `6m0s`, `120ms`, `1.5` (seconds), a moment since 1970 in seconds, or a date. */
function toMs(text: string | null, nowMs: number): number | undefined {
  if (text === null || text.trim() === '') return undefined
  const number = Number(text)
  // No service lets anybody wait for thirty years: such a number is a moment.
  if (Number.isFinite(number)) return Math.max(0, number > 1e9 ? number * 1_000 - nowMs : number * 1_000)
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)]
  if (parts.length > 0 && parts.map(([part]) => part).join('') === text.trim()) {
    return parts.reduce((sum, [, amount, unit = 's']) => sum + Number(amount) * (UNIT_MS[unit] ?? 0), 0)
  }
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - nowMs)
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }
