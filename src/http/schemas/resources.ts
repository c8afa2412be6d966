import * as v from 'valibot'
import {
  CARD_CADENCES,
  CARD_CATEGORIES,
  CARD_EFFORTS,
  CARD_IMPACTS,
  CARD_KINDS,
  CARD_METRICS,
  CARD_STATUSES,
  CARD_VERDICTS,
} from '../../domain/action-card.ts'
import {
  BOT_TYPES,
  CATEGORIES,
  COMPETITOR_SOURCES,
  ENGINE_IDS,
  KEY_PERMISSIONS,
  OWNERS,
  PAGE_TYPES,
  PLANS,
  PROMPT_STATUSES,
  SCAN_STATUSES,
  SENTIMENTS,
  SOURCE_KINDS,
} from '../../domain/enums.ts'

/** What the API gives back, named as in contract/api 11 and 12.5. The document shows each as a component of the same name. */

const Timestamp = v.pipe(v.string(), v.isoTimestamp())
const CalendarDay = v.pipe(v.string(), v.isoDate())
const Hour = v.pipe(v.string(), v.description('`YYYY-MM-DDTHH:00` in the requested zone.'))
const Share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
const Count = v.pipe(v.number(), v.integer(), v.minValue(0))
const Order = v.pipe(v.number(), v.integer(), v.minValue(1))
const Text = v.string()

const EngineId = v.picklist(ENGINE_IDS)
export const Category = v.picklist(CATEGORIES)
export const PromptStatus = v.picklist(PROMPT_STATUSES)
const PageType = v.picklist(PAGE_TYPES)
const BotType = v.picklist(BOT_TYPES)
const SourceKind = v.picklist(SOURCE_KINDS)
const Owner = v.picklist(OWNERS)

export const PromptReference = v.object({ id: Text, text: Text })

export const Site = v.object({
  id: Text,
  name: Text,
  domain: Text,
  created_at: Timestamp,
  platforms: v.array(EngineId),
  last_answer_scan: v.nullable(v.object({ date: CalendarDay, status: v.picklist(SCAN_STATUSES) })),
})

export const Prompt = v.object({
  id: Text,
  text: Text,
  category: Category,
  market: v.pipe(
    v.nullable(Text),
    v.description('Appended to the question when it is asked; null uses the market of the site.'),
  ),
  status: PromptStatus,
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const Competitor = v.object({
  id: Text,
  name: Text,
  domains: v.array(Text),
  confirmed: v.boolean(),
  source: v.picklist(COMPETITOR_SOURCES),
})

export const Engine = v.object({
  id: EngineId,
  name: Text,
  available: v.pipe(v.boolean(), v.description('Whether answers are collected from it today.')),
})

export const CallingKey = v.object({
  key: v.object({ id: Text, name: Text, permission: v.picklist(KEY_PERMISSIONS), expires_at: Timestamp }),
  organization: v.object({ id: Text, name: Text, plan: v.picklist(PLANS) }),
  rate_limits: v.object({ requests_per_minute: Count, writes_per_minute: Count }),
})

export const ActionCard = v.object({
  id: Text,
  title: Text,
  why: Text,
  detail: Text,
  category: v.picklist(CARD_CATEGORIES),
  impact: v.picklist(CARD_IMPACTS),
  effort: v.picklist(CARD_EFFORTS),
  target_metric: v.picklist(CARD_METRICS),
  kind: v.picklist(CARD_KINDS),
  cadence: v.nullable(v.picklist(CARD_CADENCES)),
  period: v.nullable(Text),
  status: v.picklist(CARD_STATUSES),
  target_prompts: v.array(PromptReference),
  target_platforms: v.array(EngineId),
  target_url: Text,
  created_at: Timestamp,
  outcome: v.nullable(
    v.object({
      marked_done_at: Timestamp,
      result_due: Timestamp,
      verdict: v.nullable(v.picklist(CARD_VERDICTS)),
      summary: Text,
    }),
  ),
})

export const Citation = v.object({
  url: Text,
  domain: Text,
  title: Text,
  position: v.pipe(Order, v.description("Order among the answer's sources.")),
  own_site: v.boolean(),
})

export const Answer = v.object({
  id: Text,
  date: v.optional(CalendarDay),
  platform: v.optional(EngineId),
  prompt: v.optional(PromptReference),
  text: v.optional(v.pipe(Text, v.description('Exactly as the engine returned it.'))),
  brand_mentioned: v.optional(v.boolean()),
  brand_position: v.optional(v.nullable(Order)),
  sentiment: v.optional(v.nullable(v.picklist(SENTIMENTS))),
  mentions: v.optional(v.pipe(v.array(Text), v.description('Brands named, in order of first appearance.'))),
  citations: v.optional(v.array(Citation)),
})

export const VisibilityRow = v.object({
  date: v.optional(CalendarDay),
  platform: v.optional(EngineId),
  prompt: v.optional(PromptReference),
  category: v.optional(Category),
  brand: v.object({ name: Text, owned: v.boolean() }),
  rank: v.pipe(
    v.nullable(Order),
    v.description('By Visibility Score among the own brand and confirmed competitors; null for an unconfirmed one.'),
  ),
  visibility_score: v.optional(
    v.pipe(
      v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
      v.description('45 % mention rate, 35 % citation rate, 20 % prompt coverage.'),
    ),
  ),
  mention_rate: v.optional(v.pipe(Share, v.description('Share of answers naming the brand.'))),
  citation_rate: v.optional(v.pipe(Share, v.description('Share of answers linking to a site of the brand.'))),
  prompt_coverage: v.optional(
    v.pipe(Share, v.description('Share of prompts where the brand was named at least once.')),
  ),
  average_position: v.optional(
    v.pipe(
      v.nullable(v.pipe(v.number(), v.minValue(1))),
      v.description('Average order of first mention when named; null when never named.'),
    ),
  ),
  share_of_voice: v.optional(
    v.pipe(Share, v.description('Share of all brand mentions, own brand and confirmed competitors.')),
  ),
  answers: v.optional(v.pipe(Count, v.description('Answers in the group.'))),
})

export const CitationRow = v.object({
  date: v.optional(CalendarDay),
  platform: v.optional(EngineId),
  prompt: v.optional(PromptReference),
  domain: v.optional(v.pipe(Text, v.description('Registrable domain, when `entity` is `domain`.'))),
  page: v.optional(v.pipe(Text, v.description('Cited URL without tracking parameters, when `entity` is `page`.'))),
  owner: Owner,
  source_kind: SourceKind,
  rank: v.pipe(Order, v.description('By answers, within the group; ties share one.')),
  answers: v.optional(v.pipe(Count, v.description('Distinct answers citing it.'))),
  citations: v.optional(v.pipe(Count, v.description('Every link, counted separately.'))),
  citation_share: v.optional(v.pipe(Share, v.description('Share of all citations in the group.'))),
})

export const SentimentRow = v.object({
  date: v.optional(CalendarDay),
  platform: v.optional(EngineId),
  prompt: v.optional(PromptReference),
  category: v.optional(Category),
  positive: v.pipe(Share, v.description('Share of answers naming the own brand.')),
  neutral: Share,
  negative: Share,
  answers_mentioning: v.pipe(
    Count,
    v.description('Answers naming the own brand: the denominator of the three shares.'),
  ),
  answers: v.pipe(Count, v.description('All answers in the group.')),
  positive_answers: v.optional(Count),
  neutral_answers: v.optional(v.pipe(Count, v.description('Those not judged count here too.'))),
  negative_answers: v.optional(Count),
  judged_answers: v.optional(
    v.pipe(Count, v.description('Answers naming the own brand that came with a sentiment or were given one.')),
  ),
})

export const BotRow = v.object({
  date: v.optional(CalendarDay),
  hour: v.optional(Hour),
  bot_name: v.optional(v.pipe(Text, v.description('The token that the provider documents.'))),
  bot_provider: v.optional(Text),
  bot_type: v.optional(BotType),
  path: v.optional(v.pipe(Text, v.description('Without query string.'))),
  page_type: v.optional(PageType),
  hits: v.optional(Count),
  pages: v.optional(v.pipe(Count, v.description('Distinct paths requested.'))),
  verified_share: v.optional(
    v.pipe(Share, v.description('Share of hits from addresses that the provider publishes for the bot.')),
  ),
  error_hits: v.optional(v.pipe(Count, v.description('Hits answered with 4xx or 5xx.'))),
  last_visit: v.optional(Timestamp),
})

export const ReferralRow = v.object({
  date: v.optional(CalendarDay),
  hour: v.optional(Hour),
  referral_source: v.optional(v.pipe(Text, v.description('The engine; an open list.'))),
  path: v.optional(v.pipe(Text, v.description('Landing page, without query string.'))),
  page_type: v.optional(PageType),
  visits: v.optional(Count),
  landing_pages: v.optional(v.pipe(Count, v.description('Distinct landing paths.'))),
  last_visit: v.optional(Timestamp),
})

const pageInfo = {
  count: v.pipe(Count, v.description('Rows in this page.')),
  total_results: v.pipe(Count, v.description('Rows across all pages.')),
  next_cursor: v.pipe(v.nullable(Text), v.description('Pass as `cursor` for the next page; null on the last one.')),
}

export const PageInfo = v.object(pageInfo)
export const ReportInfo = v.object({ site_id: Text, start_date: CalendarDay, end_date: CalendarDay, ...pageInfo })
export const LogReportInfo = v.object({
  site_id: Text,
  start_date: CalendarDay,
  end_date: CalendarDay,
  timezone: Text,
  ...pageInfo,
})

/** `{data}` of one thing. */
export function single<const S extends v.GenericSchema>(data: S) {
  return v.object({ data })
}

/** `{data}` of a whole list. */
export function list<const S extends v.GenericSchema>(row: S) {
  return v.object({ data: v.array(row) })
}

/** `{info, data}` of one page. */
export function paged<const I extends v.GenericSchema, const S extends v.GenericSchema>(info: I, row: S) {
  return v.object({ info, data: v.array(row) })
}
