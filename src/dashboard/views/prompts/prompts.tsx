import { useState } from 'preact/hooks'
import type { PromptUsage } from '../../../http/dashboard/operations/get-prompt-usage.ts'
import type { Schemas } from '../../../client/client.ts'
import { toCount, toCountOf } from '../../format.ts'
import { changeUrl } from '../../navigation.ts'
import { Button } from '../../parts/button.tsx'
import { Pages } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { SearchField, Select } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Said } from '../../parts/shown.tsx'
import { useRows, useThing } from '../../use-reply.ts'
import type { ViewProps } from '../view-props.ts'
import { AddPrompts } from './add-prompts.tsx'
import { PromptTable } from './prompt-table.tsx'
import { toPageQuestions, toQuestions } from './questions.ts'
import { SelectionBar } from './selection-bar.tsx'
import { arrange, PAGE_ROWS, readTable, type TableState, toPage, toPromptRows } from './table.ts'

const STATUSES: readonly { readonly value: TableState['status']; readonly title: string }[] = [
  { value: 'all', title: 'all' },
  { value: 'active', title: 'switched on' },
  { value: 'disabled', title: 'switched off' },
]

/** The questions that are asked every day: what each brings, and which of them are asked. */
export function Prompts(props: ViewProps) {
  const { state } = props
  const questions = toQuestions(props)
  const prompts = useRows<Schemas['Prompt']>(questions.prompts)
  const measured = useRows(questions.measured)
  const usage = useThing<PromptUsage>(questions.usage)
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const [isAdding, add] = useState(false)
  const table = readTable(state)
  const all = toPromptRows(prompts.value ?? [], measured.value ?? [])
  const found = arrange(all, table, state.categories)
  const { rows, page, pages } = toPage(found, table.page)
  const ofPage = toPageQuestions(
    props,
    rows.flatMap(({ prompt, measured }) => (measured === undefined ? [] : [prompt.id])),
  )
  const cells = useRows(ofPage?.cells)
  const days = useRows(ofPage?.days)
  const more = (changed: Record<string, string>, options?: { readonly replace: boolean }): void =>
    changeUrl({ more: { page: '', ...changed } }, options)
  const chosen = all.filter(({ prompt }) => selected.has(prompt.id)).map(({ prompt }) => prompt)
  const isNew = prompts.value?.length === 0
  return (
    <>
      <Panel
        title="Prompts"
        sentence={
          <>
            {prompts.value !== undefined && toSentence(prompts.value)}{' '}
            <Said of={usage}>{(known) => toUsageSentence(known, prompts.value ?? [])}</Said>
          </>
        }
        questions={[questions.prompts, questions.measured, ofPage?.cells, ofPage?.days]}
        method="mention-rate"
        loading={[prompts, measured, cells, days]}
        later={[usage]}
        controls={
          <div class="view-ways">
            {!isNew && (
              <>
                <SearchField
                  label="Search prompts"
                  value={table.search}
                  onSearch={(q) => more({ q }, { replace: true })}
                />
                <Select
                  label="Show"
                  value={table.status}
                  options={STATUSES}
                  onPick={(status) => more({ status: status === 'all' ? '' : status })}
                />
              </>
            )}
            <Button kind="primary" onClick={() => add(true)}>
              Add prompts
            </Button>
          </div>
        }
      >
        {isNew ? (
          <Empty kind="not_connected" title="No prompts yet.">
            <p>Prompts are the questions that answer engines are asked every day. Add some, or bring in a CSV file.</p>
          </Empty>
        ) : found.length === 0 ? (
          <Empty kind="filtered" title="No prompt is like that.">
            <Button onClick={() => changeUrl({ categories: [], more: { q: '', status: '', page: '' } })}>
              Show all {toCount(all.length)}
            </Button>
          </Empty>
        ) : (
          <>
            {chosen.length > 0 && (
              <SelectionBar
                {...props}
                chosen={chosen}
                found={found.map(({ prompt }) => prompt)}
                onSelect={(ids) => select(new Set(ids))}
              />
            )}
            <PromptTable
              {...props}
              table={table}
              rows={rows}
              cells={cells.value ?? []}
              days={days.value ?? []}
              selected={selected}
              onSelect={select}
            />
            <Pages
              page={page - 1}
              size={PAGE_ROWS}
              total={pages === 1 ? rows.length : found.length}
              onTurn={(turned) => more({ page: turned === 0 ? '' : String(turned + 1) })}
            />
          </>
        )}
      </Panel>
      {isAdding && <AddPrompts {...props} usage={usage.value} onClose={() => add(false)} />}
    </>
  )
}

type ThePrompts = readonly Schemas['Prompt'][]

const countActive = (prompts: ThePrompts): number => prompts.filter(({ status }) => status === 'active').length

function toSentence(prompts: ThePrompts): string {
  if (prompts.length === 0) return ''
  return `${toCountOf(prompts.length, 'prompt')}, ${toCount(countActive(prompts))} of them switched on.`
}

function toUsageSentence(usage: PromptUsage, prompts: ThePrompts): string {
  const elsewhere =
    usage.active > countActive(prompts) ? ` over all sites, of which ${toCount(usage.active)} are used` : ''
  return `The plan allows ${toCount(usage.limit)}${elsewhere}, so ${toCount(usage.free)} more can be switched on.`
}
