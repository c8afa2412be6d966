import { Cron } from 'croner'
import * as v from 'valibot'
import { parseDuration } from '../domain/duration.ts'
import type { Budget, SpendLimits } from '../domain/call.ts'
import { ENGINE_IDS, PROVIDER_IDS } from '../domain/enums.ts'
import { isPeriod } from '../domain/period.ts'
import { GIVEN_ID } from '../ids.ts'
import { SAMPLES_MAX, TARGETS_MAX } from '../limits.ts'
import { arrayOf } from '../schemas/bounded-array.ts'
import { strictObject } from '../schemas/strict-object.ts'
import { toMicros } from './micros.ts'
import type { ConfiguredProvider, ConfiguredTarget, ScanConfig, Schedule } from './scan-config.ts'

const dollars = v.pipe(
  v.number(),
  v.finite('Use a number of US dollars.'),
  v.minValue(0),
  v.maxValue(1_000_000),
  v.transform(toMicros),
)

const limits = {
  usd_day: v.optional(dollars),
  usd_month: v.optional(dollars),
}

const toLimits = (given: { usd_day?: number | undefined; usd_month?: number | undefined }): SpendLimits => ({
  dayMicros: given.usd_day,
  monthMicros: given.usd_month,
})

const givenId = v.pipe(v.string(), v.regex(GIVEN_ID, 'Use 1 to 64 of A-Z a-z 0-9 . _ -'))
const model = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7E]{1,200}$/, "Use the provider's name of the model, without spaces."),
)

/** `chatgpt=openai:gpt-5.5` as the object that it is short for. */
const textForm = v.rawTransform<unknown, unknown>(({ dataset: { value }, addIssue, NEVER }) => {
  if (typeof value !== 'string') return value
  const [, engine, provider, name] = /^([^=:]+)=([^=:]+)(?::(.+))?$/s.exec(value) ?? []
  if (engine !== undefined) return { engine, provider, ...(name === undefined ? {} : { model: name }) }
  addIssue({ message: 'Write it as ENGINE=PROVIDER or ENGINE=PROVIDER:MODEL, such as "chatgpt=openai:gpt-5.5".' })
  return NEVER
})

const target = v.pipe(
  v.unknown(),
  textForm,
  strictObject({
    id: v.optional(givenId),
    engine: v.picklist(ENGINE_IDS),
    provider: v.picklist(PROVIDER_IDS),
    model: v.optional(model),
    role: v.optional(v.picklist(['main', 'shadow']), 'main'),
  }),
  v.transform(({ id, ...rest }): ConfiguredTarget => ({ ...rest, id: id ?? rest.engine, model: rest.model })),
)

const provider = v.pipe(
  strictObject({
    base_url: v.optional(
      v.pipe(
        v.string(),
        v.check(isBaseUrl, 'Use an http:// or https:// address without user, query and fragment.'),
        v.transform((url) => url.replace(/\/+$/, '')),
      ),
    ),
    per_minute: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000))),
    concurrency: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000))),
  }),
  v.transform((given): ConfiguredProvider => ({
    baseUrl: given.base_url,
    perMinute: given.per_minute,
    concurrency: given.concurrency,
  })),
)

const schedule = v.pipe(
  strictObject({
    site: v.pipe(v.string(), v.nonEmpty()),
    cron: v.pipe(
      v.string(),
      v.check(isCron, 'Use five fields: minute, hour, day of the month, month, day of the week, such as "0 5 * * *".'),
    ),
    zone: v.optional(v.pipe(v.string(), v.check(isZone, 'Use a time zone such as "Europe/Berlin" or "UTC".')), 'UTC'),
    jitter: v.optional(
      v.pipe(
        v.string(),
        v.check(isJitter, 'Use a duration of at most 12h, such as "15m".'),
        v.transform((text) => parseDuration(text) ?? 0),
      ),
      '0',
    ),
  }),
  v.transform(({ jitter, ...rest }): Schedule => ({ ...rest, jitterMs: jitter })),
)

/** The content of a `scan.json`, as `ScanConfig` has it. */
export const ScanFile = v.pipe(
  strictObject({
    targets: v.optional(arrayOf(target, { min: 0, max: TARGETS_MAX }), []),
    providers: v.optional(strictObject(Object.fromEntries(PROVIDER_IDS.map((id) => [id, v.optional(provider)]))), {}),
    samples: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(SAMPLES_MAX)), 1),
    budget: v.optional(
      v.pipe(
        strictObject({ ...limits, targets: v.optional(v.record(givenId, strictObject(limits)), {}) }),
        v.transform(({ targets, ...all }): Budget => ({
          ...toLimits(all),
          targets: new Map(Object.entries(targets).map(([id, each]) => [id, toLimits(each)])),
        })),
      ),
    ),
    schedules: v.optional(arrayOf(schedule, { min: 0, max: 10_000 }), []),
    judge: v.optional(
      v.pipe(
        strictObject({ provider: v.picklist(PROVIDER_IDS), model: v.optional(model) }),
        v.transform((judge) => ({ provider: judge.provider, model: judge.model })),
      ),
    ),
    keep_raw: v.optional(
      v.pipe(
        v.string(),
        v.transform((text) => (text === 'forever' ? 'keep' : text)),
        v.check(isPeriod, 'Use "forever", or a period such as "90d", "24mo" or "3y".'),
      ),
      'forever',
    ),
  }),
  v.transform(({ keep_raw: keepRaw, providers, ...rest }): Omit<ScanConfig, 'path'> => ({
    ...rest,
    budget: rest.budget,
    judge: rest.judge,
    providers: providers as ScanConfig['providers'],
    keepRaw,
  })),
)

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^https?:\/\//i.test(text)) return false
  return url.username === '' && url.password === '' && !/[?#\s]/.test(text)
}

function isCron(text: string): boolean {
  try {
    return text.trim().split(/\s+/).length === 5 && new Cron(text, { paused: true }).nextRun() !== null
  } catch {
    return false
  }
}

function isZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function isJitter(text: string): boolean {
  const ms = parseDuration(text)
  return ms !== undefined && ms <= JITTER_MS_MAX
}

const JITTER_MS_MAX = 12 * 3_600_000
