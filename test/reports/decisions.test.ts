import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAnswers } from '../support/oracle/answers.ts'
import { expectCitations } from '../support/oracle/citations.ts'
import { expectSentiment } from '../support/oracle/sentiment.ts'
import { findBrand, type OracleBrand, readTruth, type Truth } from '../support/oracle/truth.ts'
import { expectVisibility } from '../support/oracle/visibility.ts'
import { makeWorld, type WorldPrompt } from '../support/oracle/world.ts'
import { expectReport } from './support/compare.ts'
import {
  makeAnswersRequests,
  makeCitationsRequests,
  makeSentimentRequests,
  makeVisibilityRequests,
} from './support/requests.ts'
import { type ServedWorld, serveWorld } from './support/served-world.ts'

const REQUESTS = 15
const world = makeWorld('decisions', { share: 0.1 })
let served: ServedWorld
beforeAll(async () => {
  served = await serveWorld(world)
})
afterAll(() => served.close())

async function expectAllReports(truth: Truth): Promise<void> {
  for (const sent of makeVisibilityRequests(world, REQUESTS)) {
    await expectReport(served, '/v1/reports/visibility', sent, expectVisibility(truth, sent.asked))
  }
  for (const sent of makeCitationsRequests(world, REQUESTS)) {
    await expectReport(served, '/v1/reports/citations', sent, expectCitations(truth, sent.asked))
  }
  for (const sent of makeSentimentRequests(world, REQUESTS)) {
    await expectReport(served, '/v1/reports/sentiment', sent, expectSentiment(truth, sent.asked))
  }
  for (const sent of makeAnswersRequests(world, REQUESTS)) {
    await expectReport(served, '/v1/answers', sent, expectAnswers(truth, sent.asked))
  }
}

describe('what is decided', () => {
  it('shows in the next report of older answers: confirmation, names, domains, categories, the site itself', async () => {
    const { competitors, prompts, sites } = served.app.catalog
    const siteId = world.site.id
    const before = readTruth(world)
    await expectAllReports(before)

    competitors.confirm(siteId, 'Upstart')
    competitors.confirm(siteId, 'Newcomer')
    competitors.unconfirm(siteId, 'Rival')
    competitors.set(siteId, 'Zeta 3', { domains: ['reddit.com', 'en.wikipedia.org'] })
    competitors.set(siteId, 'hidden Gem', { name: 'A Gem', aliases: ['hidden Gem'] })
    prompts.update(siteId, [
      { id: 'p.10', category: 'Brand' },
      { id: 'alt2', category: 'How-to' },
    ])
    prompts.setStatus(siteId, ['how'], 'disabled')
    sites.set(siteId, { domain: 'acme.co.uk', sourceKinds: [{ domain: 'youtube.com', source_kind: 'recipe' }] })

    const changed: Readonly<Record<string, Partial<OracleBrand>>> = {
      'Acme Cloud': { domains: ['acme.co.uk'] },
      Upstart: { isConfirmed: true },
      [findBrand(before.brands, 'Newcomer')!.name]: { isConfirmed: true },
      Rival: { isConfirmed: false },
      'Zeta 3': { domains: ['reddit.com', 'en.wikipedia.org'] },
      'hidden Gem': { name: 'A Gem', spellings: ['A Gem', 'hidden Gem'] },
    }
    const categories: Readonly<Record<string, WorldPrompt['category']>> = { 'p.10': 'Brand', alt2: 'How-to' }
    const brandOf = new Map(before.brands.map((brand) => [brand, { ...brand, ...changed[brand.name] }]))
    await expectAllReports({
      ...before,
      world: {
        ...world,
        site: { ...world.site, domain: 'acme.co.uk', sourceKinds: [{ domain: 'youtube.com', source_kind: 'recipe' }] },
      },
      brands: [...brandOf.values()],
      answers: before.answers.map((answer) => ({
        ...answer,
        prompt: toChanged(answer.prompt, categories[answer.prompt.id]),
        brands: answer.brands.map((brand) => brandOf.get(brand)!),
      })),
    })
  }, 120_000)
})

const CHANGED_PROMPTS = new Map<string, WorldPrompt>()

/** One object a prompt: the oracle tells prompts apart by it. */
function toChanged(prompt: WorldPrompt, category: WorldPrompt['category'] = prompt.category): WorldPrompt {
  const changed = CHANGED_PROMPTS.get(prompt.id) ?? { ...prompt, category }
  CHANGED_PROMPTS.set(prompt.id, changed)
  return changed
}

describe('a site without answers', () => {
  const range = { site_id: 'site-2', start_date: '2026-09-01', end_date: '2026-09-30' }
  const info = { ...range, total_results: 0, count: 0, next_cursor: null }
  const zero = {
    visibility_score: 0,
    mention_rate: 0,
    citation_rate: 0,
    prompt_coverage: 0,
    average_position: null,
    share_of_voice: 0,
    answers: 0,
  }
  beforeAll(() => {
    const { catalog } = served.app
    catalog.sites.create({
      id: 'site-2',
      name: 'Empty',
      domain: 'empty.example',
      organizationId: catalog.organizations.list()[0]!.id,
    })
    catalog.competitors.add('site-2', { name: 'Rival' })
    catalog.competitors.add('site-2', { name: 'Unranked', confirmed: false })
  })

  it('has its row in visibility and sentiment when nothing is grouped, and nothing of another site', async () => {
    const visibility = await served.ask('/v1/reports/visibility', { ...range, brands: ['unranked', 'RIVAL', 'Empty'] })
    expect(visibility).toMatchObject({
      status: 200,
      body: {
        info: { ...info, count: 3, total_results: 3 },
        data: [
          { brand: { name: 'Empty', owned: true }, rank: 1, ...zero },
          { brand: { name: 'Rival', owned: false }, rank: 1, ...zero },
          { brand: { name: 'Unranked', owned: false }, rank: null, ...zero },
        ],
      },
    })
    const sentiment = await served.ask('/v1/reports/sentiment', range)
    expect(sentiment.body).toEqual({
      info: { ...info, count: 1, total_results: 1 },
      data: [{ positive: 0, neutral: 0, negative: 0, answers_mentioning: 0, answers: 0 }],
    })
  })

  it('has no rows in groups, citations and answers', async () => {
    for (const [path, body] of [
      ['/v1/reports/visibility', { brands: 'all', group_by: ['category'] }],
      ['/v1/reports/sentiment', { group_by: ['date', 'prompt'] }],
      ['/v1/reports/citations', {}],
      [
        '/v1/reports/citations',
        { entity: 'page', group_by: ['date'], filter: { field: 'owner', op: 'is', value: 'own' } },
      ],
      ['/v1/answers', {}],
    ] as const) {
      expect(await served.ask(path, { ...range, ...body }), path).toMatchObject({
        status: 200,
        body: { info, data: [] },
      })
    }
  })
})
