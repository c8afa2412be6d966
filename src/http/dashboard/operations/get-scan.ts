import * as v from 'valibot'
import { CALL_STATUSES, RUN_STATUSES } from '../../../domain/call.ts'
import { PROVIDER_IDS } from '../../../domain/enums.ts'
import { CalendarDay, Count, EngineId, Text, Timestamp } from '../../../schemas/values.ts'
import { SiteParams } from '../../schemas/params.ts'
import { single } from '../../schemas/resources.ts'
import { defineUiEndpoint } from '../ui-endpoint.ts'

const Usd = v.pipe(v.number(), v.minValue(0))
const Limit = v.nullable(Usd)
const Role = v.picklist(['main', 'shadow'])

/** Calls that a scan would ask now, with what they cost at least and at most. */
const Open = v.object({ calls: Count, cost_usd_low: Usd, cost_usd_high: Usd })

const ScanTarget = v.object({
  id: Text,
  engine: EngineId,
  provider: v.picklist(PROVIDER_IDS),
  provider_name: Text,
  model: v.nullable(Text),
  role: Role,
  call_usd_low: Usd,
  call_usd_high: Usd,
  usd_day: Limit,
  usd_month: Limit,
  terms: Text,
  problem: v.nullable(Text),
  planned_calls: Count,
  open: Open,
})
export type ScanTarget = v.InferOutput<typeof ScanTarget>

const ScanBudget = v.object({ usd_day: Limit, usd_month: Limit, spent_usd_day: Usd, spent_usd_month: Usd })
export type ScanBudget = v.InferOutput<typeof ScanBudget>

const Plan = v.object({
  site_id: Text,
  date: CalendarDay,
  samples: Count,
  calls: Count,
  made: Count,
  open: Open,
  cost_usd_low: Usd,
  cost_usd_high: Usd,
  minutes: Count,
  cannot: v.array(v.object({ target: Text, reason: Text, prompts: Count })),
  budget: v.nullable(ScanBudget),
})

const ScanRun = v.object({
  id: Text,
  date: CalendarDay,
  status: v.picklist([...RUN_STATUSES, 'cut_off']),
  reason: v.nullable(Text),
  started_at: Timestamp,
  ended_at: v.nullable(Timestamp),
  cost_usd: Usd,
})
export type ScanRun = v.InferOutput<typeof ScanRun>

/** What became of the calls to a target on a day. */
const TargetOutcome = v.object({
  id: Text,
  engine: EngineId,
  provider: v.picklist(PROVIDER_IDS),
  model: v.nullable(Text),
  role: Role,
  calls: Count,
  ...v.entriesFromList(CALL_STATUSES, Count),
  searched: v.nullable(Count),
  cost_usd: Usd,
  reserved_usd: Usd,
  median_seconds: v.nullable(v.number()),
  reasons: v.array(v.object({ status: v.picklist(CALL_STATUSES), reason: Text, calls: Count })),
})
export type TargetOutcome = v.InferOutput<typeof TargetOutcome>

const ScanLook = v.object({
  configured: v.literal(true),
  targets: v.array(ScanTarget),
  plan: Plan,
  schedules: v.array(v.object({ cron: Text, zone: Text, next_at: v.nullable(Timestamp) })),
  running: v.nullable(ScanRun),
  runs: v.array(ScanRun),
  last: v.nullable(v.object({ date: CalendarDay, targets: v.array(TargetOutcome) })),
})
export type ScanLook = v.InferOutput<typeof ScanLook>

const ScanReply = v.union([ScanLook, v.object({ configured: v.literal(false), why: Text })])
export type ScanReply = v.InferOutput<typeof ScanReply>

export const getScan = defineUiEndpoint({
  operation: 'getScan',
  method: 'GET',
  path: '/ui/v1/sites/{site_id}/scan',
  access: 'member',
  summary: 'Targets, plan with cost, budget, schedules and last runs of the scans of a site',
  params: SiteParams,
  response: single(ScanReply),
  example: {
    response: { data: { configured: false, why: 'The data directory has no scan.json, so nobody is asked.' } },
  },
  handle: async ({ app: { scans }, getSite }, { params }) => {
    const looked = await scans.look(getSite(params.site_id))
    if ('why' in looked) return { data: { configured: false, why: looked.why } as const }
    return { data: { configured: true, ...looked.look } as const }
  },
})
