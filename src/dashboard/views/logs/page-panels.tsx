import type { ComponentChildren } from 'preact'
import type { Question } from '../../api.ts'
import { toCount, toCountOf } from '../../format.ts'
import type { Method } from '../../methods/anchors.ts'
import { changeUrl } from '../../navigation.ts'
import { Bars } from '../../parts/bars.tsx'
import { momentColumn, textColumn, wideColumn } from '../../parts/columns.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { SearchField } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Pick } from '../../parts/pick.tsx'
import type { ViewState } from '../../url-state.ts'
import { usePage, useRows } from '../../use-reply.ts'
import { toPageTypeName } from './page-types.ts'

/** What reports on logs have in a row about pages. */
interface PageRow {
  readonly path?: string
  readonly page_type?: string
  readonly last_visit?: string
}

interface PagePanelProps<Row> {
  readonly question: Question<Row>
  readonly method: Method
}

export interface PageTypesProps<Row> extends PagePanelProps<Row> {
  /** The API's name of what is counted: `hits`. */
  readonly metric: string
  /** What is counted, as a caption: `Hits`. */
  readonly counted: string
  /** Before the number of kinds: `Hits on`. */
  readonly sentence: string
  readonly count: (row: Row) => number
  readonly basis: (row: Row) => ComponentChildren
}

/** Counts by kind of page; a click filters by it. */
export function PageTypes<Row extends PageRow>(props: PageTypesProps<Row>) {
  const { question, method, metric, counted, sentence, count, basis } = props
  const rows = useRows(question)
  const types = rows.value ?? []
  return (
    <Panel
      title="Kinds of pages"
      sentence={`${sentence} ${toCountOf(types.length, 'kind')} of pages; a click filters by it.`}
      questions={[question]}
      method={method}
      loading={[rows]}
    >
      <Bars
        caption={`${counted} by kind of page`}
        metric={metric}
        format={toCount}
        bars={types.map((row) => {
          const { page_type = 'other' } = row
          return {
            key: page_type,
            label: toPageTypeName(page_type),
            value: count(row),
            basis: basis(row),
            to: () => changeUrl({ more: { page_type } }),
          }
        })}
      />
    </Panel>
  )
}

export interface PagesPanelProps<Row> extends PagePanelProps<Row> {
  readonly state: ViewState
  readonly title: string
  /** What the pages with most of it come first by: `hits`. */
  readonly most: string
  /** After the number of pages, where all are shown: `that crawlers asked for`. */
  readonly sentence: string
  readonly caption: string
  readonly counts: readonly Column<Row>[]
}

/** Pages, those with the highest counts first, with a search in their paths. */
export function PagesPanel<Row extends PageRow>(props: PagesPanelProps<Row>) {
  const { state, question, method, title, most, sentence, caption, counts } = props
  const page = usePage(question)
  const rows = page.value?.rows ?? []
  const total = Number(page.value?.info['total_results'] ?? rows.length)
  const toPath = ({ path = '' }: Row): string => path
  const toType = ({ page_type = '' }: Row): string => page_type
  return (
    <Panel
      title={title}
      sentence={
        total > rows.length
          ? `The ${toCount(rows.length)} pages with most ${most} of ${toCount(total)}; the CSV has all.`
          : `${toCountOf(total, 'page')} ${sentence}.`
      }
      questions={[question]}
      method={method}
      loading={[page]}
      controls={
        <SearchField
          label="Search in paths"
          value={state.more['q'] ?? ''}
          onSearch={(q) => changeUrl({ more: { q } }, { replace: true })}
        />
      }
    >
      <DataTable
        caption={caption}
        rows={rows}
        keyOf={toPath}
        empty={<Empty kind="filtered" title="No page fits" />}
        columns={[
          wideColumn('Page', toPath, (row) => {
            const path = toPath(row)
            return (
              <Pick class="path" title={path} to={() => changeUrl({ more: { path } })}>
                {path}
              </Pick>
            )
          }),
          textColumn('Kind', toType, (row) => <span class="kind">{toPageTypeName(toType(row))}</span>),
          ...counts,
          momentColumn<Row>('Last visit (UTC)', ({ last_visit }) => last_visit),
        ]}
      />
    </Panel>
  )
}
