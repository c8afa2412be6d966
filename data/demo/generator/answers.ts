import { ENGINE_IDS, type EngineId, type Sentiment } from '../../../src/domain/enums.ts'
import * as truths from '../truths.ts'
import { dateOf } from './calendar.ts'
import { brandsNamed, type Question } from './mentions.ts'
import { PROMPTS, type Prompt } from './prompts.ts'
import { composeText } from './prose.ts'
import { seededRandom, type SeededRandom } from './random.ts'
import { searchesOf } from './searches.ts'
import { chooseCitations, type CitationInput } from './sources.ts'
import { OWN_BRAND } from './world.ts'

/** One line of `answers.ndjson.zst` (contract/imports 2.1). */
interface AnswerLine {
  readonly date: string
  readonly asked_at?: string
  readonly platform: EngineId
  readonly prompt_id: string
  readonly model?: string
  readonly market?: string
  readonly text: string | null
  readonly citations?: readonly CitationInput[]
  readonly sentiment?: Sentiment | null
  readonly search_queries?: readonly string[]
}

const SECONDS_BETWEEN_PROMPTS = 70
const SECONDS_BETWEEN_SAMPLES = 6 * 3600
const SCAN_STARTS_AT_SECOND = 5 * 3600

/** All answers of the demo as NDJSON, oldest first. */
export function answersNdjson(): string {
  return questions()
    .map((question) => `${JSON.stringify(answerTo(question))}\n`)
    .join('')
}

/**
 * Who was asked what: every prompt goes to three engines a day, which take turns, and to all of them on every seventh
 * day, the last day among them.
 */
function questions(): Question[] {
  const asked: Question[] = []
  let partialDays = 0
  for (let day = 0; day < truths.DAY_COUNT; day++) {
    const full = (truths.DAY_COUNT - 1 - day) % truths.FULL_SCAN_EVERY_DAYS === 0
    for (const [index, prompt] of PROMPTS.entries()) {
      if (day >= (truths.DISABLED_SINCE_DAY[prompt.id] ?? truths.DAY_COUNT)) continue
      const first = index + partialDays * truths.ENGINES_ASKED_A_DAY
      const engines = full ? ENGINE_IDS : enginesInTurn(first, truths.ENGINES_ASKED_A_DAY)
      const samples = truths.PROMPTS_WITH_TWO_SAMPLES.includes(prompt.id) ? [1, 2] : [1]
      for (const engine of engines) for (const sample of samples) asked.push({ day, engine, prompt, sample })
    }
    if (!full) partialDays++
  }
  return asked
}

function enginesInTurn(first: number, count: number): EngineId[] {
  return Array.from({ length: count }, (_, step) => ENGINE_IDS[(first + step) % ENGINE_IDS.length] ?? ENGINE_IDS[0])
}

function answerTo(question: Question): AnswerLine {
  const { day, engine, prompt, sample } = question
  const random = seededRandom([truths.SEED, day, engine, prompt.id, sample].join('/'))
  const head = {
    date: dateOf(day),
    ...(engine.startsWith('ai_') ? {} : { asked_at: askedAt(question) }),
    platform: engine,
    prompt_id: prompt.id,
    ...modelOf(question),
    ...(prompt.market === '' ? {} : { market: prompt.market }),
  }
  const noAnswerShare: Partial<Record<EngineId, number>> = truths.NO_ANSWER_SHARE
  if (random.chance(noAnswerShare[engine] ?? 0)) return { ...head, text: random.chance(0.7) ? null : '' }

  const named = brandsNamed(question, random)
  const tone = toneOf(prompt, random)
  const citations = chooseCitations({ engine, prompt, day, named, random })
  const text = composeText({ engine, prompt, named, tone, citationCount: citations.length, random })
  return {
    ...head,
    text,
    ...(citations.length > 0 || random.chance(0.5) ? { citations } : {}),
    ...(named.includes(OWN_BRAND) ? judged(prompt, tone, random) : {}),
    ...searchesOf(question),
  }
}

/** Of the engine that gets a new one, the model is known. */
function modelOf({ engine, day }: Question): { model?: string } {
  const change = truths.MODEL_CHANGE
  if (engine !== change.engine) return {}
  return { model: day < change.day ? change.before : change.after }
}

function askedAt({ day, engine, prompt, sample }: Question): string {
  const second =
    SCAN_STARTS_AT_SECOND +
    PROMPTS.indexOf(prompt) * SECONDS_BETWEEN_PROMPTS +
    ENGINE_IDS.indexOf(engine) * 7 +
    (sample - 1) * SECONDS_BETWEEN_SAMPLES
  return new Date(Date.parse(dateOf(day)) + second * 1000).toISOString().replace('.000Z', 'Z')
}

function toneOf(prompt: Prompt, random: SeededRandom): Sentiment {
  const { positive, negative } = truths.OTHER_SENTIMENT
  const harsh = truths.NEGATIVE_PROMPTS.includes(prompt.id) ? truths.NEGATIVE_SHARE : negative
  const chance = random.next()
  if (chance < harsh) return 'negative'
  return chance < harsh + positive * (1 - harsh) ? 'positive' : 'neutral'
}

function judged(prompt: Prompt, tone: Sentiment, random: SeededRandom): { sentiment?: Sentiment | null } {
  const { negativePrompts, otherPrompts } = truths.JUDGED_SHARE
  const share = truths.NEGATIVE_PROMPTS.includes(prompt.id) ? negativePrompts : otherPrompts
  if (random.chance(share)) return { sentiment: tone }
  return random.chance(0.3) ? { sentiment: null } : {}
}
