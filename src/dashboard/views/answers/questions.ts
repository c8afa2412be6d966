import type { Schemas } from '../../../client/client.ts'
import type { Question } from '../../api.ts'
import { ANSWER_PROMPT_IDS_MAX } from '../../bounds.ts'
import { type Asking, toAbout, toReport } from '../../report-questions.ts'
import type { AnswerPlace } from './permalink.ts'
import { toFields, type WantedAnswers } from './wanted.ts'

/** A report by prompt that says for which prompts there are wanted answers. */
export interface Narrowing {
  readonly question: Question<NarrowingRow>
  /** How many answers to a row's prompt are wanted, as far as the report can tell. */
  readonly count: (row: NarrowingRow) => number
}

type NarrowingRow = Partial<Schemas['VisibilityRow'] & Schemas['SentimentRow']>

/**
 * What tells for which prompts there are answers that the list of answers can't be asked for: by what they cite, name or feel,
 * or by category. Undefined where one prompt is chosen, or nothing of the kind is wanted.
 */
export function toNarrowing(asking: Asking, wanted: WantedAnswers): Narrowing | undefined {
  const { prompt, named, tone, brand, domain } = wanted
  if (prompt !== '') return undefined
  const cites = domain === '' ? undefined : ({ field: 'domain', op: 'is', value: domain } as const)
  const about = { ...toAbout(asking, cites), group_by: ['prompt'] }
  const ask = (report: 'citations' | 'visibility' | 'sentiment', more: object): Question<NarrowingRow> =>
    toReport(report, { ...about, ...more })
  if (domain !== '') {
    return { question: ask('citations', { metrics: ['answers'] }), count: ({ answers = 0 }) => answers }
  }
  if (brand !== '') {
    const question = ask('visibility', { brands: [brand], metrics: ['named_answers'] })
    return { question, count: ({ named_answers = 0 }) => named_answers }
  }
  if (tone !== '') {
    const metrics = ['positive_answers', 'neutral_answers', 'negative_answers', 'judged_answers']
    return { question: ask('sentiment', { metrics }), count: (row) => countTone(row)[tone] }
  }
  const question = ask('visibility', { metrics: ['answers', 'named_answers'] })
  if (named === '') return { question, count: ({ answers = 0 }) => answers }
  return {
    question,
    count: ({ answers = 0, named_answers = 0 }) => (named === 'yes' ? named_answers : answers - named_answers),
  }
}

/** Answers of each tone of a row of the sentiment report, with those apart that nobody judged. */
export function countTone(row: Partial<Schemas['SentimentRow']>): {
  readonly positive: number
  readonly neutral: number
  readonly not_judged: number
  readonly negative: number
} {
  const { positive_answers = 0, neutral_answers = 0, negative_answers = 0, judged_answers = 0 } = row
  const not_judged = (row.answers_mentioning ?? 0) - judged_answers
  // The report counts answers that nobody judged as neutral.
  return { positive: positive_answers, neutral: neutral_answers - not_judged, not_judged, negative: negative_answers }
}

/** The prompts with the most wanted answers, and how many wanted answers there are of all prompts and of these. */
export interface Narrowed {
  readonly promptIds: readonly string[]
  readonly prompts: number
  readonly answers: number
}

export function narrow(
  rows: readonly NarrowingRow[],
  { count }: Narrowing,
  promptsMax = ANSWER_PROMPT_IDS_MAX,
): Narrowed {
  const counted = rows
    .map((row) => ({ id: row.prompt?.id ?? '', count: count(row) }))
    .filter((prompt) => prompt.count > 0)
    .toSorted((a, b) => b.count - a.count)
  return {
    promptIds: counted.slice(0, promptsMax).map(({ id }) => id),
    prompts: counted.length,
    answers: counted.reduce((sum, prompt) => sum + prompt.count, 0),
  }
}

/** The list of answers to these prompts, or of all where none are given. */
export function toListQuestion(
  { state: { engines }, site, range }: Asking,
  wanted: WantedAnswers,
  promptIds: readonly string[] | undefined,
): Question<Schemas['Answer']> {
  return {
    method: 'POST',
    path: '/answers',
    body: {
      site_id: site.id,
      ...range,
      ...(engines.length === 0 ? {} : { platforms: engines }),
      ...(promptIds === undefined ? {} : { prompt_ids: promptIds }),
      include: toFields(wanted),
    },
  }
}

/** One answer with all that is stored of it, among the others of its day, engine and prompt. */
export function toAnswerQuestion(siteId: string, place: AnswerPlace): Question<Schemas['Answer']> {
  return toPlaceQuestion(siteId, place, [
    ...(['date', 'platform', 'prompt', 'text', 'brand_mentioned', 'sentiment', 'mentions', 'citations'] as const),
    ...(['model', 'provider', 'market', 'asked_at', 'search_queries', 'consulted'] as const),
  ])
}

/** What one answer says, in the same way. */
export function toTextQuestion(siteId: string, place: AnswerPlace): Question<Schemas['Answer']> {
  return toPlaceQuestion(siteId, place, ['text'])
}

function toPlaceQuestion(
  siteId: string,
  { date, platform, prompt }: AnswerPlace,
  include: readonly Schemas['AnswerField'][],
): Question<Schemas['Answer']> {
  return {
    method: 'POST',
    path: '/answers',
    body: { site_id: siteId, start_date: date, end_date: date, platforms: [platform], prompt_ids: [prompt], include },
  }
}

/** Whose the domains are that answers of its day, engine and prompt cite. */
export function toOwnersQuestion(siteId: string, { date, platform, prompt }: AnswerPlace) {
  const filter: Schemas['CitationFilter'] = {
    and: [
      { field: 'platform', op: 'is', value: platform },
      { field: 'prompt', op: 'is', value: prompt },
    ],
  }
  return toReport('citations', { site_id: siteId, start_date: date, end_date: date, filter, metrics: ['answers'] })
}
