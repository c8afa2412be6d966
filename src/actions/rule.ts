import type {
  CardCadence,
  CardCategory,
  CardCount,
  CardEffort,
  CardFinding,
  CardMetric,
} from '../domain/action-card.ts'
import type { Competitor } from '../domain/competitor.ts'
import type { Prompt } from '../domain/prompt.ts'
import type { Site } from '../domain/site.ts'
import type { StudentT } from '../statistics/student-t.ts'
import type { ReportRows } from './report-rows.ts'
import type { DayRange } from './windows.ts'

/** What rules look at: a site today and its reports. */
export interface SiteView {
  readonly site: Site
  /** All prompts by id, disabled ones too: their history counts, but no card is about them. */
  readonly prompts: ReadonlyMap<string, Prompt>
  readonly competitors: readonly Competitor[]
  /** The 28 days that end on the newest day with an imported answer, and the 28 days before. */
  readonly window: DayRange
  readonly previous: DayRange
  /** The 28 days that end on the newest day in the imported access logs; undefined without logs. */
  readonly logWindow: DayRange | undefined
  readonly reports: ReportRows
  readonly studentT: StudentT
}

/** A rule of the Action Center: what it looks for, and what its cards have in common. docs/actions.md explains each. */
export interface Rule {
  /** Names the rule in stored cards; never changed, so that findings keep their identity. */
  readonly name: string
  readonly category: CardCategory
  readonly effort: CardEffort
  readonly targetMetric: CardMetric
  /** Of an ongoing rule; without one its cards are one-off. */
  readonly cadence?: CardCadence
  /** What it finds now; at most one finding a target. */
  find(view: SiteView): Promise<readonly Finding[]>
}

/** One thing a rule found. */
export interface Finding extends Pick<
  CardFinding,
  'title' | 'why' | 'detail' | 'targetPrompts' | 'targetPlatforms' | 'targetUrl'
> {
  /** What it is about, stable from one look to the next: a prompt's id, a page's address; empty where a rule has one card. */
  readonly target: string
  /** Answers that the card could move, of those it is compared with. */
  readonly stake: CardCount
}
