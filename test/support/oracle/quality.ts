import type { OracleAnswer, Truth } from './truth.ts'

const GRADES = ['exploratory', 'directional', 'decision'] as const
type OracleGrade = (typeof GRADES)[number]

/** What `GET /v1/sites/{site_id}/quality` says, from the answers one by one (contract/api 8.3). */
export function expectQuality(truth: Truth, start: string, end: string): Record<string, unknown> {
  const within = (day: string) => day >= start && day <= end
  const answers = truth.answers.filter(({ day }) => within(day))
  const unanswered = truth.world.imports.flat(2).filter(({ text }) => (text ?? '') === '')
  const days = new Set([
    ...answers.map(({ day }) => day),
    ...unanswered.map(({ date, asked_at }) => date ?? asked_at!.slice(0, 10)).filter(within),
  ])
  const prompts = [...new Set(answers.map(({ prompt }) => prompt))]
  const categories = [...new Set(prompts.map(({ category }) => category))].filter(
    (category) => prompts.filter((prompt) => prompt.category === category).length >= 5,
  )
  const weekly = count(answers, ({ prompt, platform, day }) => [
    prompt.id,
    platform,
    Math.floor((Date.parse(day) / 86_400_000 + 3) / 7),
  ])
  const lasting = (Date.parse(end) - Date.parse(start)) / 86_400_000 + 1
  const measured = {
    prompts: grade(prompts.length, 12, 30),
    answers_per_cell_week: grade(middle(weekly.map((group) => group.length)), 2, 7),
    categories: grade(categories.length, 1, 3),
    days: grade(days.size / lasting, 0.5, 0.8),
    engines: grade(new Set(answers.map(({ platform }) => platform)).size, 2, 3),
  }
  const reproducibility = reproduce(answers)
  const grades = [...Object.values(measured), ...(reproducibility === null ? [] : [reproducibility])]
  return { grade: least(grades.map((each) => each.grade)), ...measured, reproducibility }
}

function count(answers: readonly OracleAnswer[], by: (answer: OracleAnswer) => unknown[]): OracleAnswer[][] {
  const groups: Record<string, OracleAnswer[]> = {}
  for (const answer of answers) (groups[JSON.stringify(by(answer))] ??= []).push(answer)
  return Object.values(groups)
}

function middle(numbers: number[]): number {
  if (numbers.length === 0) return 0
  const sorted = numbers.sort((a, b) => a - b)
  const half = sorted.length / 2
  return Number.isInteger(half) ? (sorted[half - 1]! + sorted[half]!) / 2 : sorted[Math.floor(half)]!
}

function grade(value: number, directional: number, decision: number): { value: number; grade: OracleGrade } {
  return { value, grade: value >= decision ? 'decision' : value >= directional ? 'directional' : 'exploratory' }
}

function least(grades: readonly OracleGrade[]): OracleGrade {
  return GRADES[Math.min(...grades.map((each) => GRADES.indexOf(each)))]!
}

/** Halves are drawn as docs/methods.md 17 says, so that the same chances come out. */
function reproduce(answers: readonly OracleAnswer[]) {
  const groups = count(answers, ({ prompt, platform, day }) => [prompt.id, platform, day])
    .filter((group) => group.length > 1)
    .map((group) => group.map(({ brands }) => brands.some(({ isOwn }) => isOwn)).sort((a, b) => Number(b) - Number(a)))
  if (groups.length === 0) return null
  const pairs = groups.flatMap((group) =>
    group.flatMap((one, index) => group.slice(index + 1).map((other) => one === other)),
  )
  const agreement = pairs.filter(Boolean).length / pairs.length
  const next = mulberry()
  const named = (group: readonly boolean[]) => group.filter(Boolean).length
  const ordered = groups.sort((a, b) => a.length - b.length || named(a) - named(b))
  const differences = Array.from({ length: 200 }, () => {
    const halves = ordered.map((group) => {
      const odd = group.length % 2 === 1 ? (next() < 0.5 ? -0.5 : 0.5) : 0
      const size = group.length / 2 + odd
      const left = [...group]
      const isMixed = left.some(Boolean) && !left.every(Boolean)
      const first = Array.from({ length: size }, () => {
        const place = isMixed ? Math.floor(next() * left.length) : 0
        return left.splice(place, 1)[0]!
      })
      return { first, second: left }
    })
    const rate = (half: 'first' | 'second') =>
      halves.reduce((sum, halved) => sum + named(halved[half]), 0) /
      halves.reduce((sum, halved) => sum + halved[half].length, 0)
    return Math.abs(rate('first') - rate('second'))
  })
  const noise_floor = differences.sort((a, b) => a - b)[189]!
  const byAgreement = grade(agreement, 0.667, 0.8).grade
  const byNoise = noise_floor <= 0.05 ? 'decision' : noise_floor <= 0.15 ? 'directional' : 'exploratory'
  return { agreement, noise_floor, grade: least([byAgreement, byNoise]) }
}

function mulberry(): () => number {
  let seed = 1
  return () => {
    seed = (seed + 0x6d_2b_79_f5) >>> 0
    let t = Math.imul(seed ^ (seed >>> 15), seed | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
