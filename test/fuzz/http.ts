import { parseArgs } from 'node:util'
import { fuzzHttp } from '../support/fuzz-http.ts'
import { fuzzUi } from '../support/fuzz-ui.ts'

// node test/fuzz/http.ts [--of v1|ui] [--cases 20000] [--seed N] [--only PATTERN]: sends random requests to a real server, to the
// API and to the dashboard's operations, and holds every answer against what is documented. A failure prints the smallest request
// that shows it, and the seed to repeat it.
const { values } = parseArgs({
  options: {
    of: { type: 'string' },
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    only: { type: 'string', default: '.' },
  },
})
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
for (const [name, fuzz] of Object.entries({ v1: fuzzHttp, ui: fuzzUi })) {
  if (values.of !== undefined && values.of !== name) continue
  const startedMs = performance.now()
  const statuses = await fuzz(Number(values.cases), seed, new RegExp(values.only))
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0)
  console.log(
    `${name}: ${values.cases} requests, seed ${seed}, ${seconds} s, no failure; answers by status: ${JSON.stringify(statuses)}`,
  )
}
