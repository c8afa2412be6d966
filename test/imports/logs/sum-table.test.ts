import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SumTable } from '../../../src/imports/logs/sum-table.ts'

it('sums up by all three numbers of a key, as a map does', () => {
  const part = fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 2 ** 31 - 1 }))
  fc.assert(
    fc.property(fc.array(fc.tuple(part, part, part, fc.nat(1), fc.nat(899)), { maxLength: 300 }), (entries) => {
      const table = new SumTable(300)
      for (let round = 0; round < 2; round++) {
        const expected = new Map<
          string,
          { a: number; b: number; c: number; count: number; errors: number; last: number }
        >()
        for (const [a, b, c, error, last] of entries) {
          table.add(a, b, c, error, last)
          const key = `${a} ${b} ${c}`
          const before = expected.get(key) ?? { a, b, c, count: 0, errors: 0, last: 0 }
          expected.set(key, {
            ...before,
            count: before.count + 1,
            errors: before.errors + error,
            last: Math.max(before.last, last),
          })
        }
        expect(table.size).toBe(expected.size)
        expect([...table.rows()]).toEqual([...expected.values()])
        table.clear()
        expect([...table.rows()]).toEqual([])
      }
    }),
  )
})

it('is full when it holds as many keys as it has room for', () => {
  const table = new SumTable(3)
  for (const key of [1, 2, 2, 3]) {
    expect(table.isFull).toBe(false)
    table.add(key, 0, 0, 0, 0)
  }
  expect(table.isFull).toBe(true)
})
