import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAnswers } from '../support/oracle/answers.ts'
import { expectChanges } from '../support/oracle/changes.ts'
import { expectCitations } from '../support/oracle/citations.ts'
import { expectSentiment } from '../support/oracle/sentiment.ts'
import { readTruth, type Truth } from '../support/oracle/truth.ts'
import { expectVisibility } from '../support/oracle/visibility.ts'
import { makeMoreRecords, makeWorld } from '../support/oracle/world.ts'
import { USUAL_ANSWER_FIELDS } from '../../src/reports/answers/contract.ts'
import { CITATION_METRICS } from '../../src/reports/citations/contract.ts'
import { USUAL_VISIBILITY_METRICS } from '../../src/reports/visibility/contract.ts'
import { expectReport, findDifference, withoutMadeId } from './support/compare.ts'
import { type ReportBody, type ServedWorld, serveWorld } from './support/served-world.ts'

const world = makeWorld('walks', { share: 0.08 })
const range = { site_id: world.site.id, start_date: '2026-08-26', end_date: '2026-10-04' }
const visibility = {
  ...range,
  group_by: ['date', 'platform'],
  metrics: USUAL_VISIBILITY_METRICS,
  brands: 'all',
  limit: 100,
} as const
const citations = { ...range, entity: 'page', group_by: ['platform'], metrics: CITATION_METRICS, limit: 100 } as const
const sentiment = { ...range, group_by: ['prompt', 'date'], limit: 40 } as const
const changes = {
  ...range,
  start_date: '2026-09-15',
  compare_start_date: '2026-08-26',
  compare_end_date: '2026-09-14',
  metric: 'mention_rate',
  group_by: ['prompt', 'platform'],
  brands: 'all',
  limit: 100,
} as const
const answers = { ...range, include: USUAL_ANSWER_FIELDS, limit: 50 } as const
const WALKS = [
  {
    path: '/v1/reports/visibility',
    asked: visibility,
    limitMax: 100,
    expectRows: (truth: Truth) => expectVisibility(truth, visibility),
  },
  {
    path: '/v1/reports/citations',
    asked: citations,
    limitMax: 100,
    expectRows: (truth: Truth) => expectCitations(truth, citations),
  },
  {
    path: '/v1/reports/sentiment',
    asked: sentiment,
    limitMax: 100,
    expectRows: (truth: Truth) => expectSentiment(truth, sentiment),
  },
  {
    path: '/v1/reports/changes',
    asked: changes,
    limitMax: 100,
    expectRows: (truth: Truth) => expectChanges(truth, changes).rows,
  },
  { path: '/v1/answers', asked: answers, limitMax: 50, expectRows: (truth: Truth) => expectAnswers(truth, answers) },
] as const

let served: ServedWorld
/** Grows with every import of a test. */
let imports = world.imports
beforeAll(async () => {
  served = await serveWorld(world)
})
afterAll(() => served.close())

async function importMore(name: string): Promise<void> {
  const files = [makeMoreRecords(name, world.days, 25)]
  await served.import(files)
  imports = [...imports, files]
}

async function ask(path: string, body: object): Promise<ReportBody> {
  const reply = await served.ask(path, body)
  expect(reply).toMatchObject({ status: 200 })
  return reply.body
}

describe('a walk while imports commit in between', () => {
  it('gives each row of its snapshot once, in order, and the same total on every page', async () => {
    const before = readTruth(world, imports)
    const walks = WALKS.map((walk) => ({ ...walk, rows: [] as unknown[], totals: new Set<number>(), cursor: '' }))
    for (let round = 0; walks.some(({ cursor }) => cursor !== 'done'); round++) {
      for (const walk of walks) {
        if (walk.cursor === 'done') continue
        const { info, data } = await ask(walk.path, {
          ...walk.asked,
          ...(walk.cursor !== '' && { cursor: walk.cursor }),
        })
        walk.rows.push(...data.map(withoutMadeId))
        walk.totals.add(info.total_results)
        walk.cursor = info.next_cursor ?? 'done'
      }
      if (round < 3) await importMore(`between-${round}`)
    }
    for (const { path, asked, rows, totals, expectRows } of walks) {
      const expected = expectRows(before)
      expect([...totals], path).toEqual([expected.length])
      expect(expected.length, `${path} has several pages`).toBeGreaterThan(2 * asked.limit)
      expect(findDifference(rows, expected, path)).toBeUndefined()
    }
  })

  it('is followed by one that sees what was imported', async () => {
    const after = readTruth(world, imports)
    for (const { path, asked, limitMax, expectRows } of WALKS) {
      const info = asked === changes ? expectChanges(after, changes).info : {}
      await expectReport(served, path, { asked, body: asked, limitMax }, expectRows(after), info)
    }
  })
})

describe('a walk', () => {
  it('may change its limit from page to page and read a page again', async () => {
    const expected = expectCitations(readTruth(world, imports), citations)
    const rows: unknown[] = []
    let cursor: string | null = null
    for (const limit of [1, 100, 3, 17, 100, 2]) {
      const body: object = { ...citations, limit, ...(cursor !== null && { cursor }) }
      const { info, data } = await ask('/v1/reports/citations', body)
      expect((await ask('/v1/reports/citations', body)).data).toEqual(data)
      rows.push(...data)
      cursor = info.next_cursor
    }
    expect(findDifference(rows, expected.slice(0, 223), 'rows')).toBeUndefined()
  })

  it('goes on when a default is written out or left out', async () => {
    const { metrics: _, entity: __, ...short } = { ...citations, entity: 'domain', limit: 5 }
    const written = { ...citations, entity: 'domain', limit: 5 }
    const first = await ask('/v1/reports/citations', short)
    const second = await ask('/v1/reports/citations', { ...written, cursor: first.info.next_cursor })
    const third = await ask('/v1/reports/citations', { ...short, cursor: second.info.next_cursor })
    const whole = await ask('/v1/reports/citations', { ...short, limit: 15 })
    expect([...first.data, ...second.data, ...third.data]).toEqual(whole.data)

    const sorted = { ...visibility, brands: undefined, limit: 5, sort: { field: 'answers' } }
    const { info } = await ask('/v1/reports/visibility', sorted)
    const goesOn = { ...sorted, brands: 'owned', sort: { dir: 'desc', field: 'answers' }, cursor: info.next_cursor }
    expect((await served.ask('/v1/reports/visibility', goesOn)).status).toBe(200)
  })
})

describe('410 cursor_expired', () => {
  const competitorId = (name: string): string => served.app.catalog.competitors.get(world.site.id, name).id
  const changes: readonly [what: string, change: () => unknown][] = [
    ['a category', () => served.app.catalog.prompts.update(world.site.id, [{ id: 'brand', category: 'Pricing' }])],
    [
      "a competitor's name",
      () => served.app.catalog.competitors.set(world.site.id, competitorId('Zeta 3'), { name: 'Zeta 4' }),
    ],
    [
      "a competitor's domains",
      () => served.app.catalog.competitors.set(world.site.id, competitorId('Zeta 4'), { domains: ['zeta.example'] }),
    ],
    [
      "a competitor's confirmation",
      () => served.app.catalog.competitors.confirm(world.site.id, competitorId('Upstart')),
    ],
    [
      "a competitor's confirmation taken back",
      () => served.app.catalog.competitors.unconfirm(world.site.id, competitorId('Upstart')),
    ],
    ['a confirmed competitor more', () => served.app.catalog.competitors.add(world.site.id, { name: 'Omega' })],
    ['a competitor less', () => served.app.catalog.competitors.remove(world.site.id, competitorId('Omega'))],
    ["the site's domain", () => served.app.catalog.sites.set(world.site.id, { domain: 'acme.co.uk' })],
    ["the site's domain as before", () => served.app.catalog.sites.set(world.site.id, { domain: world.site.domain })],
  ]

  it('ends every walk when what is decided changes in between', async () => {
    for (const [what, change] of changes) {
      const cursors = await startWalks()
      change()
      expect(await continueWalks(cursors), what).toEqual(WALKS.map(() => '410 cursor_expired'))
    }
  })

  it('does not end one when something changes that no report shows', async () => {
    const cursors = await startWalks()
    served.app.catalog.prompts.setStatus(world.site.id, ['alt'], 'disabled')
    served.app.catalog.competitors.add(world.site.id, { name: 'Unconfirmed One', confirmed: false })
    served.app.catalog.sites.set(world.site.id, { platforms: ['chatgpt'] })
    expect(await continueWalks(cursors)).toEqual(WALKS.map(() => '200'))
  })

  it('ends a walk when its snapshot was replaced longer ago than the grace, and not a moment before', async () => {
    const cursors = await startWalks()
    served.clock.nowMs += 5 * 86_400_000
    expect(await continueWalks(cursors), 'nothing has replaced it').toEqual(WALKS.map(() => '200'))
    await importMore('replaces')
    served.clock.nowMs += 3_600_000
    expect(await continueWalks(cursors), 'an hour later').toEqual(WALKS.map(() => '200'))
    served.clock.nowMs += 1
    expect(await continueWalks(cursors), 'more than an hour later').toEqual(WALKS.map(() => '410 cursor_expired'))
  })
})

async function startWalks(): Promise<string[]> {
  const pages = await Promise.all(WALKS.map(({ path, asked }) => ask(path, { ...asked, limit: 2 })))
  return pages.map(({ info }) => info.next_cursor!)
}

async function continueWalks(cursors: readonly string[]): Promise<string[]> {
  const replies = await Promise.all(
    WALKS.map(({ path, asked }, index) => served.ask(path, { ...asked, cursor: cursors[index] })),
  )
  return replies.map(({ status, body }) => (body.error ? `${status} ${body.error.code}` : `${status}`))
}
