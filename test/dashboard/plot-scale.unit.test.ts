import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listDayMarks, listMarks, listRuns, spread } from '../../src/dashboard/parts/plot-scale.ts'

describe('the marks of an axis', () => {
  it('are round, begin at 0, and the last is at or over every value', () => {
    const greatest = fc.oneof(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), fc.integer({ min: 1, max: 1_000_000 }))
    fc.assert(
      fc.property(greatest, fc.integer({ min: 1, max: 8 }), (value, marks) => {
        const list = listMarks(value, marks)
        expect(list[0]).toBe(0)
        expect(list.at(-1)).toBeGreaterThanOrEqual(value * (1 - 1e-9))
        expect(list.length).toBeLessThanOrEqual(marks + 1)
        expect(new Set(list).size).toBe(list.length)
      }),
    )
  })

  it('fit what is measured', () => {
    expect(listMarks(0.68, 5, { max: 1 })).toEqual([0, 0.2, 0.4, 0.6, 0.8])
    expect(listMarks(0.99, 4, { max: 1 })).toEqual([0, 0.25, 0.5, 0.75, 1])
    expect(listMarks(98, 4)).toEqual([0, 25, 50, 75, 100])
    expect(listMarks(2, 4, { isWhole: true })).toEqual([0, 1, 2])
    expect(listMarks(0, 4, { max: 1 })).toEqual([0, 0.25, 0.5, 0.75, 1])
    expect(listMarks(0, 4, { isWhole: true })).toEqual([0, 1])
  })
})

describe('the days of an axis', () => {
  it('are single days, then whole weeks', () => {
    expect(listDayMarks(7, 10)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(listDayMarks(28, 13)).toEqual([0, 7, 14, 21])
    expect(listDayMarks(365, 10)).toEqual([0, 56, 112, 168, 224, 280, 336])
    expect(listDayMarks(1, 10)).toEqual([0])
  })
})

describe('stretches of days with data', () => {
  it('end at every gap, and hold every value once', () => {
    expect(listRuns([null, 1, 2, null, 3, null])).toEqual([
      [1, 2],
      [4, 4],
    ])
    fc.assert(
      fc.property(fc.array(fc.option(fc.double({ noNaN: true }))), (values) => {
        const held = listRuns(values).flatMap(([first, last]) => values.slice(first, last + 1))
        expect(held).toEqual(values.filter((value) => value !== null))
      }),
    )
  })
})

describe('names at the ends of lines', () => {
  it('stay apart and in order, within the room there is', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 200, noNaN: true }), { maxLength: 12 }), (wanted) => {
        const places = spread(wanted, 14, 200)
        const sorted = places.toSorted((a, b) => a - b)
        sorted
          .slice(1)
          .forEach((place, index) => expect(place - (sorted[index] ?? 0)).toBeGreaterThanOrEqual(14 - 1e-9))
        expect(Math.max(0, ...sorted)).toBeLessThanOrEqual(200 + 1e-9)
      }),
    )
  })
})
