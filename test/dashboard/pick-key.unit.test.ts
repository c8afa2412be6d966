import { expect, test } from 'vitest'
import { pickKey } from '../../src/dashboard/pick-key.ts'
import { toBotTypeName, toProviderName } from '../../src/dashboard/views/crawlers/names.ts'
import { toLinesBy } from '../../src/dashboard/views/crawlers/questions.ts'
import { toPageTypeName } from '../../src/dashboard/views/logs/page-types.ts'
import { toSourceName } from '../../src/dashboard/views/visitors/source-names.ts'

test('a key is one of the list, and never what every object has', () => {
  const list = { one: 1, two: 2 }
  expect(pickKey('two', list)).toBe('two')
  for (const text of ['three', 'constructor', '__proto__', 'toString', '', undefined]) {
    expect(pickKey(text, list)).toBeUndefined()
  }
})

test('what a URL names is shown as it is written where no name is known', () => {
  expect(toPageTypeName('pricing')).toBe('Pricing')
  expect(toBotTypeName('index')).toBe('Search index')
  expect(toProviderName('openai')).toBe('OpenAI')
  expect(toLinesBy({ more: { by: 'purpose' } })).toBe('purpose')
  expect(toPageTypeName('constructor')).toBe('constructor')
  expect(toBotTypeName('constructor')).toBe('constructor')
  expect(toProviderName('constructor')).toBe('Constructor')
  expect(toSourceName('constructor')).toBe('Constructor')
  expect(toLinesBy({ more: { by: 'constructor' } })).toBe('bot')
})
