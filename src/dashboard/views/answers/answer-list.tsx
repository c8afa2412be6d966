import { useEffect, useRef } from 'preact/hooks'
import type { Schemas } from '../../../client/client.ts'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { toCount, toCountOf, toShortDay } from '../../format.ts'
import { ENGINE_NAMES, TONE_NAMES, type Tone } from '../../names.ts'
import { changeUrl } from '../../navigation.ts'
import { Chip, Chips } from '../../parts/chip.tsx'
import { textColumn } from '../../parts/columns.tsx'
import { DataTable, Pages } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Select } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { isBusy } from '../../parts/shown.tsx'
import { toUrl, type ViewState, withChange } from '../../url-state.ts'
import type { ViewProps } from '../view-props.ts'
import { toPlace, writePlace } from './permalink.ts'
import { ShortcutsSwitch } from './shortcuts.tsx'
import { type AnswerList, PAGE_SIZE } from './use-answer-list.ts'
import { isPlain, readWanted, toTone } from './wanted.ts'

type Answer = Schemas['Answer']

export interface AnswerListPanelProps extends ViewProps {
  readonly list: AnswerList
  readonly shownId: string | undefined
}

/** The list of answers with the filters that only it has. */
export function AnswerListPanel({ state, site, list, shownId }: AnswerListPanelProps) {
  const { answers, total, narrowed, page, turn, questions, chosen, loading } = list
  return (
    <div class="reader-list">
      <Panel
        title="Answers"
        method="answers"
        questions={questions}
        chosen={chosen}
        loading={loading}
        controls={<Filters state={state} name={site.name} answers={answers} isLoading={isBusy(loading)} />}
        sentence={!total ? undefined : <Total total={total} narrowed={narrowed} />}
        numbers={<AnswersTable answers={answers} name={site.name} />}
      >
        {answers.length === 0 ? (
          <NoAnswers state={state} />
        ) : (
          <ol class="answer-list">
            {answers.map((answer) => (
              <ListedAnswer
                key={answer.id}
                state={state}
                name={site.name}
                answer={answer}
                isShown={answer.id === shownId}
              />
            ))}
          </ol>
        )}
        <Pages page={page} size={PAGE_SIZE} total={total ?? 0} onTurn={turn} />
        <ShortcutsSwitch />
      </Panel>
    </div>
  )
}

function Total({ total, narrowed }: { readonly total: number; readonly narrowed: AnswerList['narrowed'] }) {
  const read = narrowed?.promptIds.length ?? 0
  const left = (narrowed?.prompts ?? 0) - read
  return (
    <>
      <span data-metric="answers" data-value={total}>
        {toCountOf(total, 'answer')}
      </span>
      {left === 0
        ? ', newest first.'
        : `, newest first, to the ${toCount(read)} prompts with the most of them. ` +
          `There are more for ${toCount(left)} other prompts: choose a category or an engine to see them.`}
    </>
  )
}

function NoAnswers({ state }: { readonly state: ViewState }) {
  const isFiltered = state.engines.length > 0 || !isPlain(state, readWanted(state)) || readWanted(state).prompt !== ''
  if (!isFiltered) return <Empty kind="none" title="No answers in these days." />
  return (
    <Empty kind="filtered" title="No answer fits.">
      <p>Take a filter away, or choose more days.</p>
    </Empty>
  )
}

interface FiltersProps {
  readonly state: ViewState
  readonly name: string
  readonly answers: readonly Answer[]
  readonly isLoading: boolean
}

function Filters({ state, name, answers, isLoading }: FiltersProps) {
  const wanted = readWanted(state)
  const set = (more: Readonly<Record<string, string>>): void => changeUrl({ more: { ...more, answer: '' } })
  const found = answers.find(({ prompt }) => prompt?.id === wanted.prompt)?.prompt?.text
  const prompt = found ?? (isLoading ? '…' : wanted.prompt)
  return (
    <div class="answer-filters">
      <Select
        label="Names"
        value={wanted.named}
        options={[
          { value: '', title: 'anyone' },
          { value: 'yes', title: name },
          { value: 'no', title: `not ${name}` },
        ]}
        onPick={(named) => set({ named })}
      />
      <Select
        label="Tone"
        value={wanted.tone}
        options={[
          { value: '', title: 'any' },
          ...Object.entries(TONE_NAMES).map(([tone, title]) => ({ value: tone as Tone, title: title.toLowerCase() })),
        ]}
        onPick={(tone) => set({ tone })}
      />
      <Chips>
        {wanted.prompt !== '' && <Chip label={`Prompt: ${showHidden(prompt)}`} onRemove={() => set({ prompt: '' })} />}
        {wanted.brand !== '' && (
          <Chip label={`Names ${showHidden(wanted.brand)}`} onRemove={() => set({ brand: '' })} />
        )}
        {wanted.domain !== '' && (
          <Chip label={`Cites ${showHidden(wanted.domain)}`} onRemove={() => set({ domain: '' })} />
        )}
      </Chips>
    </div>
  )
}

interface ListedAnswerProps {
  readonly state: ViewState
  readonly name: string
  readonly answer: Answer
  readonly isShown: boolean
}

function ListedAnswer({ state, name, answer, isShown }: ListedAnswerProps) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    const frame = link.current?.closest('.answer-list')
    if (isShown && frame !== null && frame !== undefined && frame.scrollHeight > frame.clientHeight) {
      link.current?.scrollIntoView({ block: 'nearest' })
    }
  }, [isShown])
  const place = toPlace(answer)
  if (place === undefined) return null
  const href = toUrl(withChange(state, { more: { answer: writePlace(place) } }))
  return (
    <li>
      <a ref={link} href={href} aria-current={isShown ? 'true' : undefined}>
        <span class="answer-about quiet">
          <span>{ENGINE_NAMES[place.platform]}</span>
          <time dateTime={place.date}>{toShortDay(place.date)}</time>
        </span>
        <span class="answer-prompt" dir="auto">
          {showHidden(answer.prompt?.text ?? '')}
        </span>
        <Naming answer={answer} name={name} />
      </a>
    </li>
  )
}

/** Whether an answer names the own brand, and how it speaks of it. */
export function Naming({ answer, name }: { readonly answer: Answer; readonly name: string }) {
  const tone = toTone(answer)
  if (tone === undefined) return <span class="naming quiet">doesn’t name {showHidden(name)}</span>
  return (
    <span class="naming">
      names {showHidden(name)}
      <span class={`tone tone-${tone}`}>{TONE_NAMES[tone].toLowerCase()}</span>
    </span>
  )
}

function AnswersTable({ answers, name }: { readonly answers: readonly Answer[]; readonly name: string }) {
  return (
    <DataTable<Answer>
      caption="Answers"
      rows={answers}
      keyOf={({ id }) => id}
      columns={[
        textColumn('Day', ({ date = '' }) => date),
        { title: 'Engine', cell: ({ platform }) => platform !== undefined && ENGINE_NAMES[platform] },
        { title: 'Prompt', isWide: true, cell: ({ prompt }) => showHidden(prompt?.text ?? '') },
        { title: `Names ${name}`, cell: ({ brand_mentioned }) => (brand_mentioned === true ? 'yes' : 'no') },
        { title: 'Tone', cell: (answer) => TONE_NAMES[toTone(answer) ?? 'not_judged'] },
      ]}
    />
  )
}
