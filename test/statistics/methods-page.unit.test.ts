import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addChanges, compareCoverage, compareRates } from '../../src/reports/changes/change.ts'
import { compareOnePrompt } from '../../src/reports/changes/one-prompt.ts'
import { gradeOf, THRESHOLDS } from '../../src/reports/quality/grades.ts'
import { measureReproducibility } from '../../src/reports/quality/samples.ts'
import { toQValues } from '../../src/statistics/benjamini-hochberg.ts'
import { toInterval } from '../../src/statistics/interval.ts'
import { toClusteredVariance, toDesignEffect, toRate, toWilsonInterval } from '../../src/statistics/rate.ts'
import { toKappa } from '../../src/statistics/kappa.ts'
import { toSignFlipPValue } from '../../src/statistics/sign-flip.ts'
import { toPlaceboRank } from '../../src/actions/placebo.ts'
import { loadStudentT } from '../../src/statistics/student-t.ts'
import { toWelchDegrees } from '../../src/statistics/welch.ts'
import { findJackknife, findSpread } from '../support/oracle/certainty.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/methods.md'), 'utf8')
const studentT = await loadStudentT()

/** The worked example of a section, in one line. */
function readExample(section: number): string {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section} `)) ?? ''
  return [...text.matchAll(/^> (.*)$/gm)].map(([, line]) => line).join(' ')
}

/** Pairs of numbers that the example writes as `5 of 28`. */
function readPairs(example: string): (readonly [number, number])[] {
  return [...example.matchAll(/(\d+) of (\d+)/g)].map(([, part, whole]) => [Number(part), Number(whole)])
}

const show = (value: number): string => value.toFixed(6)
const SIX = readPairs(readExample(2)).map(([hits, answers]) => ({ hits, answers }))

test("1: Student's t", () => {
  expect(readExample(1)).toBe(
    `5 degrees of freedom: t = ${show(studentT.criticalValue(5))}. 19: t = ${show(studentT.criticalValue(19))}. ` +
      `Two spreads from 0 with 5 degrees of freedom: p = ${show(studentT.toPValue(2, 5))}.`,
  )
})

test('2: clustered variance, design effect and effective answers', () => {
  const { rate, hits, answers, effectiveAnswers } = toRate(SIX, [], studentT)
  expect(SIX).toHaveLength(6)
  expect(readExample(2)).toContain(
    `p = ${hits} / ${answers} = ${show(rate)}, V = ${show(toClusteredVariance(SIX))}, ` +
      `design effect ${show(toDesignEffect(SIX)!)}, n* = ${show(effectiveAnswers!)}.`,
  )
})

test('3: the interval of a rate', () => {
  const { interval, rate, answers } = toRate(SIX, [], studentT)
  const plain = toWilsonInterval(rate, answers)
  expect(readExample(3)).toBe(
    `The six prompts above: ${show(interval!.low)} to ${show(interval!.high)}. ` +
      `As if the 155 answers were independent it would be ${show(plain.low)} to ${show(plain.high)}.`,
  )
})

test('4: the jackknife', () => {
  const pairs = readPairs(readExample(4))
  const [named, all] = [0, 1].map((side) => pairs.reduce((sum, pair) => sum + pair[side]!, 0)) as [number, number]
  const leftOut = pairs.map((pair) => (named - pair[0]) / (all - pair[1]))
  const interval = findJackknife(named / all, leftOut, 1)
  expect(pairs).toHaveLength(6)
  expect(readExample(4)).toContain(
    `${named} / ${all} = ${show(named / all)}, V_J = ${show(findSpread(leftOut) ** 2)}, ` +
      `interval ${show(interval.low!)} to ${show(interval.high!)}.`,
  )
})

test('5: a paired change', () => {
  const counts = readPairs(readExample(5)).map(([s, n]) => ({ s, n }))
  const cells = ['a', 'a', 'b', 'c', 'c', 'd'].map((prompt, place) => ({
    prompt,
    previous: counts[2 * place]!,
    current: counts[2 * place + 1]!,
  }))
  const { change, variance } = compareRates(cells)!
  expect(readExample(5)).toContain(`Δ = ${show(change)}, V = ${show(variance!)}.`)
})

test('6: the sign flip', () => {
  const [listed = '', found = ''] = readExample(6).split(': ')
  const parts = [...listed.matchAll(/−?\d+\.\d+/g)].map(([text]) => Number(text.replace('−', '-')))
  expect(parts).toHaveLength(7)
  const p = toSignFlipPValue(parts)
  expect(found).toBe(`${p * 128} of 128 patterns, p = ${p}.`)
})

test('7: many questions at once', () => {
  const [ps = [], qs = []] = readExample(7)
    .split(': q of')
    .map((list) => [...list.matchAll(/\d+(?:\.\d+)?/g)].map(([text]) => Number(text)))
  expect(ps).toHaveLength(7)
  expect(toQValues(ps).map((q) => Number(q.toFixed(4)))).toEqual(qs)
})

test("8: Welch's degrees of freedom", () => {
  const degrees = toWelchDegrees({ variance: 0.25, degrees: 5 }, { variance: 1, degrees: 7 })
  expect(readExample(8)).toBe(`V₁ = 0.25 with 5 degrees of freedom, V₂ = 1 with 7: ${show(degrees)}.`)
})

test('10: the change of coverage', () => {
  const counts = readPairs(readExample(10)).map(([s, n]) => ({ s, n }))
  const toCells = (of: typeof counts) =>
    ['a', 'a', 'b'].map((prompt, place) => ({
      prompt,
      previous: of[[0, 1, 4][place]!]!,
      current: of[[2, 3, 5][place]!]!,
    }))
  const naming = toCells(counts)
  const found = compareCoverage(naming)!
  expect(counts).toHaveLength(12)
  expect(readExample(10)).toContain(
    `Coverage ${show(found.previous)}, then ${show(found.value)}: Δ = ${show(found.change)}, V = ${show(found.variance!)}.`,
  )
  const score = addChanges([
    [45, compareRates(naming)!],
    [35, compareRates(toCells(counts.slice(6)))!],
    [20, found],
  ])
  expect(readExample(10)).toContain(
    `Score ${show(score.previous)}, then ${show(score.value)}: Δ = ${show(score.change)}, V = ${show(score.variance!)}.`,
  )
})

test('11: the change of one prompt', () => {
  const weeks = readPairs(readExample(11)).map(([s, n]) => ({ s, n }))
  const sumUp = (of: typeof weeks) => {
    const sum = (value: (week: { s: number; n: number }) => number) =>
      of.reduce((total, week) => total + value(week), 0)
    return {
      n: sum(({ n }) => n),
      s: sum(({ s }) => s),
      weeks: of.length,
      ss: sum(({ s }) => s * s),
      sn: sum(({ s, n }) => s * n),
      nn: sum(({ n }) => n * n),
    }
  }
  const cell = { previous: sumUp(weeks.slice(0, 4)), current: sumUp(weeks.slice(4)) }
  const { change, spread } = compareOnePrompt([cell])!
  expect(weeks).toHaveLength(8)
  expect(readExample(11)).toContain(
    `Δ = ${show(change)}, V = ${show(spread!.variance)} with ${spread!.df} degrees of freedom.`,
  )
})

test('12: when a change is told', () => {
  const { low, high } = toInterval(0.09, studentT.criticalValue(11) * 0.03, { low: -1, high: 1 })
  expect(readExample(12)).toBe(
    `Δ = 0.09 and V = 0.0009 over 12 prompts: t = 3, p = ${show(studentT.toPValue(3, 11))}, interval ${show(low)} to ${show(high)}.`,
  )
})

test('13: ranges of ranks', () => {
  const [first = [], second = []] = readExample(13)
    .split('. D = ')[0]!
    .split(';')
    .map((part) => [...part.matchAll(/\b\d\d\b/g)].map(([text]) => Number(text)))
  const [difference = 0, ...without] = first.map((score, place) => score - second[place]!)
  const bound = studentT.criticalValue(without.length - 1) * findSpread(without)
  expect(difference).toBeGreaterThan(bound)
  expect(readExample(13)).toContain(
    `D = ${difference}, V_J = ${show(findSpread(without) ** 2)}, t(4) · √V_J = ${show(bound)}: the first is significantly ahead.`,
  )
})

test('14: reliability', () => {
  const { effectiveAnswers, interval } = toRate([...SIX, ...SIX], [], studentT)
  expect(readExample(14)).toContain(
    `n* = ${show(effectiveAnswers!)}, an interval from ${show(interval!.low)} to ${show(interval!.high)}, \`ok\`.`,
  )
})

test('9: the placebo rank', () => {
  const untouched = Array.from({ length: 19 }, (_, index) => index - 9)
  const [near, far, two] = [[10], [11], [9, 9]].map((targets) => toPlaceboRank(targets, untouched))
  expect(readExample(9)).toBe(
    'Nineteen untouched prompts changed by −9, −8, … +9 points. One target prompt, +10 points: ' +
      `M = 0.5, a distance of ${near!.distance}, as far only for −9: p = 2 / 20 = ${show(near!.p)}. ` +
      `+11 points: p = 1 / 20 = ${show(far!.p)}. Two target prompts, +9 points each: M = 1, 9 of the 210 pairs, p = ${show(two!.p)}.`,
  )
})

test('16: the thresholds are those of the code', () => {
  const section = page.split(/^## /m).find((part) => part.startsWith('16 ')) ?? ''
  const rows = [...section.matchAll(/^\| [^|]+ \| ([\d.]+) \| ([\d.]+) \|/gm)].map(([, directional, decision]) => ({
    directional: Number(directional),
    decision: Number(decision),
  }))
  expect(Object.values(THRESHOLDS)).toMatchObject(rows)
  expect(rows).toHaveLength(Object.keys(THRESHOLDS).length)
  expect([29, 30, 11].map((prompts) => gradeOf('prompts', prompts))).toEqual(['directional', 'decision', 'exploratory'])
  expect([0.05, 0.15, 0.151].map((noise) => gradeOf('noise_floor', noise))).toEqual([
    'decision',
    'directional',
    'exploratory',
  ])
})

test('17: the noise floor', async () => {
  const groups = [...readExample(17).matchAll(/(\d+) of (\d+)[a-z ]* in (\d+)/g)].map(([, named, answers, count]) => ({
    named: Number(named),
    answers: Number(answers),
    count: Number(count),
  }))
  const { agreement, noiseFloor } = (await measureReproducibility(groups))!
  expect(groups).toHaveLength(3)
  expect(readExample(17)).toContain(`agreement ${show(agreement)}, noise floor ${show(noiseFloor)}.`)
})

test('22: how far two judges agree', () => {
  const [, first = ''] = /across, (.*): κ/.exec(readExample(22)) ?? []
  const { kappa, interval } = toKappa(first.split(', ').map((row) => row.split(' ').map(Number)))
  expect(readExample(22)).toContain(`κ = ${show(kappa!)}, from ${show(interval!.low)} to ${show(interval!.high)}.`)
})
