import { describe, expect, test } from 'vitest'
import { loadStudentT } from '../../src/statistics/student-t.ts'
import { COVERAGE_WORLDS, measureCoverage } from './coverage.ts'
import { EIGHT_WEEKS, simulateWorld, WORLD_KINDS, type SimulatedWorld } from './worlds.ts'

const studentT = await loadStudentT()

describe.each(WORLD_KINDS)('a world of the kind "%s"', (kind) => {
  const worlds = Array.from({ length: 300 }, (_, world) => simulateWorld(kind, `means ${world}`))

  test('names a brand as often as it says, over many worlds', () => {
    const mean = (of: (world: SimulatedWorld) => number): number =>
      worlds.reduce((sum, world) => sum + of(world), 0) / worlds.length
    const found = mean(({ answers }) => answers.filter(({ named }) => named[0]).length / answers.length)
    expect(Math.abs(found - mean(({ truth }) => truth[0]!))).toBeLessThan(0.01)
  })

  test('has the same answers for the same key, and fewer only where prompts are unequal', () => {
    expect(simulateWorld(kind, 'means 7')).toEqual(worlds[7])
    const answers = worlds[7]!.answers.length
    expect(answers < 12 * 4 * 56).toBe(kind === 'unequal')
  })

  test('has intervals that hold the truth in 92 % of them or more, over two sizes', () => {
    const found = Object.values(COVERAGE_WORLDS).map(
      (options) => measureCoverage(kind, options, 150, studentT).mention_rate.covered,
    )
    // Of 300 worlds; the long form has 2,000 and needs no allowance for chance.
    expect(found.reduce((sum, covered) => sum + covered, 0) / found.length).toBeGreaterThan(0.9)
  })
})

test('rates rise from a day on where they are said to', () => {
  const raised = { prompts: new Set([0, 1, 2]), day: 28, from: 0.2, to: 0.33 }
  const share = (world: SimulatedWorld, day: boolean, prompts: boolean): number => {
    const of = world.answers.filter(
      (answer) => answer.day >= 28 === day && raised.prompts.has(answer.prompt) === prompts,
    )
    return of.filter(({ named }) => named[0]).length / of.length
  }
  const worlds = Array.from({ length: 300 }, (_, world) =>
    simulateWorld('correlated days', String(world), { ...EIGHT_WEEKS, raised }),
  )
  const mean = (day: boolean, prompts: boolean): number =>
    worlds.reduce((sum, world) => sum + share(world, day, prompts), 0) / worlds.length
  expect(Math.abs(mean(true, true) - mean(false, true) - 0.13)).toBeLessThan(0.02)
  expect(Math.abs(mean(true, false) - mean(false, false))).toBeLessThan(0.01)
})
