import { join } from 'node:path'
import type { Catalog } from '../catalog/catalog.ts'
import type { Call, ScanRun } from '../domain/call.ts'
import { takeIn } from './intake.ts'
import type { Errand } from './paid-call.ts'
import { writePatiently } from './patience.ts'
import { cutTornLine, listUnsealed, seal } from './spool.ts'
import { readSpoolLines } from './spool-line.ts'

/** What was left by runs whose processes died. */
export interface Recovered {
  readonly runs: number
  /** Calls whose reply stood in the spool. */
  readonly found: number
  /** Calls of which it isn't known whether they were bought. */
  readonly uncertain: number
}

export interface RecoverOptions {
  readonly catalog: Catalog
  readonly dataDir: string
  readonly siteId: string
  readonly errand: Errand
  /** Of this process. */
  readonly token: string
}

/**
 * Ends the runs of a site whose processes are gone: calls whose reply is in the spool get its outcome, others that were
 * asked are uncertain, tasks stay for the next run, and what the spool holds is taken in. A death in the midst of this
 * changes nothing: the next one does it again.
 */
export async function recoverRuns(options: RecoverOptions): Promise<Recovered> {
  const { catalog, siteId, errand, token } = options
  const dead = catalog.scanRuns.adoptDead(errand.kind, token, siteId)
  let found = 0
  let uncertain = 0
  for (const run of dead) {
    const underWay = new Map(catalog.calls.listUnderWay(run.id).map((call) => [errand.toId(call), call]))
    const files = await listUnsealed(options.dataDir, run)
    for (const { lane, name } of files) {
      const path = join(options.dataDir, name)
      await cutTornLine(path)
      if (lane !== 'failed') found += await settleFound(options, run, underWay, name)
    }
    for (const { callNo } of [...underWay.values()].filter(({ status }) => status === 'asked')) {
      await writePatiently(catalog, () =>
        catalog.calls.settle(callNo, run.id, { status: 'uncertain', costMicros: undefined, reason: CUT_OFF }),
      )
      uncertain += 1
    }
    for (const { lane, name } of files) {
      if (lane === errand.lane) await takeIn({ ...options, runId: run.id }, name)
      else await seal(options.dataDir, name)
    }
    await writePatiently(catalog, () => catalog.scanRuns.end(run.id, token, 'partial'))
  }
  return { runs: dead.length, found, uncertain }
}

const CUT_OFF = 'its run ended while it was under way'

/** Gives calls their outcomes by the lines of a file; they are no longer under way then. Counts them. */
async function settleFound(
  { catalog, dataDir, errand }: RecoverOptions,
  run: ScanRun,
  underWay: Map<string, Call>,
  name: string,
): Promise<number> {
  let found = 0
  for await (const { response, ...envelope } of readSpoolLines(join(dataDir, name))) {
    const call = underWay.get(envelope.id)
    if (!call) continue
    underWay.delete(envelope.id)
    found += 1
    const paid = errand.restore(call)
    const reading = paid?.read(envelope, response) ?? { status: 'failed', reason: GONE }
    // One part that is an array looks like several.
    const costMicros = paid?.cost([response]) ?? (Array.isArray(response) ? paid?.cost(response) : undefined)
    await writePatiently(catalog, () =>
      catalog.calls.settle(call.callNo, run.id, { ...reading, costMicros, spool: name }),
    )
  }
  return found
}

const GONE = 'its reply was kept; its prompt or target is no longer there'
