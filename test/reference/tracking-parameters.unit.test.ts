import { expect, test } from 'vitest'
import content from '../../data/tracking_parameters.json' with { type: 'json' }
import { isTrackingParameter } from '../../src/reference/tracking-parameters.ts'

test('the parameters that every operator expects track everywhere, whatever their case', () => {
  const names = ['utm_source', 'utm_anything', 'UTM_Medium', 'gclid', 'fbclid', 'MSCLKID']
  expect(names.filter((name) => !isTrackingParameter(name, 'acme.com'))).toEqual([])
})

test('names that select content somewhere don’t track', () => {
  const names = [
    '',
    'id',
    'q',
    'page',
    'p',
    'v',
    't',
    's',
    'ref',
    'source',
    'tag',
    'si',
    'lang',
    'sku',
    'utm',
    'xgclid',
    'gclid2',
    'th',
    'psc',
  ]
  expect(names.filter((name) => isTrackingParameter(name, 'acme.com'))).toEqual([])
})

test('a parameter of one site tracks on its registrable domains only', () => {
  expect(isTrackingParameter('igsh', 'instagram.com')).toBe(true)
  expect(isTrackingParameter('igsh', 'acme.com')).toBe(false)
  expect(isTrackingParameter('pd_rd_w', 'amazon.de')).toBe(true)
})

test('every name stands once, in lower case, and names one of the sources', () => {
  const names = content.parameters.map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at || name !== name.toLowerCase())).toEqual([])
  const unknown = content.parameters.filter(({ source }) => !(source in content.sources))
  expect(unknown).toEqual([])
})
