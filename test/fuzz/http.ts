import { parseArgs } from 'node:util'
import { fuzzHttp } from '../support/fuzz-http.ts'

// node test/fuzz/http.ts [--cases 20000] [--seed N] [--only PATTERN]: sends random requests to a real server and holds every answer against
// the OpenAPI document. A failure prints the smallest request that shows it, and the seed to repeat it.
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    only: { type: 'string', default: '.' },
  },
})
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
const startedMs = performance.now()
const statuses = await fuzzHttp(Number(values.cases), seed, new RegExp(values.only))
const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0)
console.log(
  `${values.cases} requests, seed ${seed}, ${seconds} s, no failure; answers by status: ${JSON.stringify(statuses)}`,
)
