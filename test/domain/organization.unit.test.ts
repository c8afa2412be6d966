import { expect, test } from 'vitest'
import { PLANS, PLAN_STATUSES } from '../../src/domain/enums.ts'
import { mayUseApi } from '../../src/domain/organization.ts'

test('only a live Enterprise plan may use the API', () => {
  const allowed = PLANS.flatMap((plan) => PLAN_STATUSES.map((planStatus) => ({ plan, planStatus }))).filter(mayUseApi)
  expect(allowed).toEqual([{ plan: 'enterprise', planStatus: 'live' }])
})
