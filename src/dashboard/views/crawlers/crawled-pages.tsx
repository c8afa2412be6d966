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

interface PagesProps {
  readonly state: ViewState
  readonly question: Question
}

/** Which kinds of pages crawlers ask for. */
export function CrawledPageTypes({ state, question }: PagesProps) {
  const rows = useRows<Schemas['BotRow']>(question)
  const types = rows.value ?? []
  return (
    <Panel
      title="Kinds of pages"
      sentence={`Hits on ${toCountOf(types.length, 'kind')} of pages; a click filters by it.`}
      questions={[question]}
      method="crawlers"
      loading={[rows]}
    >
      <Bars
        caption="Hits by kind of page"
        metric="hits"
        format={toCount}
        bars={types.map(({ page_type = 'other', hits = 0, pages = 0, error_hits = 0 }) => ({
          key: page_type,
          label: toPageTypeName(page_type),
          value: hits,
          basis: `${toCountOf(pages, 'page')}, ${toCountOf(error_hits, 'error')}`,
          onPick: () => change(state, { more: { page_type } }),
        }))}
      />
    </Panel>
  )
}

/** Where crawlers meet errors most. */
export function CrawledErrors({ state, question }: PagesProps) {
  const page = usePage<Schemas['BotRow']>(question)
  const rows = (page.value?.rows ?? []).filter(({ error_hits = 0 }) => error_hits > 0)
  return (
    <Panel
      title="Errors"
      sentence="The pages on which crawlers met most errors (4xx or 5xx)."
      questions={[question]}
      method="crawlers"
      loading={[page]}
    >
      {rows.length === 0 ? (
        <Empty kind="none" title="No crawler met an error" />
      ) : (
        <Bars
          caption="Error hits by page"
          metric="error_hits"
          format={toCount}
          bars={rows.map(({ path = '', error_hits = 0, hits = 0 }) => ({
            key: path,
            label: <span class="path">{path}</span>,
            value: error_hits,
            basis: `of ${toCountOf(hits, 'hit')}`,
            onPick: () => change(state, { more: { path } }),
          }))}
        />
      )}
    </Panel>
  )
}

/** The pages that crawlers ask for, those with most hits first. */
export function CrawledPages({ state, question }: PagesProps) {
  const page = usePage<Schemas['BotRow']>(question)
  const rows = page.value?.rows ?? []
  const total = Number(page.value?.info['total_results'] ?? rows.length)
  const { limit: _, ...whole } = question.body as { readonly limit?: number }
  return (
    <Panel
      title="Pages"
      sentence={
        total > rows.length
          ? `The ${toCount(rows.length)} pages with most hits of ${toCount(total)}; the CSV has all.`
          : `${toCountOf(total, 'page')} that crawlers asked for.`
      }
      questions={[{ ...question, body: whole }]}
      method="crawlers"
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
        caption="Pages with the hits of crawlers"
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
            title: 'Hits',
            isNumber: true,
            sortBy: ({ hits = 0 }) => hits,
            cell: ({ hits = 0 }) => (
              <Value metric="hits" value={hits}>
                {toCount(hits)}
              </Value>
            ),
          },
          {
            title: 'Errors',
            isNumber: true,
            sortBy: ({ error_hits = 0 }) => error_hits,
            cell: ({ error_hits = 0 }) => (
              <Value metric="error_hits" value={error_hits}>
                {toCount(error_hits)}
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
