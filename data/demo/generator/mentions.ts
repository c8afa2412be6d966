import type { EngineId } from '../../../src/domain/enums.ts'
import * as truths from '../truths.ts'
import type { Prompt } from './prompts.ts'
import { seededRandom, type SeededRandom } from './random.ts'
import { BRANDS, OWN_BRAND, type Brand, type BrandKey } from './world.ts'

export interface Question {
  readonly day: number
  readonly engine: EngineId
  readonly prompt: Prompt
  readonly sample: number
}

/** How early a brand tends to stand in a text that names it: higher is earlier. */
const PROMINENCE: Readonly<Record<BrandKey, number>> = {
  halvorix: 1,
  fernwick: 0.78,
  kestreldesk: 0.72,
  zolmira: 0.6,
  brindle: 0.5,
  oakpulse: 0.3,
  tessaro: 0.25,
}
/** The brands of an answer in their order; those that the question names come first. */
export function brandsNamed(question: Question, random: SeededRandom): Brand[] {
  return BRANDS.filter((brand) => isNamed(brand, question, random))
    .map((brand) => {
      const lead = question.prompt.focus.includes(brand.key) ? 2 : 0
      return { brand, place: lead + PROMINENCE[brand.key] + random.next() * 0.8 }
    })
    .sort((a, b) => b.place - a.place)
    .map(({ brand }) => brand)
}

/**
 * Answers are no coin throws: an engine goes on saying to a prompt what it said the days before, the rates of prompts wander,
 * and a new model changes them all at once. Brands named always or never stay so.
 */
function isNamed(brand: Brand, question: Question, random: SeededRandom): boolean {
  const share = mentionShare(brand, question)
  const fresh = normal(random)
  if (share === 0 || share >= truths.MENTION_SHARE_IN_FOCUS) return toPlace(fresh) < share
  const { day, engine, prompt } = question
  const change = truths.MODEL_CHANGE
  const shift = brand === OWN_BRAND && engine === change.engine && day >= change.day ? change.shift : 0
  const drift = truths.DRIFT.spread * wandering(['drift', prompt.id, brand.key], truths.DRIFT.keptADay, day)
  const odds = (share / (1 - share)) * Math.exp(shift + drift)
  const mood = wandering(['mood', engine, prompt.id, brand.key], truths.MOOD.keptADay, day)
  const place = toPlace(Math.sqrt(truths.MOOD.part) * mood + Math.sqrt(1 - truths.MOOD.part) * fresh)
  return place < odds / (1 + odds)
}

const walks = new Map<string, readonly number[]>()

/** A normal value that resembles that of the day before: of each key the same each time. */
function wandering(keys: readonly string[], keptADay: number, day: number): number {
  const key = [truths.SEED, ...keys].join('/')
  const known = walks.get(key)
  if (known !== undefined) return known[day] ?? 0
  const random = seededRandom(key)
  let value = normal(random)
  const walk = Array.from({ length: truths.DAY_COUNT }, (_, index) => {
    if (index > 0) value = keptADay * value + Math.sqrt(1 - keptADay ** 2) * normal(random)
    return value
  })
  walks.set(key, walk)
  return walk[day] ?? 0
}

function normal(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}

/** The share of normal values below: a logistic curve close to it, alike on every machine. */
function toPlace(z: number): number {
  return 1 / (1 + Math.exp(-1.5976 * z - 0.07056 * z ** 3))
}

function mentionShare(brand: Brand, { day, engine, prompt }: Question): number {
  const { first, last } = truths.MENTION_SHARE[brand.key]
  const today = first + ((last - first) * day) / (truths.DAY_COUNT - 1)
  if (brand === OWN_BRAND) {
    return ownShare(prompt, today, day) * (engine === truths.WEAK_ENGINE ? truths.WEAK_ENGINE_FACTOR : 1)
  }
  if (prompt.focus.includes(brand.key)) return truths.MENTION_SHARE_IN_FOCUS
  if (prompt.category === truths.WEAK_CATEGORY) return today * truths.WEAK_CATEGORY_COMPETITOR_FACTOR
  if (truths.COMPETITOR_ONLY_PROMPTS.includes(prompt.id)) return today * truths.COMPETITOR_ONLY_FACTOR
  return today * (prompt.focus.length > 0 ? truths.MENTION_FACTOR_BESIDE_FOCUS : 1)
}

function ownShare(prompt: Prompt, today: number, day: number): number {
  const done = truths.DONE_CARDS.find(({ target }) => target === prompt.id)
  if (day >= truths.DONE_DAY && done?.ownShare !== undefined) return done.ownShare
  if (prompt.focus.includes(OWN_BRAND.key)) return truths.MENTION_SHARE_IN_FOCUS
  if (truths.COMPETITOR_ONLY_PROMPTS.includes(prompt.id)) return 0
  if (prompt.category !== truths.WEAK_CATEGORY) return today
  return truths.WEAK_CATEGORY_OWN_PROMPTS.includes(prompt.id) ? truths.WEAK_CATEGORY_OWN_SHARE : 0
}
