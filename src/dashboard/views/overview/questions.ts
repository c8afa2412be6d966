import type { Question } from '../../api.ts'
import { toSitePath } from '../../site-path.ts'
import { type Metric, toRequested } from '../../metrics.ts'
import { toAbout, toChanges, toReport } from '../../report-questions.ts'
import type { ViewProps } from '../view-props.ts'

/** The metrics of the tiles, in their order. */
export const TILES = ['mention_rate', 'citation_rate', 'prompt_coverage', 'share_of_voice'] as const satisfies Metric[]

/** What the overview asks; of changes nothing where nothing is compared. */
export function toQuestions(props: ViewProps) {
  const { site, range } = props
  const about = toAbout(props)
  const visibility = (body: object) => toReport('visibility', { ...about, ...body })
  const changes = (body: object) => toChanges(props, body)
  const named = { metrics: [...toRequested(['mention_rate']), 'reliability'] }
  return {
    brands: visibility({ brands: 'all', metrics: toRequested(TILES) }),
    days: visibility({ group_by: ['date'], metrics: toRequested(['mention_rate']) }),
    engines: visibility({ group_by: ['platform'], ...named }),
    weeks: visibility({ group_by: ['week', 'platform'], metrics: ['mention_rate', 'answers'] }),
    changes: {
      mention_rate: changes({ metric: 'mention_rate' }),
      citation_rate: changes({ metric: 'citation_rate' }),
      prompt_coverage: changes({ metric: 'prompt_coverage' }),
      share_of_voice: changes({ metric: 'share_of_voice' }),
    },
    changesByEngine: changes({ metric: 'mention_rate', group_by: ['platform'] }),
    changesByPrompt: changes({ metric: 'mention_rate', group_by: ['prompt'] }),
    cards: { method: 'GET', path: toSitePath(site.id, 'actions') },
    quality: {
      method: 'GET',
      path: toSitePath(site.id, `quality?start_date=${range.start_date}&end_date=${range.end_date}`),
    },
    // Of all engines and categories, whatever is filtered: what is missing is missing.
    scanned: toReport('visibility', {
      site_id: site.id,
      ...range,
      group_by: ['date', 'platform'],
      metrics: ['answers'],
    }),
  } satisfies Record<string, Question | undefined | Record<string, Question | undefined>>
}

export type Questions = ReturnType<typeof toQuestions>
