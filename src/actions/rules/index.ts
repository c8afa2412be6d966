import type { Rule } from '../rule.ts'
import { absentCrawlers } from './absent-crawlers.ts'
import { competitorsNamed } from './competitors-named.ts'
import { crawlerErrors } from './crawler-errors.ts'
import { lostPage } from './lost-page.ts'
import { missedDomain } from './missed-domain.ts'
import { missedPage } from './missed-page.ts'
import { negativeAnswers } from './negative-answers.ts'
import { refreshPages } from './refresh-pages.ts'
import { unnamedPrompts } from './unnamed-prompts.ts'
import { weakCategory } from './weak-category.ts'
import { weakEngine } from './weak-engine.ts'

/** Every rule of the Action Center (docs/actions.md). */
export const RULES: readonly Rule[] = [
  competitorsNamed,
  weakCategory,
  weakEngine,
  missedPage,
  missedDomain,
  lostPage,
  crawlerErrors,
  absentCrawlers,
  negativeAnswers,
  refreshPages,
  unnamedPrompts,
]
