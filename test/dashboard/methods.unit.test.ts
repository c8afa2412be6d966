import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toImpact } from '../../src/actions/impact.ts'
import { toAnswerNodes } from '../../src/dashboard/answer-text/answer-nodes.ts'
import { METHODS, type Method } from '../../src/dashboard/methods/anchors.ts'
import { readSections } from '../../src/dashboard/methods/read-sections.ts'
import { toRange } from '../../src/dashboard/ranges.ts'
import { parseUrl } from '../../src/dashboard/url-state.ts'
import { CARD_ANSWERS_MIN, CARD_WINDOW_DAYS } from '../../src/limits.ts'
import { PROMPTS_MIN, PROMPTS_OF_T } from '../../src/reports/changes/change.ts'
import { THRESHOLDS } from '../../src/reports/quality/grades.ts'
import { listElements, toElements, toText } from './support/nodes.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

const sections = readSections(read('src/dashboard/methods/methods.md'))
const elements = sections.flatMap(({ text }) => listElements(toElements(toAnswerNodes(text, (words) => [words]))))
const formulas = elements.filter(({ name }) => name === 'pre').flatMap(({ children }) => toText(children).split('\n'))

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')
const textOf = (method: Method): string => inOneLine(sections.find(({ anchor }) => anchor === method)?.text ?? '')

const methods = read('docs/methods.md')
/** A numbered section of docs/methods.md. */
const documented = (section: number): string =>
  inOneLine(methods.split(/^## /m).find((part) => part.startsWith(`${section} `)) ?? '')

/** The numbers that a pattern finds in a text; it has to find some. */
function findNumbers(text: string, pattern: RegExp): readonly number[] {
  const found = pattern.exec(text)
  expect(found, `${pattern} in ${text.slice(0, 60)}`).not.toBeNull()
  return found?.slice(1).map(Number) ?? []
}

describe('How this is counted', () => {
  it('has a section with a title and a text for each anchor, and no other', () => {
    expect(sections.map(({ anchor }) => anchor)).toEqual(METHODS)
    expect(sections.filter(({ title, text }) => title === '' || text.trim() === '')).toEqual([])
    expect(elements.filter(({ name }) => /^h\d$/.test(name))).toEqual([])
  })

  it('has the formulas of docs/methods.md, and of the metrics those of the contract', () => {
    const known = [...listDocumented(), ...listContracted()]
    expect(formulas.length).toBeGreaterThan(10)
    expect(formulas.filter((formula) => !known.some((text) => text.includes(toPlain(formula))))).toEqual([])
  })

  it('has the bounds of the measurement that the service grades by', () => {
    const table = elements.filter(({ name }) => name === 'tr').slice(1)
    const bounds = table.map(({ children }) => children.slice(1).map((cell) => toShare(toText([cell]))))
    expect(bounds).toEqual(Object.values(THRESHOLDS).map(({ directional, decision }) => [directional, decision]))
  })

  it('says when a number is too thin as docs/methods.md does', () => {
    const [clusters, answers] = findNumbers(documented(14), /fewer than (\d+) clusters.*fewer than (\d+) effective/)
    const [width = 0] = findNumbers(documented(14), /wider than (0\.\d+)/)
    const pattern = /fewer than (\d+) clusters.*fewer than (\d+) effective.*over (\d+) points/
    expect(findNumbers(textOf('reliability'), pattern)).toEqual([clusters, answers, width * 100])
  })

  it('says when a change is told as docs/methods.md does', () => {
    const [q = 0, p = 0] = findNumbers(documented(12), /q ≤ (0\.\d+).*p ≤ (0\.\d+)/)
    expect(findNumbers(textOf('change'), /(\d+) % of the cases.* most (\d+) % of the findings/)).toEqual([
      p * 100,
      q * 100,
    ])
    expect(findNumbers(textOf('change'), /From (\d+) prompts on.*from (\d+) to (\d+),/)).toEqual([
      PROMPTS_OF_T,
      PROMPTS_MIN,
      PROMPTS_OF_T - 1,
    ])
  })

  it('rounds the z of docs/methods.md, and takes the same splits for the noise floor', () => {
    const [z = 0] = findNumbers(documented(1), /z = (1\.\d+)/)
    expect(findNumbers(textOf('intervals'), /z is (1\.\d+)/)).toEqual([Number(z.toFixed(2))])
    const [rank, splits] = findNumbers(documented(17), /the (\d+)th of .* in (\d+) such splits/)
    expect(findNumbers(textOf('quality'), /(\d+) splits, the (\d+)th/)).toEqual([splits, rank])
  })

  it('says of cards what the rules and the verdict do', () => {
    const text = textOf('cards')
    const [days, least] = findNumbers(text, /in the (\d+) days .* needs (\d+) of them/)
    expect([days, least]).toEqual([CARD_WINDOW_DAYS, CARD_ANSWERS_MIN])
    expect(findNumbers(text, /measured after (\d+) days/)).toEqual([CARD_WINDOW_DAYS])
    const impactOf = (percent: number): string => toImpact({ hits: percent * 10, total: 1_000 })
    const [high = 0, medium = 0] = findNumbers(text, /high when (\d+) % .* medium from (\d+) %/)
    expect([high, high - 0.1, medium, medium - 0.1].map(impactOf)).toEqual(['High', 'Medium', 'Medium', 'Low'])
    expect(findNumbers(documented(9), /fewer than (\d+) untouched/)).toEqual([19])
    expect(PROMPTS_MIN).toBe(6)
    expect(text).toContain('Six prompts are held against six untouched ones at least, one to five against nineteen.')
  })

  it('says which days are shown without days in the address', () => {
    const state = parseUrl({ pathname: '/sites/acme.com/overview', search: '' })
    const { start_date, end_date } = toRange(state!, '2026-11-15')
    const days = (Date.parse(end_date) - Date.parse(start_date)) / 86_400_000 + 1
    expect(findNumbers(textOf('days'), /the last (\d+) days/)).toEqual([days])
  })
})

/** `15 points`, `50 %` and `12` as the service writes them. */
function toShare(text: string): number {
  return / (?:points|%)$/.test(text) ? Number.parseFloat(text) / 100 : Number(text)
}

/** Both pages write `s_j`, one of them as `sⱼ`. */
function toPlain(text: string): string {
  return inOneLine(text).replaceAll('ⱼ', '_j').replaceAll('₁', '1').replaceAll('₂', '2')
}

/** docs/methods.md in the page's letters: a change is Δ there, a cell's rate before p_c1, and the difference of a cell's rates d_c. */
function listDocumented(): readonly string[] {
  const [, difference = ''] = /d_c = ([^,]+),/.exec(documented(5)) ?? []
  const rewritten = methods
    .replaceAll('d_c', `(${difference})`)
    .replaceAll('_c', '')
    .replaceAll('Δ', 'change')
    .replaceAll('V_J', 'V')
  return [toPlain(rewritten)]
}

/** The contract's words for what the page says shorter, and in full below the formula. */
const SHORTER = {
  "answers with a citation whose host is one of the brand's domains or under one": 'answers that link to the brand',
  'those numbers over the own brand and all confirmed competitors': 'these numbers over all ranked brands',
  'prompt coverage': 'coverage',
} as const

const NAMES = {
  mention_rate: 'mention rate',
  citation_rate: 'citation rate',
  prompt_coverage: 'coverage',
  visibility_score: 'score',
  share_of_voice: 'share of voice',
} as const

/** The formulas of contract/api 5.4, and the share of contract/api 5.6, in the page's words. */
function listContracted(): readonly string[] {
  const contract = read('docs/contract/api.md')
  const ofMetrics = Object.entries(NAMES).map(([metric, name]) => {
    const [, written = ''] =
      new RegExp(String.raw`^\| .${metric}. \| ([^|;]+?)(?:, so 0 to 100|;.*)? \|$`, 'm').exec(contract) ?? []
    return `${name} = ${Object.entries(SHORTER).reduce((text, [long, short]) => text.replace(long, short), written)}`
  })
  const isOfAllLinks = contract.includes('**`citation_share`** is of all citations')
  return isOfAllLinks ? [...ofMetrics, 'share = links to the source / all links of the answers'] : ofMetrics
}
