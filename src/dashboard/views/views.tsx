import type { ComponentType } from 'preact'
import { createLaterPart } from '../parts/later-part.tsx'
import type { ViewName } from '../url-state.ts'
import type { SettingsProps, ViewProps } from './view-props.ts'
import { Overview } from './overview/overview.tsx'

const AnswerViews = createLaterPart(async () => (await import('./answer-views.ts')).ANSWER_VIEWS)
const LogViews = createLaterPart(async () => (await import('./log-views.ts')).LOG_VIEWS)
const WorkViews = createLaterPart(async () => (await import('./work-views.ts')).WORK_VIEWS)

/** The overview comes with the first script; the others in three more, each asked for when one of its views is first shown. */
export const VIEWS: Readonly<Record<ViewName, ComponentType<ViewProps>>> = {
  overview: Overview,
  visibility: (props) => <AnswerViews render={(views) => <views.visibility {...props} />} />,
  answers: (props) => <AnswerViews render={(views) => <views.answers {...props} />} />,
  sources: (props) => <AnswerViews render={(views) => <views.sources {...props} />} />,
  competitors: (props) => <AnswerViews render={(views) => <views.competitors {...props} />} />,
  tone: (props) => <AnswerViews render={(views) => <views.tone {...props} />} />,
  crawlers: (props) => <LogViews render={(views) => <views.crawlers {...props} />} />,
  visitors: (props) => <LogViews render={(views) => <views.visitors {...props} />} />,
  prompts: (props) => <WorkViews render={(views) => <views.prompts {...props} />} />,
  actions: (props) => <WorkViews render={(views) => <views.actions {...props} />} />,
  scan: (props) => <WorkViews render={(views) => <views.scan {...props} />} />,
}

export const Settings = (props: SettingsProps) => <WorkViews render={(views) => <views.settings {...props} />} />
