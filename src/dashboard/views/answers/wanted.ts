import type { Schemas } from '../../../client/client.ts'
import { TONE_NAMES, type Tone } from '../../names.ts'
import { pickKey } from '../../pick-key.ts'
import type { ViewState } from '../../url-state.ts'

/** Which answers the reader wants beside days, engines and categories; empty for any. */
export interface WantedAnswers {
  /** A prompt's id. */
  readonly prompt: string
  /** Whether the own brand is named. */
  readonly named: 'yes' | 'no' | ''
  /** Of answers that name the own brand. */
  readonly tone: Tone | ''
  /** A brand that is named. */
  readonly brand: string
  /** A domain that is cited. */
  readonly domain: string
}

export function readWanted({ more }: ViewState): WantedAnswers {
  const { prompt = '', named = '', tone, brand = '', domain = '' } = more
  return {
    prompt,
    named: named === 'yes' || named === 'no' ? named : '',
    tone: pickKey(tone, TONE_NAMES) ?? '',
    brand,
    domain,
  }
}

/** Whether the list of answers can be asked for these: it knows days, engines and prompts. */
export function isPlain({ categories }: ViewState, { named, tone, brand, domain }: WantedAnswers): boolean {
  return categories.length === 0 && `${named}${tone}${brand}${domain}` === ''
}

/** The tone of an answer; undefined of one that doesn't name the own brand. */
export function toTone({ brand_mentioned, sentiment }: Schemas['Answer']): Tone | undefined {
  return brand_mentioned === true ? (sentiment ?? 'not_judged') : undefined
}

/** Whether an answer is wanted; asked for with the fields of `toFields`. */
export function isWanted(answer: Schemas['Answer'], { named, tone, brand, domain }: WantedAnswers): boolean {
  return (
    (named === '' || answer.brand_mentioned === (named === 'yes')) &&
    (tone === '' || toTone(answer) === tone) &&
    (brand === '' || answer.mentions?.includes(brand) === true) &&
    (domain === '' || answer.citations?.some((citation) => citation.domain === domain) === true)
  )
}

/** What a list needs of each answer to show and to choose it. */
export function toFields({ brand, domain }: WantedAnswers): Schemas['AnswerField'][] {
  return [
    ...(['date', 'platform', 'prompt', 'brand_mentioned', 'sentiment'] as const),
    ...(brand === '' ? [] : (['mentions'] as const)),
    ...(domain === '' ? [] : (['citations'] as const)),
  ]
}
