import type { Question } from '../../api.ts'
import { toSitePath } from '../../site-path.ts'
import { toRequested } from '../../metrics.ts'
import { toAbout, toReport } from '../../report-questions.ts'
import type { ViewProps } from '../view-props.ts'

const METRICS = [...toRequested(['mention_rate']), 'reliability'] as const

/** What the view asks of all prompts: the list, what was measured of each, and what the plan leaves. */
export function toQuestions(props: ViewProps) {
  return {
    prompts: { method: 'GET', path: toSitePath(props.site.id, 'prompts') },
    measured: toReport('visibility', { ...toAbout(props), group_by: ['prompt'], metrics: METRICS }),
    usage: { method: 'GET', path: '/prompt-usage' },
  } satisfies Record<string, Question>
}

/** What it asks of the prompts of one page: their rates by engine and their days; nothing without prompts. */
export function toPageQuestions(props: ViewProps, ids: readonly string[]) {
  if (ids.length === 0) return undefined
  const about = toAbout(props, { field: 'prompt', op: 'in', value: [...ids] })
  return {
    cells: toReport('visibility', { ...about, group_by: ['prompt', 'platform'], metrics: METRICS }),
    days: toReport('visibility', { ...about, group_by: ['prompt', 'date'], metrics: ['answers'] }),
  }
}
