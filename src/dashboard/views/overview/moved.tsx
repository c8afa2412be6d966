import type { Schemas } from '../../../client/client.ts'
import { toCount, toCountOf, toDays, toPercent } from '../../format.ts'
import { amountColumn, wideColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Verdict } from '../../parts/verdict.tsx'
import { toUrl, toView, type ViewState } from '../../url-state.ts'
import type { PartProps } from './part-props.ts'
import { findMoved, listMoved } from './story.ts'

type ChangeRow = Schemas['ChangeRow']
const SHOWN = 7

/** Which prompts moved so far that chance doesn't explain it. */
export function Moved({ state, compared, questions, replies }: PartProps) {
  if (compared === undefined) {
    return (
      <Panel title="Prompts that moved" questions={[]} method="change" loading={[]}>
        <Empty kind="none" title="Nothing is compared.">
          Switch the comparison on above to see which prompts moved.
        </Empty>
      </Panel>
    )
  }
  const rows = replies.changesByPrompt.value ?? []
  const moved = listMoved(findMoved(rows))
  const told = rows.filter(({ verdict }) => verdict !== 'not_enough_data').length
  const before = toDays(compared.start_date, compared.end_date)
  const sentence =
    told === 0
      ? undefined
      : `Of ${toCountOf(told, 'prompt')} with enough answers in both periods, ${toCount(moved.length)} changed significantly from ${before}. Each engine weighs the same in both, so a share may differ from that of all answers.`
  return (
    <Panel
      title="Prompts that moved"
      sentence={sentence}
      questions={[questions.changesByPrompt]}
      method="change"
      loading={[replies.changesByPrompt]}
      numbers={
        <DataTable<ChangeRow>
          caption={sentence ?? 'Prompts'}
          rows={rows}
          keyOf={toKey}
          columns={[
            wideColumn('Prompt', toText, (row) => <PromptLink row={row} state={state} />),
            amountColumn('Before', ({ previous }) => previous, toPercent),
            amountColumn('Now', ({ value }) => value, toPercent),
            amountColumn('Engines', ({ cells }) => cells),
            { title: 'Change', cell: (row) => <Verdict change={row} />, sortBy: (row) => row.change },
          ]}
        />
      }
    >
      {moved.length === 0 ? (
        <Empty kind="none" title={told === 0 ? 'Nothing can be compared.' : 'No prompt changed significantly.'}>
          {told === 0 && `No prompt has enough answers in these days and in ${before}.`}
        </Empty>
      ) : (
        <ul class="moved">
          {moved.slice(0, SHOWN).map((row) => (
            <li key={toKey(row)} data-key={toKey(row)}>
              <PromptLink row={row} state={state} />
              <span class="moved-by">
                <Verdict change={row} />
                <small class="basis">
                  {toShare(row.previous)} → {toShare(row.value)}, {toCountOf(row.cells, 'engine')}
                </small>
              </span>
            </li>
          ))}
        </ul>
      )}
      {moved.length > SHOWN && (
        <p class="quiet">And {toCount(moved.length - SHOWN)} more: see Numbers, where those that moved stand first.</p>
      )}
    </Panel>
  )
}

function PromptLink({ row, state }: { readonly row: ChangeRow; readonly state: ViewState }) {
  return (
    <a dir="auto" href={toUrl(toView(state, 'answers', { prompt: toKey(row) }))}>
      {toText(row)}
    </a>
  )
}

const toKey = ({ prompt }: ChangeRow): string => prompt?.id ?? ''
const toText = ({ prompt }: ChangeRow): string => prompt?.text ?? ''
const toShare = (share: number | null): string => (share === null ? '–' : toPercent(share))
