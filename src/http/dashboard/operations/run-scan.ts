import * as v from 'valibot'
import { ApiError, CommandError, ScanIsRunning } from '../../../errors.ts'
import { strictObject } from '../../../schemas/strict-object.ts'
import { Text } from '../../../schemas/values.ts'
import { SiteParams } from '../../schemas/params.ts'
import { single } from '../../schemas/resources.ts'
import { defineUiEndpoint } from '../ui-endpoint.ts'

/** As `scan run --budget` takes it, up to six digits. */
const BudgetUsd = v.pipe(v.number(), v.minValue(0.000_001), v.maxValue(999_999))

export const runScan = defineUiEndpoint({
  operation: 'runScan',
  method: 'POST',
  path: '/ui/v1/sites/{site_id}/scan/run',
  access: 'owner',
  summary: "Begin a scan of a site: ask what wasn't asked today, within the budget",
  params: SiteParams,
  body: strictObject({ budget_usd: v.optional(BudgetUsd) }),
  response: single(v.object({ run_id: Text })),
  example: { body: { budget_usd: 5 }, response: { data: { run_id: 'run_0k7q4zj0i1m2p3r4t5s6a7n8sw' } } },
  handle: async ({ app: { scans }, note, getSite }, { params, body: { budget_usd } }) => {
    const site = getSite(params.site_id)
    const runMicros = budget_usd === undefined ? undefined : Math.round(budget_usd * 1_000_000)
    const detail = { site_id: site.id, budget_usd: budget_usd ?? null }
    const noteBegun = (runId: string): void => note({ action: 'scan.run', subject: runId, detail })
    const runId = await scans.begin(site, { runMicros, noteBegun }).catch((error: unknown) => {
      throw toRefusal(error)
    })
    return { data: { run_id: runId } }
  },
})

function toRefusal(error: unknown): unknown {
  if (error instanceof ScanIsRunning) return new ApiError('scan_running', error.message, { cause: error })
  return error instanceof CommandError ? new ApiError('scan_refused', error.message, { cause: error }) : error
}
