import { BOT_TYPES, CATEGORIES, ENGINE_IDS, OWNERS, PAGE_TYPES, SOURCE_KINDS } from '../../domain/enums.ts'
import { defineFilter } from './filter.ts'

/** What the filter of each report may name (contract/api 12.5). */

const answer = { platform: ENGINE_IDS, prompt: 'text', category: CATEGORIES } as const

export const AnswerFilter = defineFilter(answer)

export const CitationFilter = defineFilter({ ...answer, domain: 'text', owner: OWNERS, source_kind: SOURCE_KINDS })

export const BotFilter = defineFilter({
  bot_name: 'text',
  bot_provider: 'text',
  bot_type: BOT_TYPES,
  verified: 'boolean',
  path: 'text',
  page_type: PAGE_TYPES,
})

export const ReferralFilter = defineFilter({ referral_source: 'text', path: 'text', page_type: PAGE_TYPES })
