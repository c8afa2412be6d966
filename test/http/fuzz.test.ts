import { expect, it } from 'vitest'
import { fuzzHttp } from '../support/fuzz-http.ts'

/** Not the reports over server logs. */
const OVER_ANSWERS = /^(?!.*(bots|referrals)$)/

it('answers any JSON to any endpoint with a documented status and body, never with a failure', async () => {
  const statuses = await fuzzHttp(500, 7, OVER_ANSWERS)
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '400', '404']))
})
