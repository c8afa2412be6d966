import * as v from 'valibot'
import { RANGE_DAYS_MAX } from '../../limits.ts'
import { range, withinRange } from '../../reports/request-schema.ts'
import { strictObject } from '../../schemas/strict-object.ts'
import { defineEndpoint } from '../endpoint.ts'
import { SiteParams } from '../schemas/params.ts'
import { Quality, single } from '../schemas/resources.ts'

export const getQuality = defineEndpoint({
  operation: 'getQuality',
  tag: 'Discovery',
  method: 'GET',
  path: '/v1/sites/{site_id}/quality',
  access: 'read',
  summary: 'What the measurement of a site can carry',
  description:
    'Each number with a grade: `exploratory` for a first look, `directional` for a tendency, `decision` for a decision. `grade` is the least of them. Days are UTC; `end_date` is at most 92 days after `start_date`.',
  params: SiteParams,
  query: v.pipe(
    strictObject({ start_date: range.start_date, end_date: range.end_date }),
    withinRange(RANGE_DAYS_MAX.answers),
  ),
  readsLake: true,
  response: single(Quality),
  example: {
    query: { start_date: '2026-10-26', end_date: '2026-11-20' },
    response: {
      data: {
        grade: 'directional',
        prompts: { value: 40, grade: 'decision' },
        answers_per_cell_week: { value: 7, grade: 'decision' },
        categories: { value: 4, grade: 'decision' },
        days: { value: 0.95, grade: 'decision' },
        engines: { value: 3, grade: 'decision' },
        reproducibility: { agreement: 0.84, noise_floor: 0.06, grade: 'directional' },
      },
    },
  },
  handle: async ({ app, getSite, work }, { params, query }) => ({
    data: await app.measureQuality(getSite(params.site_id).id, query, work),
  }),
})
