import { expect, test } from 'vitest'
import { measureAgreement } from '../../../src/collect/judge/agreement.ts'
import type { Sentiment } from '../../../src/domain/enums.ts'
import { listLabelledAnswers } from '../../../src/reference/labelled-answers.ts'

const LABELLED = listLabelledAnswers()

test('holds every class, language and kind apart, and counts nothing that was not judged', () => {
  const [first] = LABELLED
  const example = (id: string, language: string, sentiment: Sentiment, kind: string) => ({
    ...first!,
    id,
    language,
    sentiment,
    kind,
  })
  const examples = [
    example('1', 'en', 'positive', 'plain'),
    example('2', 'en', 'negative', 'irony'),
    example('3', 'de', 'negative', 'plain'),
    example('4', 'de', 'neutral', 'list'),
    example('5', 'de', 'neutral', 'list'),
  ]
  const report = measureAgreement(
    examples,
    new Map<string, Sentiment>([
      ['1', 'positive'],
      ['2', 'positive'],
      ['3', 'negative'],
      ['4', 'neutral'],
    ]),
  )
  expect(report.all).toMatchObject({ examples: 4, agreed: 3, accuracy: 0.75 })
  // By hand: 3 of 4 agree, (2 + 1 + 2) / 16 by chance.
  expect(report.all.kappa).toBeCloseTo((0.75 - 5 / 16) / (1 - 5 / 16), 15)
  expect(report.confusion).toEqual([
    [1, 0, 0],
    [0, 1, 0],
    [1, 0, 1],
  ])
  expect(report.by_sentiment.map(({ name, precision, recall }) => [name, precision, recall])).toEqual([
    ['positive', 0.5, 1],
    ['neutral', 1, 1],
    ['negative', 1, 0.5],
  ])
  expect(report.by_language.map(({ name, examples: count, agreed }) => [name, count, agreed])).toEqual([
    ['en', 2, 1],
    ['de', 2, 2],
  ])
  expect(report.by_kind.map(({ name, accuracy }) => [name, accuracy])).toEqual([
    ['plain', 1],
    ['irony', 0],
    ['list', 1],
  ])
  expect(report.disagreements).toMatchObject([{ id: '2', label: 'negative', judged: 'positive' }])
})

test('a judge without a judgement has no figures', () => {
  const { all, by_language, disagreements } = measureAgreement(LABELLED, new Map())
  expect(all).toEqual({
    name: 'all',
    examples: 0,
    agreed: 0,
    accuracy: null,
    accuracy_interval: null,
    kappa: null,
    kappa_interval: null,
  })
  expect([by_language, disagreements]).toEqual([[], []])
})

test('one who says what the labels say agrees in full', () => {
  const { all } = measureAgreement(LABELLED, new Map(LABELLED.map(({ id, sentiment }) => [id, sentiment])))
  expect(all).toMatchObject({ examples: LABELLED.length, accuracy: 1, kappa: 1, kappa_interval: null })
})
