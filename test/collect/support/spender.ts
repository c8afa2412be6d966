/** One of many processes that spend on the calls of one site: plans, asks and settles what it gets. Prints what it spent. */
import { openCatalog } from '../../../src/catalog/catalog.ts'
import type { Budget, NewCall } from '../../../src/domain/call.ts'

export interface Spender {
  readonly path: string
  readonly siteId: string
  readonly name: string
  readonly calls: number
  readonly highMicros: number
  readonly costMicros: number
  readonly dayMicros: number
}

const { path, siteId, name, calls, highMicros, costMicros, dayMicros } = JSON.parse(process.argv[2] ?? '{}') as Spender
using catalog = openCatalog(path, { mode: 'command' })
const { token } = catalog.leases.enter()
const day = '2026-11-20'
catalog.scanRuns.start({ id: name, siteId, kind: 'answer', day, seed: 1, token })
const budget: Budget = {
  dayMicros,
  monthMicros: undefined,
  targets: new Map([['chatgpt', { dayMicros, monthMicros: undefined }]]),
}
const wanted = Array.from({ length: calls }, (_, index): NewCall => ({
  subject: { kind: 'answer', promptNo: index + 1, sample: 1 },
  target: 'chatgpt',
  role: 'main',
  engine: 'chatgpt',
  provider: 'openai',
  model: undefined,
}))
const planned = catalog.calls.plan(siteId, day, wanted)
const asked: number[] = []
let mostMicros = 0
for (const { callNo } of planned) {
  if (catalog.calls.ask(callNo, { runId: name, highMicros, budget }).kind === 'asked') asked.push(callNo)
  const organizationId = catalog.sites.get(siteId).organizationId
  mostMicros = Math.max(mostMicros, catalog.spend.sum(organizationId, new Date().toISOString().slice(0, 10)).dayMicros)
  // Some are under way at once.
  if (asked.length % 3 === 0) settle()
}
settle()
process.stdout.write(JSON.stringify({ asked, mostMicros }))

function settle(): void {
  for (const callNo of asked) catalog.calls.settle(callNo, name, { status: 'answered', costMicros })
}
