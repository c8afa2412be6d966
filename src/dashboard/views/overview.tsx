import type { Schemas } from '../api.ts'
import { toAnswerFilter } from '../filters.ts'
import { toCount, toPercent } from '../format.ts'
import { DataTable } from '../parts/data-table.tsx'
import { Panel } from '../parts/panel.tsx'
import { usePage } from '../use-answer.ts'
import type { ViewProps } from './index.ts'

/** Are we named, is that more than before, and what shall we do. */
export function Overview({ state, site, range }: ViewProps) {
  const filter = toAnswerFilter(state)
  const question = {
    method: 'POST',
    path: '/reports/visibility',
    body: {
      site_id: site.id,
      ...range,
      metrics: ['mention_rate', 'citation_rate', 'prompt_coverage', 'share_of_voice', 'answers'],
      ...(filter === undefined ? {} : { filter }),
    },
  } as const
  const visibility = usePage<Schemas['VisibilityRow']>(question)
  const rows = visibility.value?.rows ?? []
  return (
    <Panel title="Overview" questions={[question]} method="mention-rate" loading={[visibility]}>
      <DataTable
        caption="Visibility"
        rows={rows}
        keyOf={({ brand }) => brand.name}
        columns={[
          { title: 'Brand', cell: ({ brand }) => brand.name },
          { title: 'Answers', isNumber: true, cell: ({ answers = 0 }) => toCount(answers) },
          { title: 'Named in', isNumber: true, cell: ({ mention_rate = 0 }) => toPercent(mention_rate) },
        ]}
      />
    </Panel>
  )
}
