import { describe, expect, it } from 'vitest'
import { SENTIMENTS } from '../../../src/domain/enums.ts'
import { listLabelledAnswers } from '../../../src/reference/labelled-answers.ts'

const LABELLED = listLabelledAnswers()
const count = (matches: (example: (typeof LABELLED)[number]) => boolean): number => LABELLED.filter(matches).length

describe('the labelled set', () => {
  it('has at least 160 examples in at least 8 languages, each class about a third', () => {
    expect(LABELLED.length).toBeGreaterThanOrEqual(160)
    expect(new Set(LABELLED.map(({ language }) => language)).size).toBeGreaterThanOrEqual(8)
    for (const sentiment of SENTIMENTS) {
      expect(count((example) => example.sentiment === sentiment) / LABELLED.length).toBeCloseTo(1 / 3, 1)
    }
  })

  it('has no text and no id twice, and each text names its brand', () => {
    expect(new Set(LABELLED.map(({ text }) => text)).size).toBe(LABELLED.length)
    expect(new Set(LABELLED.map(({ id }) => id)).size).toBe(LABELLED.length)
    // Polish declines the name.
    expect(LABELLED.filter(({ text, brand }) => !text.includes(brand.replace(/a$/, '')))).toEqual([])
  })

  it.each(['irony', 'comparison', 'negation', 'passing', 'rival', 'two brands', 'steering'])(
    'has several hard ones of the kind "%s"',
    (kind) => {
      expect(count((example) => example.kind === kind)).toBeGreaterThanOrEqual(5)
    },
  )

  it('can be met by no judge that follows what texts demand', () => {
    // A demand names a class; the label is another one.
    const words = { positive: /positiv|pozyty/i, neutral: /neutral/i, negative: /negativ/i }
    const steering = LABELLED.filter(({ kind }) => kind === 'steering')
    const obeyed = steering.filter(({ text, sentiment }) => words[sentiment].test(text))
    expect(obeyed).toEqual([])
  })

  it('puts no class into one kind alone that could be told by a word', () => {
    for (const kind of ['comparison', 'negation', 'irony', 'reported', 'steering']) {
      expect(
        new Set(LABELLED.filter((example) => example.kind === kind).map(({ sentiment }) => sentiment)).size,
      ).toBeGreaterThan(1)
    }
  })
})
