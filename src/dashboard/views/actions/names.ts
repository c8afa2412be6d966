import type { Schemas } from '../../../client/client.ts'

type Card = Schemas['ActionCard']

/** What cards say of themselves, as people do. */
export const CATEGORY_NAMES: Readonly<Record<Card['category'], string>> = {
  content: 'Content',
  pages: 'Own pages',
  outreach: 'Outreach',
  technical: 'Technical',
  reviews: 'Reviews',
}

export const EFFORT_NAMES: Readonly<Record<Card['effort'], string>> = {
  low: 'little effort',
  medium: 'some effort',
  high: 'much effort',
}

/** What the card is measured on. */
export const METRIC_NAMES: Readonly<Record<Card['target_metric'], string>> = {
  mention: 'answers that name you',
  citation: 'answers that cite you',
  coverage: 'prompts with a mention',
}

export const VERDICT_NAMES: Readonly<Record<NonNullable<NonNullable<Card['outcome']>['verdict']>, string>> = {
  improved: 'Improved',
  no_change: 'No significant change',
  declined: 'Declined',
  not_enough_data: 'Not enough data',
}

export const STATUS_NAMES: Readonly<Record<Card['status'], string>> = {
  open: 'Open',
  done: 'Done',
  dismissed: 'Dismissed',
}
