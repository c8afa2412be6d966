import { describe, expect, it } from 'vitest'
import type { Schemas } from '../../../src/client/client.ts'
import { createBrandMarker } from '../../../src/dashboard/answer-text/brand-names.ts'
import { pickSentences, pickVaried } from '../../../src/dashboard/views/answers/quotes.ts'
import { readShown, toEngineLines, toToneLines } from '../../../src/dashboard/views/tone/lines.ts'

const DAYS = ['2026-11-13', '2026-11-14', '2026-11-15']
const row = (date: string, more: Partial<Schemas['SentimentRow']> = {}): Schemas['SentimentRow'] => ({
  date,
  positive: 0.5,
  neutral: 0.25,
  negative: 0.25,
  negative_low: 0.1,
  negative_high: 0.5,
  answers_mentioning: 8,
  answers: 20,
  ...more,
})

describe('the lines of the tone', () => {
  it('are the shares as the service gives them, with their intervals and counts', () => {
    const [negative, neutral, positive] = toToneLines([row(DAYS[0]!)], DAYS)
    expect(negative).toEqual({
      name: 'Negative',
      values: [0.25, null, null],
      low: [0.1, null, null],
      high: [0.5, null, null],
      counts: [8, null, null],
    })
    expect([neutral?.name, neutral?.values[0], positive?.values[0]]).toEqual(['Neutral or not judged', 0.25, 0.5])
    expect(positive?.low).toEqual([null, null, null])
  })

  it('have a gap on a day whose answers name somebody else, never 0', () => {
    const silent = row(DAYS[1]!, { positive: 0, neutral: 0, negative: 0, answers_mentioning: 0 })
    expect(toToneLines([silent], DAYS)[0]?.values).toEqual([null, null, null])
  })

  it('are one an engine that has answers, in the order of the engines', () => {
    const rows = [row(DAYS[0]!, { platform: 'claude', negative: 0.75 }), row(DAYS[2]!, { platform: 'chatgpt' })]
    expect(toEngineLines(rows, DAYS, 'negative').map(({ name, values }) => [name, values])).toEqual([
      ['ChatGPT', [null, null, 0.25]],
      ['Claude', [0.75, null, null]],
    ])
    expect(readShown('neutral')).toBe('all')
  })
})

describe('the quoted answers', () => {
  const answer = (id: string, prompt: string): Schemas['Answer'] => ({ id, prompt: { id: prompt, text: '' } })
  const answers = [answer('a', 'p'), answer('b', 'p'), answer('c', 'p'), answer('d', 'q')]

  it('are of different prompts where there are some, in their order', () => {
    const pick = (count: number): string[] => pickVaried(answers, count).map(({ id }) => id)
    expect([pick(1), pick(2), pick(3), pick(9)]).toEqual([['a'], ['a', 'd'], ['a', 'b', 'd'], ['a', 'b', 'c', 'd']])
    expect(pickVaried([], 3)).toEqual([])
  })
})

describe('a quote', () => {
  const mark = createBrandMarker([
    { spelling: 'Acme', isOwn: true },
    { spelling: 'Globex', isOwn: false },
  ])
  const quote = (text: string): string[] => pickSentences(text, mark, ({ isOwn }) => isOwn)

  it('is the first sentences that name the brand, without the signs of lists and tables', () => {
    expect(quote('Intro. Globex leads.\n\n- **Acme** costs $19.50 a month! It is slow.\n| Acme | slow |')).toEqual([
      '**Acme** costs $19.50 a month!',
      'Acme | slow',
    ])
    expect(quote('他社。Acmeは高い。')).toEqual(['Acmeは高い。'])
  })

  it('is the first sentence where only another spelling is used, and nothing of nothing', () => {
    expect(quote('Known as the A-brand. More.')).toEqual(['Known as the A-brand.'])
    expect(quote(' \n ')).toEqual([])
  })

  it('is cut around the name, in a time that grows with the text', () => {
    const [cut = ''] = quote(`${'x '.repeat(1000)}Acme${' y'.repeat(1000)}`)
    expect(cut).toMatch(/^….*Acme.*…$/)
    expect(cut.length).toBeLessThan(330)
    const start = performance.now()
    for (const text of [`a${' '.repeat(200_000)}b`, '. '.repeat(100_000), 'Acme'.repeat(50_000)]) quote(text)
    expect(performance.now() - start).toBeLessThan(3000)
  })
})
