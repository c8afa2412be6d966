import { createRandom, shuffle } from '../../faults/support/random.ts'
import type { Act, Rule, Script } from '../engines/script.ts'
import type { KillPoint, Scenario } from './scenario.ts'
import { ALL_TARGETS } from './scan-data.ts'

/** Answers that ought to come whatever else happens, errors of all kinds, and nothing that waits for a deadline. */
const ACTS: readonly Act[] = [
  { do: 'none' },
  { do: 'unfinished' },
  { do: 'drip', pieces: 4, everyMs: 10 },
  { do: 'refuse', status: 400 },
  { do: 'refuse', status: 422 },
  { do: 'refuse', status: 429 },
  { do: 'refuse', status: 429, headers: { 'retry-after': '1' } },
  {
    do: 'refuse',
    status: 429,
    headers: { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '20ms' },
  },
  { do: 'refuse', status: 503 },
  { do: 'refuse', status: 302, headers: { location: 'http://127.0.0.1:9/' } },
  { do: 'break', status: 500 },
  { do: 'break', status: 504 },
  { do: 'echo', status: 400 },
  { do: 'echo', status: 500 },
  { do: 'echo', status: 200 },
  { do: 'html' },
  { do: 'cut', at: 0 },
  { do: 'cut', at: 1 },
  { do: 'cut', at: 300 },
  { do: 'pad', bytes: 1 << 20, gzip: true },
  { do: 'pad', bytes: (16 << 20) + 2, gzip: true },
  { do: 'reset', bought: true },
  { do: 'reset', bought: false },
  { do: 'pause', times: 1 },
  { do: 'pause', times: 3 },
  { do: 'fail' },
]

/** Acts that end a provider for the run. */
const ENDS: readonly Act[] = [
  { do: 'refuse', status: 401 },
  { do: 'refuse', status: 402 },
  { do: 'echo', status: 401 },
  { do: 'refuse', status: 403 },
]

const FREQUENT: ReadonlySet<string> = new Set(['none', 'unfinished', 'drip', 'pause'])

/** A scenario that depends on the seed alone. */
export function makeScenario(seed: number): Scenario {
  const random = createRandom(seed * 7_919 + 1)
  for (let index = 0; index < 8; index++) random()
  const below = (bound: number): number => Math.floor(random() * bound)
  const targets = shuffle(ALL_TARGETS, random).slice(0, 1 + below(4))
  const setup = {
    prompts: 2 + below(7),
    targets,
    samples: 1 + (below(3) === 0 ? below(3) : 0),
    concurrency: 1 + below(4),
    usdDay: below(4) === 0 ? 0.05 + random() / 4 : 100,
  }
  const rules = Array.from({ length: below(5) }, (): Rule => {
    const list = below(8) === 0 ? ENDS : ACTS
    const kind = (['ask', 'ask', 'ask', 'ask', 'follow', 'poll'] as const)[below(6)] ?? 'ask'
    const act = list[below(list.length)] ?? { do: 'answer' }
    return {
      act,
      kind,
      // Failures in a row make a provider rest for minutes.
      oneIn: FREQUENT.has(act.do) || list === ENDS ? 1 + below(5) : 4 + below(6),
      ...(below(2) === 0 ? { nth: [1 + below(2)] } : {}),
      ...(below(2) === 0 ? { provider: targets[below(targets.length)]?.provider ?? 'openai' } : {}),
    }
  })
  const script: Script = {
    rules,
    latencyMs: below(20),
    taskMs: below(200),
    ...(below(6) === 0 ? { pageTokenLifeMs: 1 } : {}),
    ...(below(6) === 0 ? { resetEveryConnections: 2 + below(6) } : {}),
    ...(below(8) === 0 ? { perSecond: { [targets[0]?.provider ?? 'openai']: 5 } } : {}),
  }
  const kills = Array.from({ length: below(3) }, (): KillPoint => {
    const way = below(3)
    if (way === 0) return { at: { step: below(250), when: below(2) === 0 ? 'before' : 'after' } }
    return way === 1 ? { entry: 1 + below(20), isSent: below(2) === 0 } : { ms: 500 + below(2_500) }
  })
  return { setup, script, kills, tears: below(2) === 0, retries: below(4) === 0 }
}
