import { expect, test } from 'vitest'
import { findNearest } from '../../cli/suggest.ts'

const NAMES = [
  'serve',
  'demo',
  'orgs',
  'sites',
  'prompts',
  'competitors',
  'import',
  'keys',
  'actions',
  'lake',
  'backup',
  'restore',
]

test.each([
  ['serv', 'serve'],
  ['sevre', 'serve'],
  ['kyes', 'keys'],
  ['keyss', 'keys'],
  ['compet', 'competitors'],
  ['promts', 'prompts'],
  ['restor', 'restore'],
  ['lkae', 'lake'],
])('%s is taken for %s', (typed, name) => {
  expect(findNearest(typed, NAMES)).toBe(name)
})

test.each(['x', 'zebra', 'frobnicate', 'export'])('%s is near nothing', (typed) => {
  expect(
    findNearest(
      typed,
      NAMES.filter((name) => name !== 'import'),
    ),
  ).toBeUndefined()
})
