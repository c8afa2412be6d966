import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schemas } from '../../../src/client/client.ts'
import { cutText } from '../../../src/dashboard/views/answers/cut-text.ts'
import { readPlace, toPlace, writePlace } from '../../../src/dashboard/views/answers/permalink.ts'
import { countTone, narrow, toListQuestion, toNarrowing } from '../../../src/dashboard/views/answers/questions.ts'
import { isPlain, isWanted, readWanted, toTone } from '../../../src/dashboard/views/answers/wanted.ts'
import { parseUrl, toUrl } from '../../../src/dashboard/url-state.ts'

const RANGE = { start_date: '2026-10-19', end_date: '2026-11-15' }
const stateOf = (search: string) => parseUrl({ pathname: '/sites/acme.com/answers', search })!
const asking = (search: string) => ({ state: stateOf(search), site: { id: 'site_1' }, range: RANGE })
const narrowing = (search: string) => toNarrowing(asking(search), readWanted(stateOf(search)))

describe('a link to an answer', () => {
  it('comes back from a URL as it went in, whatever the ids', () => {
    const id = fc.stringMatching(/^[\w.-]{1,64}$/)
    fc.assert(
      fc.property(id, id, (prompt, answer) => {
        const place = { date: '2026-11-15', platform: 'chatgpt', prompt, id: answer } as const
        const url = new URL(toUrl({ ...stateOf(''), more: { answer: writePlace(place) } }), 'http://127.0.0.1')
        expect(readPlace(parseUrl(url)?.more['answer'])).toEqual(place)
      }),
    )
  })

  it.each(['', 'ans_1', '2026-11-15,chatgpt,prm_1', '2026-11-15,bard,prm_1,ans_1', '2026-13-45,chatgpt,prm_1,ans_1'])(
    'is none when it says %j',
    (text) => expect(readPlace(text)).toBeUndefined(),
  )

  it('needs day, engine and prompt', () => {
    expect(toPlace({ id: 'a', date: '2026-11-15', platform: 'claude' })).toBeUndefined()
  })
})

describe('what is wanted', () => {
  it('is what the URL says, and what it says wrongly is passed over', () => {
    expect(readWanted(stateOf('?named=maybe&tone=toString&domain=reddit.com&prompt=prm_1&brand=Globex'))).toEqual({
      named: '',
      tone: '',
      domain: 'reddit.com',
      prompt: 'prm_1',
      brand: 'Globex',
    })
  })

  it('is left to the service where it knows it: days, engines, a prompt', () => {
    const plain = (search: string): boolean => isPlain(stateOf(search), readWanted(stateOf(search)))
    expect(['', '?engine=claude', '?prompt=prm_1'].map(plain)).toEqual([true, true, true])
    expect(['?category=Brand', '?named=no', '?tone=negative', '?brand=X', '?domain=x.y'].map(plain)).not.toContain(true)
  })

  it('tells an answer that nobody judged from a neutral one, and both from one that names somebody else', () => {
    expect(toTone({ id: 'a', brand_mentioned: true, sentiment: null })).toBe('not_judged')
    expect(toTone({ id: 'a', brand_mentioned: true, sentiment: 'neutral' })).toBe('neutral')
    expect(toTone({ id: 'a', brand_mentioned: false, sentiment: null })).toBeUndefined()
  })

  it('is chosen by everything at once', () => {
    const answer: Schemas['Answer'] = {
      id: 'a',
      brand_mentioned: true,
      sentiment: 'negative',
      mentions: ['Acme', 'Globex'],
      citations: [{ url: 'https://x.y/', domain: 'x.y', title: '', position: 1, own_site: false }],
    }
    const wants = (search: string): boolean => isWanted(answer, readWanted(stateOf(search)))
    expect(wants('?named=yes&tone=negative&brand=Globex&domain=x.y')).toBe(true)
    expect(['?named=no', '?tone=not_judged', '?brand=Glob', '?domain=y'].map(wants)).not.toContain(true)
  })
})

describe('the questions', () => {
  it('ask a report which prompts have such answers, with the filters of the bar', () => {
    expect(narrowing('')?.question.body).toEqual({
      site_id: 'site_1',
      ...RANGE,
      group_by: ['prompt'],
      metrics: ['answers', 'named_answers'],
    })
    expect(narrowing('?domain=reddit.com&engine=claude')?.question).toMatchObject({
      path: '/reports/citations',
      body: {
        filter: {
          and: [
            { field: 'platform', op: 'in', value: ['claude'] },
            { field: 'domain', op: 'is', value: 'reddit.com' },
          ],
        },
      },
    })
    expect(narrowing('?brand=Globex')?.question).toMatchObject({ body: { brands: ['Globex'] } })
    expect(narrowing('?tone=negative')?.question.path).toBe('/reports/sentiment')
    expect(narrowing('?tone=negative&prompt=prm_1')).toBeUndefined()
  })

  it('take the prompts with most of them, and say how many are left', () => {
    const rows = Array.from({ length: 120 }, (_, index) => ({
      prompt: { id: `p${index}`, text: '' },
      answers: 10,
      named_answers: index < 110 ? index % 7 : 0,
    }))
    const { promptIds, prompts, answers } = narrow(rows, narrowing('?named=yes')!)
    expect([promptIds.length, prompts]).toEqual([94, 94])
    expect(answers).toBe(rows.reduce((sum, { named_answers }) => sum + named_answers, 0))
    expect(narrow(rows, narrowing('?named=no')!)).toMatchObject({ prompts: 120, promptIds: { length: 100 } })
    expect(narrow(rows, narrowing('?named=no')!).promptIds[0]).toBe('p0')
  })

  it('ask for what choosing needs and no more', () => {
    const ask = (search: string) => toListQuestion(asking(search), readWanted(stateOf(search)), undefined).body
    expect(ask('?engine=claude')).toMatchObject({
      platforms: ['claude'],
      include: ['date', 'platform', 'prompt', 'brand_mentioned', 'sentiment'],
    })
    expect(ask('?domain=x.y')).toMatchObject({ include: { 5: 'citations' } })
  })

  it('keep apart what nobody judged, which the report counts as neutral', () => {
    const row = {
      answers_mentioning: 10,
      positive_answers: 3,
      neutral_answers: 6,
      negative_answers: 1,
      judged_answers: 5,
    }
    expect(countTone(row)).toEqual({ positive: 3, neutral: 1, not_judged: 5, negative: 1 })
  })
})

describe('a long answer', () => {
  it('is cut between words where it has some', () => {
    expect(cutText('a b')).toBe('a b')
    expect(cutText('word '.repeat(10_000))).toMatch(/^(word )+word$/)
    expect(cutText('x'.repeat(200_000))).toHaveLength(20_000)
  })
})
