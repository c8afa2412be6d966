import type { Schemas } from '../../../client/client.ts'
import type { Question } from '../../api.ts'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { toCountOf } from '../../format.ts'
import { wideColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { toUrl, toView } from '../../url-state.ts'
import { useRows } from '../../use-reply.ts'
import type { ViewProps } from '../view-props.ts'
import { shareColumn } from './by-engine.tsx'
import { ToneBar } from './tone-bar.tsx'

type Row = Schemas['SentimentRow']

/** The prompts whose answers speak badly of the own brand, those with the most such answers first. */
export function NegativePrompts({ state, question }: ViewProps & { readonly question: Question<Row> }) {
  const asked = useRows(question)
  const rows = (asked.value ?? [])
    .filter(({ negative_answers = 0 }) => negative_answers > 0)
    .toSorted((a, b) => (b.negative_answers ?? 0) - (a.negative_answers ?? 0))
  return (
    <Panel
      title="Prompts with negative answers"
      sentence={
        asked.value &&
        `${toCountOf(rows.length, 'prompt')} had at least one negative answer, those with the most first.`
      }
      method="tone"
      questions={[question]}
      loading={[asked]}
    >
      <DataTable<Row>
        caption="Prompts with negative answers"
        rows={rows}
        keyOf={({ prompt }) => prompt?.id ?? ''}
        pageSize={10}
        empty={<Empty kind="none" title="No answer speaks badly of you in these days." />}
        columns={[
          wideColumn(
            'Prompt',
            ({ prompt }) => prompt?.text ?? '',
            ({ prompt }) =>
              prompt !== undefined && (
                <a
                  class="prompt-link"
                  dir="auto"
                  title={showHidden(prompt.text)}
                  href={toUrl(toView(state, 'answers', { prompt: prompt.id, tone: 'negative' }))}
                >
                  {showHidden(prompt.text)}
                </a>
              ),
          ),
          { title: 'All', cell: (row) => <ToneBar row={row} /> },
          { ...shareColumn('Negative', 'negative'), sortBy: ({ negative_answers = 0 }) => negative_answers },
        ]}
      />
    </Panel>
  )
}
