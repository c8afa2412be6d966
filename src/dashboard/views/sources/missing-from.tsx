import { FILTER_VALUES_MAX } from '../../bounds.ts'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { toCount, toCountOf } from '../../format.ts'
import { changeUrl } from '../../navigation.ts'
import { DataTable, Pages } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Segments } from '../../parts/segments.tsx'
import { toUrl, toView } from '../../url-state.ts'
import { usePages } from '../../use-pages.ts'
import { useRows } from '../../use-reply.ts'
import type { ViewProps } from '../view-props.ts'
import { findGap } from './gap.ts'
import { toGapQuestion, toPromptsQuestion } from './questions.ts'
import { readChoices } from './choices.ts'
import { COUNT_COLUMNS, KIND_COLUMN, keyOf, SourceName, toAnswersColumn } from './source-cells.tsx'

const PAGE_SIZE = 10

/** What answers cite to the prompts for which no answer has the own brand: where a mention of it would help. */
export function MissingFrom(props: ViewProps) {
  const { state, site } = props
  const { gap } = readChoices(state)
  const name = showHidden(site.name)
  const verb = gap === 'named' ? `names ${name}` : `cites ${showHidden(site.domain)}`
  const promptsQuestion = toPromptsQuestion(props)
  const prompts = useRows(promptsQuestion)
  const found = prompts.value && findGap(prompts.value, gap)
  const question = found && toGapQuestion(props, found.promptIds)
  const { rows, total, page, turn, loading } = usePages(question, PAGE_SIZE)
  return (
    <Panel
      title="Cited where you aren’t"
      method="citations"
      questions={[question, promptsQuestion]}
      loading={[prompts, loading]}
      sentence={
        found !== undefined &&
        found.promptIds.length > 0 && (
          <>
            For {toCount(found.promptIds.length)} of {toCountOf(found.prompts, 'prompt')} no answer {verb} (
            {toCountOf(found.answers, 'answer')}).
            {rows.length > 0 && (
              <>
                {' '}
                {total === 1
                  ? 'One site of a third party is cited there'
                  : `${toCount(total ?? 0)} sites of third parties are cited there`}
                {found.promptIds.length > FILTER_VALUES_MAX
                  ? `, to the first ${toCount(FILTER_VALUES_MAX)} of them`
                  : ''}
                . <a href={toUrl(toView(state, 'actions'))}>Actions</a> say what to do about the weightiest.
              </>
            )}
          </>
        )
      }
      controls={
        <Segments
          label="Where you are missing"
          value={gap}
          options={[
            { value: 'named', title: 'Never named' },
            { value: 'cited', title: 'Never cited' },
          ]}
          onPick={(value) => changeUrl({ more: { gap: value === 'cited' ? value : '' } })}
        />
      }
    >
      {found?.promptIds.length === 0 ? (
        <Empty
          kind="none"
          title={found.prompts === 0 ? 'No answers in these days.' : `For every prompt some answer ${verb}.`}
        />
      ) : (
        <>
          <DataTable
            caption="Cited where you aren’t"
            rows={rows}
            keyOf={keyOf}
            pageSize={PAGE_SIZE}
            empty={<Empty kind="none" title="These answers cite no site of a third party." />}
            columns={[
              { title: 'Domain', isWide: true, cell: (row) => <SourceName state={state} row={row} /> },
              ...COUNT_COLUMNS,
              KIND_COLUMN,
              toAnswersColumn(state, gap === 'named' ? { named: 'no' } : {}),
            ]}
          />
          <Pages of="Cited where you aren’t" page={page} size={PAGE_SIZE} total={total ?? 0} onTurn={turn} />
        </>
      )}
    </Panel>
  )
}
