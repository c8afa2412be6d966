import * as v from 'valibot'
import { expect, it } from 'vitest'
import { HEAD, parseCatalogue, SOURCED } from '../../src/reference/catalogue.ts'

const file = v.strictObject({ ...HEAD, things: v.array(v.strictObject({ name: v.string(), ...SOURCED })) })
const good = { about: 'Things.', sources: { seen: 'in use' }, things: [{ name: 'a', source: 'seen', date: '2026-11' }] }

it('gives back a file that fits', () => {
  expect(parseCatalogue('things.json', file, good)).toEqual(good)
})

it.each([
  [{ ...good, about: '' }, 'data/things.json: about: '],
  [{ ...good, things: [{ name: 'a', source: 'seen', date: '2026-13' }] }, 'data/things.json: things.0.date: '],
  [{ ...good, things: [{ name: 'a', source: 'seen', date: '2026-11', more: 1 }] }, 'data/things.json: things.0.more: '],
  [null, 'data/things.json: the file: '],
])('names the file and the place of a fault', (content, message) => {
  expect(() => parseCatalogue('things.json', file, content)).toThrow(message)
})
