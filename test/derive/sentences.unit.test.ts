import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createMentionMatcher } from '../../src/derive/mentions.ts'

/** Brands whose names are words: their case counts. */
const EXACT = new Set(['Apple', 'Grab', 'LINE', 'Linear', 'Monday', 'Notion', 'Slack', 'Zoom'])

/** A verb at the start of a sentence is written like the name, and a genitive without an apostrophe like another word. */
const MISSED = ['Grab a coffee before you start.', 'Mit HubSpots Vorlagen geht es schneller.']

const file = readFileSync(new URL('cases/sentences.txt', import.meta.url), 'utf8')
const sentences = file
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [, language = '', named = '', text = ''] = /^(\S+) \| (.*?) ?\| (.*)$/.exec(line) ?? []
    return { language, text, named: named === '' ? [] : named.split(', ') }
  })
const names = [...new Set(sentences.flatMap(({ named }) => named))]
const matcher = createMentionMatcher(
  names.map((name, brandNo) => ({ brandNo, spellings: [name], exact: EXACT.has(name) ? [name] : [] })),
)

test('the sentences are of many brands and languages', () => {
  expect(sentences.length).toBeGreaterThanOrEqual(150)
  expect(names.length).toBeGreaterThanOrEqual(30)
  expect(new Set(sentences.map(({ language }) => language)).size).toBeGreaterThanOrEqual(10)
})

test('names the brands that a reader finds, but for what only meaning tells', () => {
  const wrong = sentences.filter(
    ({ text, named }) =>
      matcher
        .find(text)
        .map((brandNo) => names[brandNo])
        .join() !== named.join(),
  )
  expect(wrong.map(({ text }) => text)).toEqual(MISSED)
})
