import type { Category } from '../../../src/domain/enums.ts'
import { STEPS } from './advice.ts'
import * as phrases from './phrases.ts'
import type { AnswerPlan, Style } from './plan.ts'
import {
  bullets,
  drawback,
  filled,
  fragment,
  highlighted,
  marked,
  numbered,
  replacedBrands,
  sentence,
  spelling,
} from './wording.ts'
import { OWN_BRAND } from './world.ts'

/** The middle blocks of an answer, by the category of its prompt; they name every brand that the opening leaves over. */
export function body(plan: AnswerPlan, style: Style): string[] {
  return BODIES[plan.prompt.category](plan, style)
}

const BODIES: Readonly<Record<Category, (plan: AnswerPlan, style: Style) => string[]>> = {
  Discovery: listBody,
  Comparison: comparisonBody,
  Alternatives: listBody,
  'How-to': stepsBody,
  Pricing: pricingBody,
  Brand: brandBody,
}

function listBody(plan: AnswerPlan, style: Style): string[] {
  const { random } = plan
  const replaced = replacedBrands(plan)
  const named = plan.named.filter((brand) => !replaced.includes(brand))
  if (named.length === 0) return criteria(plan)
  if (named.length <= 4 && random.chance(style.paragraphs)) {
    return named.map((brand) => {
      const withDrawback = named.length < 4 && random.chance(0.7)
      return marked(
        plan,
        style,
        withDrawback ? `${sentence(plan, brand)} ${drawback(plan, brand)}` : sentence(plan, brand),
      )
    })
  }
  const withTail = named.length >= 3 && random.chance(0.3)
  const listed = withTail ? named.slice(0, -1) : named
  const lines = listed.map((brand) => `${highlighted(plan, style, brand)} – ${fragment(plan, brand)}`)
  const heading = random.chance(0.5) ? style.heading(random.pick(phrases.HEADINGS)) : random.pick(phrases.BEFORE_LIST)
  const list = random.chance(0.4) ? numbered(plan, style, lines) : bullets(plan, style, lines)
  const tail = withTail ? named.slice(-1).map((brand) => filled(plan, random.pick(phrases.AFTERTHOUGHTS), brand)) : []
  return [heading, list, ...tail]
}

function comparisonBody(plan: AnswerPlan, style: Style): string[] {
  const { named, random } = plan
  if (named.length === 0) return criteria(plan)
  if (style.tables && random.chance(0.4)) {
    const rows = named.map(
      (brand) => `| ${spelling(plan, brand)} | ${random.pick(brand.strengths)} | ${random.pick(brand.audiences)} |`,
    )
    return [['| Product | Strength | Suited to |', '| --- | --- | --- |', ...rows].join('\n')]
  }
  const [compared, others] = [named.slice(0, 3), named.slice(3)]
  const sections = random.chance(style.paragraphs)
    ? compared.map((brand) => marked(plan, style, `${sentence(plan, brand)} ${drawback(plan, brand)}`))
    : compared.map((brand) => {
        const lines = [
          `${random.pick(['Plus', 'Strength', 'Pro'])}: ${random.pick(brand.strengths)}`,
          `${random.pick(['Minus', 'Weakness', 'Con'])}: ${random.pick(brand.weaknesses)}`,
          ...(random.chance(0.35) ? [`Price: from ${brand.price}`] : []),
        ]
        return `${style.heading(spelling(plan, brand))}\n${bullets(plan, style, lines)}`
      })
  const verdict = compared.map((brand) => filled(plan, random.pick(phrases.CHOOSE_IF), brand)).join(' ')
  const rest = others.map((brand) => filled(plan, random.pick(phrases.AFTERTHOUGHTS), brand)).join(' ')
  return [...sections, ...(random.chance(0.6) ? [verdict] : []), ...(rest === '' ? [] : [rest])]
}

function pricingBody(plan: AnswerPlan, style: Style): string[] {
  const { named, random } = plan
  if (named.length === 0) return criteria(plan)
  if (style.tables && random.chance(0.55)) {
    const rows = named.map((brand) => `| ${spelling(plan, brand)} | ${brand.price} | ${random.pick(brand.strengths)} |`)
    return [['| Product | From | Notes |', '| --- | --- | --- |', ...rows].join('\n')]
  }
  const lines = named.map(
    (brand) => `${highlighted(plan, style, brand)}: from ${brand.price}; users note ${random.pick(brand.weaknesses)}.`,
  )
  return [bullets(plan, style, lines)]
}

function stepsBody(plan: AnswerPlan, style: Style): string[] {
  const { named, prompt, random } = plan
  const known = STEPS[prompt.topic] ?? []
  const chosen = new Set(random.shuffle(known).slice(0, random.between(4, 6)))
  const steps = known.filter((step) => chosen.has(step))
  const tools = named.map((brand) => sentence(plan, brand)).join(' ')
  return [numbered(plan, style, steps), ...(tools === '' ? [] : [`Tools that help: ${tools}`])]
}

function brandBody(plan: AnswerPlan, style: Style): string[] {
  const { named, prompt, random, tone } = plan
  const others = named.filter((brand) => brand !== OWN_BRAND)
  const tail = others.slice(0, 3).map((brand) => filled(plan, random.pick(phrases.AFTERTHOUGHTS), brand))
  if (!named.includes(OWN_BRAND)) {
    return [random.shuffle(phrases.UNKNOWN_BRAND).slice(0, 2).join(' '), ...tail]
  }
  const topic = phrases.BRAND_TOPICS[prompt.topic] ?? { fair: [], harsh: [] }
  const statements = random.shuffle(tone === 'negative' ? topic.harsh : topic.fair).slice(0, random.between(2, 3))
  const first = tone === 'negative' ? random.pick(phrases.CRITICISM) : random.pick(phrases.BRAND_SENTENCES)
  return [
    marked(plan, style, filled(plan, first, OWN_BRAND)),
    random.chance(0.5) ? bullets(plan, style, statements) : statements.join(' '),
    ...tail,
  ]
}

/** What to look for, when an answer recommends nobody. */
function criteria({ random }: AnswerPlan): string[] {
  const texts = random.shuffle(phrases.CRITERIA)
  return [texts.slice(0, 2).join(' '), texts.slice(2, 4).join(' ')]
}
