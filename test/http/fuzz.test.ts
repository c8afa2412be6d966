import { expect, it } from 'vitest'
import { fuzzHttp } from '../support/fuzz-http.ts'
import { fuzzUi } from '../support/fuzz-ui.ts'

it('answers any JSON to any endpoint with a documented status and body, never with a failure', async () => {
  const statuses = await fuzzHttp(500, 7)
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '400', '404']))
})

it('answers anything that anybody asks of the dashboard so too, and shows nobody what is another organization’s', async () => {
  const statuses = await fuzzUi(300, 7)
  expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '404']))
})
