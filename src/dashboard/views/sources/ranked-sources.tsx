import type { Schemas } from '../../../client/client.ts'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { toCount, toCountOf, toDays, toPercent } from '../../format.ts'
import { OWNER_NAMES, SOURCE_KIND_NAMES } from '../../names.ts'
import { changeUrl } from '../../navigation.ts'
import { Chip, Chips } from '../../parts/chip.tsx'
import { type Column, DataTable, Pages } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { SearchField, Select } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Segments } from '../../parts/segments.tsx'
import { useRows } from '../../use-reply.ts'
import { usePages } from '../../use-pages.ts'
import type { ViewProps } from '../view-props.ts'
import { toDomainsQuestion, toSourcesQuestion } from './questions.ts'
import { readChoices, type SourceChoices } from './choices.ts'
import { COUNT_COLUMNS, keyOf, OWNER_COLUMNS, SourceName, toAnswersColumn } from './source-cells.tsx'

type Row = Schemas['CitationRow']

const PAGE_SIZE = 20

/** The domains or pages that answers cite, those in most answers first. */
export function RankedSources(props: ViewProps) {
  const { state, compared } = props
  const choices = readChoices(state)
  const { entity } = choices
  const question = toSourcesQuestion(props, choices)
  const { rows, total, page, turn, loading } = usePages(question, PAGE_SIZE)
  const domains = rows.flatMap(({ domain }) => (domain === undefined ? [] : [domain]))
  const beforeQuestion =
    compared && entity === 'domain' ? toDomainsQuestion({ ...props, range: compared }, domains) : undefined
  const before = useRows(beforeQuestion)
  const was = new Map(before.value?.map((row) => [row.domain, row]))
  const isFiltered = `${choices.owner}${choices.kind}${choices.domain}${choices.find}` !== ''
  const beforeColumn: Column<Row> = {
    title: 'Before',
    isNumber: true,
    cell: ({ domain }) => {
      const { citation_share, citations } = was.get(domain) ?? {}
      if (citation_share === undefined || citations === undefined) return <span class="quiet">not cited</span>
      return (
        <span title={compared && toDays(compared.start_date, compared.end_date)}>
          {toPercent(citation_share)} <small class="basis">{toCountOf(citations, 'link')}</small>
        </span>
      )
    },
  }
  return (
    <Panel
      title={entity === 'domain' ? 'Domains that answers cite' : 'Pages that answers cite'}
      method="citations"
      questions={[question, beforeQuestion]}
      loading={[loading, before]}
      sentence={total !== undefined && total > 0 && <Sentence total={total} entity={entity} />}
      controls={<EntityChoice entity={entity} />}
    >
      <Filters choices={choices} />
      <DataTable
        caption={entity === 'domain' ? 'Domains that answers cite' : 'Pages that answers cite'}
        rows={rows}
        keyOf={keyOf}
        pageSize={PAGE_SIZE}
        empty={
          <Empty
            kind={isFiltered ? 'filtered' : 'none'}
            title={isFiltered ? 'No source fits these filters.' : 'No answer cites a source in these days.'}
          />
        }
        columns={[
          {
            title: entity === 'domain' ? 'Domain' : 'Page',
            isWide: true,
            cell: (row) => <SourceName state={state} row={row} />,
          },
          ...COUNT_COLUMNS,
          ...(compared === undefined || entity === 'page' ? [] : [beforeColumn]),
          ...OWNER_COLUMNS,
          ...(entity === 'page' ? [] : [toAnswersColumn(state)]),
        ]}
      />
      <Pages page={page} size={PAGE_SIZE} total={total ?? 0} onTurn={turn} />
    </Panel>
  )
}

function Sentence({ total, entity }: { readonly total: number; readonly entity: 'domain' | 'page' }) {
  return (
    <>
      {toCount(total)} {total === 1 ? entity : `${entity}s`}, those in most answers first. Shares are of all links in
      these answers, whatever is filtered below.
      {entity === 'page' && ' A link of which only the domain is known is no page.'}
    </>
  )
}

function EntityChoice({ entity }: { readonly entity: 'domain' | 'page' }) {
  return (
    <Segments
      label="What is counted"
      value={entity}
      options={[
        { value: 'domain', title: 'Domains' },
        { value: 'page', title: 'Pages' },
      ]}
      onPick={(value) => changeUrl({ more: { entity: value === 'page' ? value : '', domain: '' } })}
    />
  )
}

interface FiltersProps {
  readonly choices: SourceChoices
}

function Filters({ choices }: FiltersProps) {
  const { owner, kind, domain, find } = choices
  const set = (more: Readonly<Record<string, string>>): void => changeUrl({ more })
  return (
    <div class="source-filters">
      <Select
        label="Whose"
        value={owner}
        options={[{ value: '' as const, title: 'anyone’s' }, ...toOptions(OWNER_NAMES)]}
        onPick={(value) => set({ owner: value })}
      />
      <Select
        label="Kind"
        value={kind}
        options={[{ value: '' as const, title: 'any' }, ...toOptions(SOURCE_KIND_NAMES)]}
        onPick={(value) => set({ kind: value })}
      />
      <SearchField
        label="Find a domain"
        value={find}
        onSearch={(text) => changeUrl({ more: { find: text } }, { replace: true })}
      />
      <Chips>
        {domain !== '' && (
          <Chip label={`Pages of ${showHidden(domain)}`} onRemove={() => set({ domain: '', entity: '' })} />
        )}
      </Chips>
    </div>
  )
}

const toOptions = <Value extends string>(names: Readonly<Record<Value, string>>) =>
  (Object.keys(names) as Value[]).map((value) => ({ value, title: names[value].toLowerCase() }))
