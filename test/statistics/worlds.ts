import { seededRandom, type SeededRandom } from '../../data/demo/generator/random.ts'

/**
 * Kinds of worlds, each with what the ones before it have: answers that are independent once their prompt is known;
 * answers that resemble those of the day before; prompts whose rates drift; engines that change their model; prompts
 * with unequal numbers of answers.
 */
export const WORLD_KINDS = ['independent', 'correlated days', 'drifting prompts', 'changed models', 'unequal'] as const
export type WorldKind = (typeof WORLD_KINDS)[number]

export interface WorldOptions {
  readonly prompts: number
  readonly engines: number
  readonly days: number
  /** How often a brand is named, over all prompts that there might be; one entry a brand. */
  readonly rates: readonly number[]
  /** Engines keep their models, in worlds of kinds in which they change them else. */
  readonly keepsModels?: true
  /** From this day on these prompts name the first brand so often that a rate of `from` becomes one of `to`. */
  readonly raised?: {
    readonly prompts: ReadonlySet<number>
    readonly day: number
    readonly from: number
    readonly to: number
  }
}

export interface SimulatedAnswer {
  readonly prompt: number
  readonly engine: number
  readonly day: number
  /** By brand. */
  readonly named: readonly boolean[]
}

export interface SimulatedWorld {
  readonly answers: readonly SimulatedAnswer[]
  /** By brand: how often it would be named in as many answers of these engines and days to all prompts that there might be. */
  readonly truth: readonly number[]
  /** Engines whose model changed, with the first day of the new one. */
  readonly changes: ReadonlyMap<number, number>
}

/** As many of an answer's brands are those of the day before. */
const RESEMBLANCE = 0.5
/** A prompt's place among all prompts: this part of its variance drifts, and this much of that is left after a day. */
const DRIFTING = 0.5
const KEPT = 0.93
/** A new model moves all rates of its engine by as much at most, up or down, in parts of the way to 1 or 0. */
const SHOCK_MAX = 0.35

/** Twelve prompts on four engines, 28 days and 28 days after them, one brand named in 20 % of the answers. */
export const EIGHT_WEEKS: WorldOptions = { prompts: 12, engines: 4, days: 56, rates: [0.2] }

/**
 * Answers of a world in which nothing but chance happens, unless `raised` says so. Prompts are drawn from a population in
 * which a brand's rate is spread as 1 − (1 − u)^(1/b) is, a Beta(1, b): most prompts name it seldom, few often.
 */
export function simulateWorld(kind: WorldKind, key: string, options: WorldOptions = EIGHT_WEEKS): SimulatedWorld {
  const random = seededRandom(`${kind} ${key}`)
  const has = (other: WorldKind): boolean => WORLD_KINDS.indexOf(kind) >= WORLD_KINDS.indexOf(other)
  const { prompts, engines, days, rates, keepsModels, raised } = options
  // Of their own, so that a world with more prompts and the same key has the same ones.
  const shocks =
    has('changed models') && keepsModels !== true
      ? makeShocks(seededRandom(`shocks ${kind} ${key}`), options)
      : new Map<number, Shock>()
  const answers: SimulatedAnswer[] = []
  const expected = rates.map(() => 0)
  for (let prompt = 0; prompt < prompts; prompt++) {
    const places = rates.map(() => makePlaces(random, days, has('drifting prompts')))
    const askedShare = has('unequal') ? 0.15 + 0.85 * random.next() : 1
    for (let engine = 0; engine < engines; engine++) {
      const last: boolean[] = []
      for (let day = 0; day < days; day++) {
        const shock = shocks.get(engine)
        const move = shock !== undefined && day >= shock.day ? shock.moves : undefined
        const lift =
          raised?.prompts.has(prompt) && day >= raised.day ? (raised.to - raised.from) / (1 - raised.from) : 0
        const named = rates.map((rate, brand) => {
          const own = 1 - (1 - places[brand]![day]!) ** (rate / (1 - rate))
          const moved = moveBy(own, move?.[brand] ?? 0)
          const p = brand === 0 ? moveBy(moved, lift) : moved
          const repeats = day > 0 && has('correlated days') && random.chance(RESEMBLANCE)
          return (last[brand] = repeats ? last[brand]! : random.chance(p))
        })
        if (askedShare < 1 && !random.chance(askedShare)) continue
        answers.push({ prompt, engine, day, named })
        for (const [brand, rate] of rates.entries()) expected[brand]! += moveBy(rate, move?.[brand] ?? 0)
      }
    }
  }
  return {
    answers,
    truth: expected.map((sum) => sum / answers.length),
    changes: new Map([...shocks].map(([engine, { day }]) => [engine, day])),
  }
}

interface Shock {
  readonly day: number
  /** By brand. */
  readonly moves: readonly number[]
}

/** Half of the engines change their model, in the middle third of the days. */
function makeShocks(random: SeededRandom, { engines, days, rates }: WorldOptions): Map<number, Shock> {
  const changed = random.shuffle(Array.from({ length: engines }, (_, engine) => engine)).slice(0, (engines + 1) >> 1)
  return new Map(
    changed.map((engine) => [
      engine,
      {
        day: random.between(Math.floor(days / 3), Math.floor((2 * days) / 3)),
        moves: rates.map(() => SHOCK_MAX * (2 * random.next() - 1)),
      },
    ]),
  )
}

/** A rate moved by a part of the way to 1, or to 0 where the part is negative: what is expected of it moves alike. */
function moveBy(rate: number, part: number): number {
  return part >= 0 ? rate + (1 - rate) * part : rate * (1 + part)
}

/** A prompt's place among all prompts on each day, 0 to 1: any is as likely as any other on every day. */
function makePlaces(random: SeededRandom, days: number, drifts: boolean): number[] {
  const fixed = normal(random)
  let moving = normal(random)
  return Array.from({ length: days }, () => {
    if (!drifts) return toPlace(fixed)
    moving = KEPT * moving + Math.sqrt(1 - KEPT ** 2) * normal(random)
    return toPlace(Math.sqrt(1 - DRIFTING) * fixed + Math.sqrt(DRIFTING) * moving)
  })
}

function normal(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}

/** The normal distribution function, by Abramowitz and Stegun 26.2.17: 7 digits are enough for a simulation. */
function toPlace(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const terms = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = terms.reduceRight((inner, term) => t * (term + inner), 0)
  const upper = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum
  return Math.min(1, Math.max(0, z > 0 ? 1 - upper : upper))
}
