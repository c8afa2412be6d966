/**
 * Deriving facts from answers on one core: brands in MB of text a second, links in citations a second.
 * Run: `node bench/derive.ts`. Over 1,000 different answers, in portions of 100; of each portion the fastest of 50 rounds
 * counts, so that what other processes take in between doesn't.
 */
import { toMatchText } from '../src/derive/answer-text.ts'
import { foldCase, toBrandKey } from '../src/derive/brand-key.ts'
import { findCandidateNames } from '../src/derive/candidates.ts'
import { toCitation } from '../src/derive/citations.ts'
import { createMentionMatcher } from '../src/derive/mentions.ts'

const ROUNDS = 50
const ANSWERS = 1_000
const PORTION = 100
const BRANDS = 200

const SYLLABLES =
  'ac bol cor dyn ev fin gra hub in jot kal lum mon nor op pix qua riv sal tec up vex wor xer yon zen'.split(' ')
const WORDS = 'best guide review pricing compare dental practice team software small business local top'.split(' ')
const SITES = 'acme.com bolt.example en.wikipedia.org g2.com reddit.com nytimes.com acme.github.io bbc.co.uk'.split(' ')
const SENTENCES = [
  'When a small practice chooses a system for scheduling, the reminders that patients actually read matter more than a long list of features.',
  'Setup takes about an afternoon, the support answers within a day, and most reviewers say they’d choose it again.',
  'It isn’t the cheapest option, but the monthly plan (from $29) includes everything that a team of five needs.',
  'Several comparisons from this year mention a steep learning curve in the first week — after that the dashboard is easy to live with.',
  'The mobile app works offline, which is rare in this category and useful wherever the network is weak.',
]

const next = makeRandom(20_261_121)
const brands = makeBrands(BRANDS)
const matcher = createMentionMatcher(brands.map((name, brandNo) => ({ brandNo, spellings: [name, `${name} Inc`] })))
const expression = makeExpression()
const english = Array.from({ length: ANSWERS }, makeAnswer)
const urls = Array.from({ length: ANSWERS }, makeUrl)

reportText('mentions, 200 brands, English prose', english, (text) => matcher.find(text).length)
reportText('mentions, 200 brands, plain ASCII', english.map(toAscii), (text) => matcher.find(text).length)
reportText(
  'mentions, 200 brands, German prose (ß, umlauts)',
  english.map(toGerman),
  (text) => matcher.find(text).length,
)
reportText('mentions, 200 brands, with emoji', english.map(withEmoji), (text) => matcher.find(text).length)
reportText('the same by one compiled Unicode expression', english, findByExpression)
reportText('candidate names', english, (text) => findCandidateNames(text).length)
const seconds = secondsFor(urls, (url) => toCitation({ url })?.page?.length ?? 0)
console.log(`citations: ${Math.round(urls.length / seconds).toLocaleString('en')} a second`)

/** The plain way, to compare with: every spelling an alternative of one expression, the longest first. */
function findByExpression(text: string): number {
  const found = new Set<string>()
  for (const [spelling] of foldCase(toMatchText(text)).matchAll(expression)) found.add(spelling)
  return found.size
}

function makeExpression(): RegExp {
  const keys = brands.flatMap((name) => [name, `${name} Inc`]).map(toBrandKey)
  const escaped = keys.toSorted((a, b) => b.length - a.length).map((key) => key.replace(/[.+]/g, String.raw`\$&`))
  return new RegExp(String.raw`(?<![\p{L}\p{N}\p{M}])(?:${escaped.join('|')})(?![\p{L}\p{N}\p{M}])`, 'gu')
}

function reportText(what: string, texts: readonly string[], derive: (text: string) => number): void {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const found = texts.reduce((sum, text) => sum + derive(text), 0)
  const speed = (bytes / secondsFor(texts, derive) / 1e6).toFixed(0)
  const size = (bytes / texts.length / 1_000).toFixed(1)
  console.log(`${what}: ${speed} MB/s (answers of ${size} KB, ${(found / texts.length).toFixed(1)} found in each)`)
}

function secondsFor(inputs: readonly string[], derive: (input: string) => number): number {
  const portions = Array.from({ length: Math.ceil(inputs.length / PORTION) }, (_, at) =>
    inputs.slice(at * PORTION, (at + 1) * PORTION),
  )
  const fastest = portions.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, portion] of portions.entries()) {
      const start = process.hrtime.bigint()
      for (const input of portion) derive(input)
      fastest[at] = Math.min(fastest[at]!, Number(process.hrtime.bigint() - start) / 1e9)
    }
  }
  return fastest.reduce((sum, seconds) => sum + seconds, 0)
}

/** An answer of about 2 KB as engines write it: a list of products with bold names, links and markers, prose around it. */
function makeAnswer(): string {
  const items = Array.from({ length: 5 }, (_, at) => {
    const link = at % 2 === 0 ? `[${pick(SITES)}](${makeUrl()})` : `[${at + 1}][${at + 3}]`
    return `${at + 1}. **${pick(brands)}** – ${pick(SENTENCES)} ${pick(SENTENCES)} ${link}`
  })
  const closing = `If price matters most, ${pick(brands)} is the safer choice; for a larger team I’d look at ${pick(brands)}’s “Pro” plan first.`
  const opening = `${pick(SENTENCES)} Here are the options that reviewers name most often, with what each does best:`
  return [opening, ...items, `${pick(SENTENCES)} ${pick(SENTENCES)}`, closing].join('\n\n')
}

function makeUrl(): string {
  const path = `${pick(WORDS)}-${pick(WORDS)}/${pick(WORDS)}-${Math.floor(next() * 900)}`
  return `https://www.${pick(SITES)}/${path}${pick(['', '', '?utm_source=openai', `?id=${Math.floor(next() * 99)}&utm_source=chatgpt.com`])}`
}

function makeBrands(count: number): string[] {
  const names = new Set<string>()
  while (names.size < count) {
    const stem = pick(SYLLABLES) + pick(SYLLABLES) + (next() < 0.4 ? pick(SYLLABLES) : '')
    names.add(stem.charAt(0).toUpperCase() + stem.slice(1) + pick(['', '', '', ' Cloud', ' CRM', '.com', '!']))
  }
  return [...names]
}

function pick<T>(list: readonly T[]): T {
  return list[Math.floor(next() * list.length)]!
}

/** Numbers from 0 to below 1, the same in every run. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function toAscii(text: string): string {
  return text.replace(/[’“”]/g, "'").replace(/–/g, '-')
}

function toGerman(text: string): string {
  return text.replace(/\bthe\b/g, 'die größere').replace(/\bfor\b/g, 'für')
}

function withEmoji(text: string): string {
  return `✅ ${text.replace(/\n\n1\. /, '\n\n🚀 1. ')}`
}
