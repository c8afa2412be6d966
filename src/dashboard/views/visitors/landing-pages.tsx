import type { Question, Schemas } from '../../api.ts'
import { toCount, toCountOf, toMoment } from '../../format.ts'
import { change } from '../../navigation.ts'
import { Bars } from '../../parts/bars.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { SearchField } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Value } from '../../parts/value.tsx'
import type { ViewState } from '../../url-state.ts'
import { usePage, useRows } from '../../use-answer.ts'
import { toPageTypeName } from '../logs/page-types.ts'

interface LandingProps {
  readonly state: ViewState
  readonly question: Question
}

/** On which kinds of pages visitors land. */
export function LandingPageTypes({ state, question }: LandingProps) {
  const rows = useRows<Schemas['ReferralRow']>(question)
  const types = rows.value ?? []
  return (
    <Panel
      title="Kinds of pages"
      sentence={`Visits landed on ${toCountOf(types.length, 'kind')} of pages; a click filters by it.`}
      questions={[question]}
      method="visitors"
      loading={[rows]}
    >
      <Bars
        caption="Visits by kind of page"
        metric="visits"
        format={toCount}
        bars={types.map(({ page_type = 'other', visits = 0, landing_pages = 0 }) => ({
          key: page_type,
          label: toPageTypeName(page_type),
          value: visits,
          basis: toCountOf(landing_pages, 'page'),
          onPick: () => change(state, { more: { page_type } }),
        }))}
      />
    </Panel>
  )
}

/** The pages on which visitors land, those with most visits first. */
export function LandingPages({ state, question }: LandingProps) {
  const page = usePage<Schemas['ReferralRow']>(question)
  const rows = page.value?.rows ?? []
  const total = Number(page.value?.info['total_results'] ?? rows.length)
  const { limit: _, ...whole } = question.body as { readonly limit?: number }
  return (
    <Panel
      title="Landing pages"
      sentence={
        total > rows.length
          ? `The ${toCount(rows.length)} pages with most visits of ${toCount(total)}; the CSV has all.`
          : `${toCountOf(total, 'page')} on which a visit began.`
      }
      questions={[{ ...question, body: whole }]}
      method="visitors"
      loading={[page]}
      controls={
        <SearchField
          label="Search in paths"
          value={state.more['q'] ?? ''}
          onSearch={(q) => change(state, { more: { q } }, { replace: true })}
        />
      }
    >
      <DataTable
        caption="Landing pages with their visits"
        rows={rows}
        keyOf={({ path = '' }) => path}
        empty={<Empty kind="filtered" title="No page fits" />}
        columns={[
          {
            title: 'Page',
            isWide: true,
            sortBy: ({ path = '' }) => path,
            cell: ({ path = '' }) => (
              <button type="button" class="link path" title={path} onClick={() => change(state, { more: { path } })}>
                {path}
              </button>
            ),
          },
          {
            title: 'Kind',
            sortBy: ({ page_type = '' }) => page_type,
            cell: ({ page_type = '' }) => <span class="kind">{toPageTypeName(page_type)}</span>,
          },
          {
            title: 'Visits',
            isNumber: true,
            sortBy: ({ visits = 0 }) => visits,
            cell: ({ visits = 0 }) => (
              <Value metric="visits" value={visits}>
                {toCount(visits)}
              </Value>
            ),
          },
          {
            title: 'Last visit (UTC)',
            sortBy: ({ last_visit }) => last_visit ?? null,
            cell: ({ last_visit }) => last_visit !== undefined && <span class="when">{toMoment(last_visit)}</span>,
          },
        ]}
      />
    </Panel>
  )
}
