import type { Plan, PlanStatus } from './enums.ts'

/** A customer: owns sites and keys (contract/api 11.5, contract/imports 1.4 `orgs`). Timestamps are ISO 8601 UTC with milliseconds. */
export interface Organization {
  readonly id: string
  readonly name: string
  readonly plan: Plan
  readonly planStatus: PlanStatus
  /** Most active prompts over all its sites. */
  readonly promptLimit: number
  /** Per key. */
  readonly requestsPerMinute: number
  /** Per key; the two PATCH endpoints. */
  readonly writesPerMinute: number
  readonly createdAt: string
  /** Since when it is read, but not changed: it moves to another data directory. Null for nearly all. */
  readonly stoppedAt: string | null
}

/** Only a live Enterprise plan may use the API (contract/api 1.2 and 3.5). */
export function mayUseApi(organization: Pick<Organization, 'plan' | 'planStatus'>): boolean {
  return organization.plan === 'enterprise' && organization.planStatus === 'live'
}
