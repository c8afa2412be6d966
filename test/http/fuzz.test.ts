import { expect, it } from 'vitest'
import { fuzzHttp } from '../support/fuzz-http.ts'

it('answers any JSON to any endpoint with a documented status and body, never with a failure', async () => {
  const statuses = await fuzzHttp(500, 7)
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '400', '404']))
})
