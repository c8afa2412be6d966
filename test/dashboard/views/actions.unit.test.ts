import { describe, expect, it } from 'vitest'
import type { Schemas } from '../../../src/client/client.ts'
import { toPieces } from '../../../src/dashboard/views/actions/evidence.ts'
import { parseUrl } from '../../../src/dashboard/url-state.ts'

describe('the reason of a card', () => {
  const state = parseUrl({ pathname: '/sites/acme.com/actions', search: '?card=act_1&status=done' })!
  const card: Schemas['ActionCard'] = {
    id: 'act_1',
    title: 'Title',
    why: '',
    detail: '',
    category: 'content',
    impact: 'High',
    effort: 'low',
    target_metric: 'mention',
    kind: 'one_off',
    cadence: null,
    period: null,
    status: 'open',
    target_prompts: [
      { id: 'p1', text: 'One' },
      { id: 'p2', text: 'Two' },
    ],
    target_platforms: ['gemini'],
    target_url: 'https://acme.com/docs/api%20x',
    created_at: '2026-11-01T00:00:00.000Z',
    outcome: null,
  }
  const links = (why: string, changed: Partial<Schemas['ActionCard']> = {}) => {
    const pieces = toPieces(why, { ...card, ...changed }, state, 7)
    expect(pieces.map(({ text }) => text).join('')).toBe(why)
    return pieces.flatMap(({ text, href }) => (href === undefined ? [] : [[text, href]]))
  }

  it('leads from its counts to the report with engine and days', () => {
    expect(links('In the 28 days to 2026-10-18, Gemini named Acme in 174 of 703 answers (19–32 %).')).toEqual([
      [
        '174 of 703 answers',
        '/sites/acme.com/visibility?from=2026-09-21&to=2026-10-18&engine=gemini&metric=mention_rate',
      ],
    ])
  })

  it('knows the days of each count where they stand behind it', () => {
    const why =
      'Cited in 117 of 4,779 answers in the 28 days to 2026-10-18, and in 0 of 4,668 answers in the 28 days to 2026-11-15.'
    expect(links(why, { target_metric: 'citation' }).map(([, href]) => href)).toEqual([
      '/sites/acme.com/sources?from=2026-09-21&to=2026-10-18&engine=gemini&entity=page&find=acme.com',
      '/sites/acme.com/sources?from=2026-10-19&to=2026-11-15&engine=gemini&entity=page&find=acme.com',
    ])
  })

  it('keeps categories apart, and takes all engines for no filter', () => {
    const why =
      'In the 28 days to 2026-11-15, Acme was named for 3 of 10 How-to prompts (11–60 %) in 740 answers, for 11 of 11 Comparison prompts (74–100 %) in 893.'
    const engines: Schemas['ActionCard']['target_platforms'] = [
      'ai_overviews',
      'ai_mode',
      'chatgpt',
      'perplexity',
      'gemini',
      'copilot',
      'claude',
    ]
    expect(links(why, { target_metric: 'coverage', target_platforms: engines })).toEqual([
      [
        '3 of 10 How-to prompts',
        '/sites/acme.com/visibility?from=2026-10-19&to=2026-11-15&category=How-to&metric=prompt_coverage',
      ],
      [
        '11 of 11 Comparison prompts',
        '/sites/acme.com/visibility?from=2026-10-19&to=2026-11-15&category=Comparison&metric=prompt_coverage',
      ],
    ])
  })

  it('leads to the crawlers from hits and days of the log, with the path as the log has it', () => {
    const why =
      'In the 28 days to 2026-11-15, 119 of 138 hits of crawlers on this page ended in an error; PerplexityBot came on 0 of 28 days.'
    expect(links(why, { category: 'technical' })).toEqual([
      ['119 of 138 hits', '/sites/acme.com/crawlers?from=2026-10-19&to=2026-11-15&path=%2Fdocs%2Fapi%2520x'],
      ['0 of 28 days', '/sites/acme.com/crawlers?from=2026-10-19&to=2026-11-15'],
    ])
  })

  it('leads to the answers of a single prompt, the negative ones of a bad tone', () => {
    const one = { target_prompts: [{ id: 'p1', text: 'One' }] }
    expect(links('In the 28 days to 2026-11-15, 0 of 74 answers.', one)[0]?.[1]).toBe(
      '/sites/acme.com/answers?from=2026-10-19&to=2026-11-15&engine=gemini&prompt=p1',
    )
    expect(
      links('In the 28 days to 2026-11-15, 46 of 62 judged answers to this prompt.', {
        ...one,
        category: 'reviews',
      })[0]?.[1],
    ).toBe('/sites/acme.com/answers?from=2026-10-19&to=2026-11-15&engine=gemini&prompt=p1&tone=negative')
  })
})
