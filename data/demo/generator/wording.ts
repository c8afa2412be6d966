import * as phrases from './phrases.ts'
import type { AnswerPlan, Style } from './plan.ts'
import type { Brand } from './world.ts'

export function filled(plan: AnswerPlan, template: string, brand: Brand): string {
  const { random } = plan
  const text = template
    .replace('{names}', () => `${spelling(plan, brand)}${random.chance(0.25) ? '’' : "'"}s`)
    .replace('{name}', () => spelling(plan, brand))
    .replace('{plus}', () => random.pick(brand.strengths))
    .replace('{minus}', () => random.pick(brand.weaknesses))
    .replace('{who}', () => random.pick(brand.audiences))
    .replace('{price}', brand.price)
  return template.startsWith('{name') ? text : capitalized(text)
}

export function highlighted(plan: AnswerPlan, style: Style, brand: Brand): string {
  const name = spelling(plan, brand)
  if (plan.random.chance(0.05)) return `[${name}](https://www.${brand.domain}/)`
  return style.bold ? `**${name}**` : name
}

export function spelling({ random }: AnswerPlan, brand: Brand): string {
  const chance = random.next()
  if (chance < 0.16 && brand.aliases.length > 0) return random.pick(brand.aliases)
  if (chance > 0.99) return brand.name.toUpperCase()
  if (chance > 0.98) return brand.name.toLowerCase()
  return brand.name
}

export function bullets(plan: AnswerPlan, style: Style, lines: readonly string[]): string {
  return lines.map((line) => `${style.bullet} ${marked(plan, style, line)}`).join('\n')
}

export function numbered(plan: AnswerPlan, style: Style, lines: readonly string[]): string {
  return lines.map((line, index) => `${index + 1}. ${marked(plan, style, line)}`).join('\n')
}

/** Footnote marks that point at the answer's sources, where the engine sets them. */
export function marked({ citationCount, random }: AnswerPlan, style: Style, text: string): string {
  if (!style.markers || citationCount === 0 || !random.chance(0.45)) return text
  return `${text}[${random.between(1, citationCount)}]`
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function sentence(plan: AnswerPlan, brand: Brand): string {
  return filled(plan, plan.random.pick(phrases.BRAND_SENTENCES), brand)
}

export function drawback(plan: AnswerPlan, brand: Brand): string {
  return filled(plan, plan.random.pick(phrases.DRAWBACKS), brand)
}

export function fragment(plan: AnswerPlan, brand: Brand): string {
  return filled(plan, plan.random.pick(phrases.BRAND_FRAGMENTS), brand)
}

/** The brands that a question for alternatives wants to get away from. */
export function replacedBrands({ named, prompt }: AnswerPlan): Brand[] {
  return prompt.category === 'Alternatives' ? named.filter((brand) => prompt.focus.includes(brand.key)) : []
}
