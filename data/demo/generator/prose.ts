import { ADVICE, ADVICE_HEADINGS, QUESTIONS, SUMMARIES } from './advice.ts'
import { body } from './bodies.ts'
import * as phrases from './phrases.ts'
import { STYLES, type AnswerPlan } from './plan.ts'
import { bullets, capitalized, filled, replacedBrands, spelling } from './wording.ts'
import { OWN_BRAND } from './world.ts'

/** Every text is between these lengths, in UTF-16 units. */
const TEXT_LENGTH = { min: 400, max: 1200 }
const ADVICE_MAX = 7
const OWN_LINK_WITHOUT_NAME_SHARE = 0.015

/** The text of an answer; it names `plan.named` in this order and no other brand outside of URLs. */
export function composeText(plan: AnswerPlan): string {
  for (let tries = 0; tries < 20; tries++) {
    const text = compose(plan)
    if (text.length >= TEXT_LENGTH.min && text.length <= TEXT_LENGTH.max) return text
  }
  throw new Error(`No text of an allowed length for ${plan.prompt.id} on ${plan.engine}.`)
}

function compose(plan: AnswerPlan): string {
  const { random } = plan
  const style = STYLES[plan.engine]
  const blocks = [opening(plan), ...body(plan, style), ...judgement(plan)]
  if (!plan.named.includes(OWN_BRAND) && random.chance(OWN_LINK_WITHOUT_NAME_SHARE)) {
    blocks.push(`A checklist for the evaluation is at https://www.${OWN_BRAND.domain}/templates/evaluation-sheet`)
  }
  const kind = adviceKind(plan)
  const closing = random.pick(style.asksBack && random.chance(0.6) ? QUESTIONS[kind] : SUMMARIES[kind])
  const target = random.between(...style.targetLength)
  const lengthWith = (items: readonly string[]): number => [...blocks, ...items, closing].join('\n\n').length
  const advice: string[] = []
  for (const sentence of random.shuffle(ADVICE[kind])) {
    if (lengthWith(advice) >= target || advice.length === ADVICE_MAX) break
    advice.push(sentence)
  }
  if (advice.length > 2 && !random.chance(style.paragraphs)) {
    blocks.push(`${style.heading(random.pick(ADVICE_HEADINGS[kind]))}\n${bullets(plan, style, advice)}`)
  } else if (advice.length > 0) {
    blocks.push(advice.join(' '))
  }
  return [...blocks, closing].join('\n\n')
}

function adviceKind({ prompt }: AnswerPlan): 'buying' | 'practice' | 'brand' {
  if (prompt.category === 'How-to') return 'practice'
  return prompt.category === 'Brand' ? 'brand' : 'buying'
}

function opening(plan: AnswerPlan): string {
  const { named, prompt, random } = plan
  const first = named[0]
  if (first !== undefined && replacedBrands(plan).includes(first)) {
    return filled(plan, random.pick(phrases.REPLACEMENT_OPENINGS), first)
  }
  const openings = phrases.OPENINGS[prompt.category].filter((text) => first !== undefined || !text.includes('{first}'))
  const text = random.pick(openings).replace('{topic}', prompt.topic)
  return first === undefined ? capitalized(text) : text.replace('{first}', () => spelling(plan, first))
}

/** A sentence on the own brand in the tone of the answer, behind the place where it is named first. */
function judgement(plan: AnswerPlan): string[] {
  if (!plan.named.includes(OWN_BRAND) || plan.tone === 'neutral') return []
  const sentences = plan.tone === 'positive' ? phrases.PRAISE : phrases.CRITICISM
  return [filled(plan, plan.random.pick(sentences), OWN_BRAND)]
}
