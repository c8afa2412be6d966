/** A scan in a process of its own, which kills itself at the point that its arguments name. Prints its result when it lives. */
import { openApp } from '../../../src/app.ts'
import type { Catalog } from '../../../src/catalog/catalog.ts'
import { planScan } from '../../../src/collect/plan.ts'
import type { Provider } from '../../../src/collect/providers/provider.ts'
import { runScan } from '../../../src/collect/run-scan.ts'
import { readSecrets } from '../../../src/collect/secrets.ts'
import { parseConfig } from '../../../src/config.ts'
import { GATE_LIMITS } from '../../../src/collect/gate.ts'
import type { KilledScan, KillPoint } from './kill-points.ts'
import { SECRET, testProvider, toTarget } from './test-provider.ts'

const { dataDir, url, day, point, nth } = JSON.parse(process.argv[2] ?? '{}') as KilledScan
let comers = 0
/** The process ends as by a power cut. */
function pass(here: KillPoint): void {
  if (here !== point) return
  comers += 1
  if (comers === nth) process.kill(process.pid, 'SIGKILL')
}

function between<Args extends unknown[], Result>(
  here: { readonly before?: KillPoint; readonly after?: KillPoint },
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => {
    if (here.before) pass(here.before)
    const result = work(...args)
    if (here.after) pass(here.after)
    return result
  }
}

const provider: Provider = {
  ...testProvider,
  toRequest: between({ before: 'before it is sent' }, testProvider.toRequest),
  classify: between({ before: 'when the reply is there' }, testProvider.classify),
}

await using app = await openApp(parseConfig({ dataDir, environment: {} }, {}, ''), { mode: 'command' })
const { calls, leases, scanRuns } = app.catalog
const catalog: Catalog = {
  ...app.catalog,
  calls: {
    ...calls,
    settle: between({ before: 'when the reply is stored' }, calls.settle),
    toTask: between({ before: 'when a task is bought' }, calls.toTask),
    markImported: between({ before: 'after the import', after: 'before sealing' }, calls.markImported),
  },
  leases: { ...leases, acquire: between({ before: 'before the import' }, leases.acquire) },
  scanRuns: { ...scanRuns, end: between({ before: 'before its end' }, scanRuns.end) },
}
const site = catalog.sites.get('acme')
const target = toTarget(url)
const known = {
  getProvider: () => provider,
  toPace: () => ({ concurrency: 3, perMinute: 1_000_000 }),
  findMarket: () => undefined,
}
const targets = [target]
const { prompts } = catalog.prompts.list(site.id)
const result = await runScan(
  {
    change: { ...app.change, catalog },
    dataDir,
    environment: {},
    secrets: await readSecrets({ ANSWERLAKE_SECRET_OPENAI: SECRET }),
    budget: { dayMicros: 10_000_000, monthMicros: undefined, targets: new Map() },
    targets,
    limits: { gate: { ...GATE_LIMITS, backoffMs: { first: 1, most: 5 } }, intake: { answers: 3, ms: 60_000 } },
    ...known,
  },
  site,
  planScan({ site, prompts, targets, samples: 1, day, seed: 1, ...known }),
)
process.stdout.write(JSON.stringify(result))
