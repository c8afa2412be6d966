import * as v from 'valibot'
import { type Sql, sql } from '../../lake/sql.ts'
import { Count, Order } from '../../schemas/values.ts'
import { toWilson } from '../rate-interval.ts'

/**
 * A metric that says how sure others are (contract/api 5.15). `formula` is over a brand's row in a group; such metrics are
 * sorted by as they are compared, rounded.
 */
function column<T extends v.GenericSchema>(name: string, type: T, formula: Sql) {
  return { type, sql: sql.identifier(name), formula, order: sql`round(${sql.identifier(name)}, 9)` }
}

function count(name: string, description: string, formula: Sql) {
  return column(name, v.pipe(Count, v.description(description)), formula)
}

/** An end of an interval, with what it is null for; `most` is the highest that the metric can be. */
function end(name: string, [most, of]: readonly [most: number, of: string], formula: Sql) {
  const [, metric = '', side = ''] = /^(.*)_(low|high)$/.exec(name) ?? []
  const type = v.pipe(v.number(), v.minValue(0), v.maxValue(most))
  return column(
    name,
    v.pipe(v.nullable(type), v.description(`The ${side} end of the 95 % interval of \`${metric}\`; null ${of}.`)),
    formula,
  )
}

const coverage = toWilson(sql`prompt_coverage`, sql`CASE WHEN prompts >= 2 THEN prompts END`)
const COVERAGE = [1, 'with fewer than 2 prompts'] as const

/** Counts, and what follows from them alone: the brand's `named` and `cited` answers and `covered` prompts, all `voices`. */
export const COUNTED = {
  named_answers: count('named_answers', 'Answers naming the brand.', sql`named`),
  citing_answers: count('citing_answers', 'Answers linking to a site of the brand.', sql`cited`),
  covered_prompts: count('covered_prompts', 'Prompts where the brand was named at least once.', sql`covered`),
  prompts: count('prompts', 'Prompts with an answer in the group.', sql`prompts`),
  brand_mentions: count('brand_mentions', 'The denominator of `share_of_voice`.', sql`voices`),
  prompt_coverage_low: end('prompt_coverage_low', COVERAGE, coverage.low),
  prompt_coverage_high: end('prompt_coverage_high', COVERAGE, coverage.high),
}

const mentionRate = toWilson(sql`mention_rate`, sql`effective_answers`)
const citationRate = toWilson(sql`citation_rate`, sql`effective_citing`)
const RATE = [1, 'with fewer than 2 clusters of answers'] as const

/** Ends of a jackknife's interval; none where the spread is under a billionth of the range (docs/methods.md 4). */
function toJackknife(estimate: Sql, spread: Sql, most: Sql): { readonly low: Sql; readonly high: Sql } {
  const cut = (bound: Sql): Sql => sql`CASE WHEN ${spread} >= 1e-9 * ${most} THEN ${bound} END`
  return {
    low: cut(sql`greatest(0, ${estimate} - critical_value * ${spread})`),
    high: cut(sql`least(${most}, ${estimate} + critical_value * ${spread})`),
  }
}
const voice = toJackknife(sql`share_of_voice`, sql`voice_spread`, sql`1`)
const score = toJackknife(sql`visibility_score`, sql`score_spread`, sql`100`)
const VOICE = [1, 'with fewer than 2 clusters of answers, or where all say the same'] as const
const SCORE = [100, VOICE[1]] as const

/** What needs the answers by cluster: effective answers, spreads and `critical_value`, all NULL with fewer than 2 of them. */
export const CLUSTERED = {
  mention_rate_low: end('mention_rate_low', RATE, mentionRate.low),
  mention_rate_high: end('mention_rate_high', RATE, mentionRate.high),
  citation_rate_low: end('citation_rate_low', RATE, citationRate.low),
  citation_rate_high: end('citation_rate_high', RATE, citationRate.high),
  share_of_voice_low: end('share_of_voice_low', VOICE, voice.low),
  share_of_voice_high: end('share_of_voice_high', VOICE, voice.high),
  visibility_score_low: end('visibility_score_low', SCORE, score.low),
  visibility_score_high: end('visibility_score_high', SCORE, score.high),
  effective_answers: column(
    'effective_answers',
    v.pipe(
      v.nullable(v.pipe(v.number(), v.minValue(0))),
      v.description('How many independent answers would say as much of the mention rate.'),
    ),
    sql`effective_answers`,
  ),
  reliability: column(
    'reliability',
    v.pipe(
      v.picklist(['ok', 'few_answers', 'few_prompts', 'wide']),
      v.description(
        'Of the mention rate: `few_prompts` under 8 clusters, `few_answers` under 30 effective answers, `wide` with an interval over 0.30, the first that holds.',
      ),
    ),
    sql`CASE
        WHEN coalesce(clusters, 0) < 8 THEN 'few_prompts'
        WHEN effective_answers < 30 THEN 'few_answers'
        WHEN ${mentionRate.width} > 0.3 THEN 'wide'
        ELSE 'ok'
      END`,
  ),
  rank_low: column(
    'rank_low',
    v.pipe(
      v.nullable(Order),
      v.description('The best rank that chance leaves open: one more than the brands that are surely ahead.'),
    ),
    sql`1 + ahead`,
  ),
  rank_high: column(
    'rank_high',
    v.pipe(
      v.nullable(Order),
      v.description('The worst rank that chance leaves open: all ranked brands but those that are surely behind.'),
    ),
    sql`ranked_brands - behind`,
  ),
}
