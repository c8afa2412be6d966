import { useState } from 'preact/hooks'
import type { PromptUsage } from '../../../http/dashboard/operations/get-prompt-usage.ts'
import type { Schemas } from '../../../client/client.ts'
import { toCountOf } from '../../format.ts'
import { CATEGORIES } from '../../names.ts'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { Field, Select, TextArea } from '../../parts/field.tsx'
import { Segments } from '../../parts/segments.tsx'
import { toast } from '../../parts/toast.tsx'
import { forgetReplies } from '../../use-reply.ts'
import { createPrompts, type Creation } from './changes.ts'
import { CreationPreview } from './creation-preview.tsx'
import { type ReadPrompts, readPromptLines, readPromptsCsv } from './new-prompts.ts'
import { readTextFile } from './read-file.ts'

interface AddPromptsProps {
  readonly site: Schemas['Site']
  readonly usage: PromptUsage | undefined
  readonly onClose: () => void
}

/** New prompts, typed or from a file: first what would happen, then it happens. */
export function AddPrompts({ site, usage, onClose }: AddPromptsProps) {
  const [way, setWay] = useState<'typed' | 'file'>('typed')
  const [text, setText] = useState('')
  const [category, setCategory] = useState<Schemas['Category']>('Discovery')
  const [market, setMarket] = useState('')
  const [file, setFile] = useState<ReadPrompts | undefined>()
  const [checked, setChecked] = useState<Creation | undefined>()
  const read = way === 'typed' ? readPromptLines(text, category, market) : file
  const isReady = read !== undefined && read.faults.length === 0 && read.prompts.length > 0
  const isFull = checked !== undefined && usage !== undefined && checked.created.length > usage.free
  const editing = (edit: () => void): void => {
    edit()
    setChecked(undefined)
  }
  const submit = async (): Promise<void> => {
    if (!isReady) return
    if (checked === undefined) return setChecked(await createPrompts(site, read.prompts, true))
    try {
      const { created } = await createPrompts(site, read.prompts, false)
      toast(`${toCountOf(created.length, 'prompt')} added.`)
    } finally {
      forgetReplies()
    }
    onClose()
  }
  return (
    <DialogForm
      title="Add prompts"
      action={checked === undefined ? 'See what would happen' : `Add ${toCountOf(checked.created.length, 'prompt')}`}
      isReady={isReady && !isFull && checked?.created.length !== 0}
      onSubmit={submit}
      onClose={onClose}
      isWide
    >
      <p class="quiet">
        The text of a prompt can’t be edited later, since its answers belong to it: to change one, switch it off and add
        another.
      </p>
      <Segments
        label="From where"
        value={way}
        options={[
          { value: 'typed', title: 'Type them' },
          { value: 'file', title: 'CSV file' },
        ]}
        onPick={(picked) => editing(() => setWay(picked))}
      />
      {way === 'typed' ? (
        <>
          <TextArea
            label="Prompts, one a line"
            name="prompts"
            rows={6}
            value={text}
            onInput={(value) => editing(() => setText(value))}
            hint="As a person would ask: “What is the best helpdesk for a small shop?”"
          />
          <div class="prompt-fields">
            <Select
              label="Category"
              value={category}
              options={CATEGORIES.map((one) => ({ value: one, title: one }))}
              onPick={(picked) => editing(() => setCategory(picked))}
            />
            <Field
              label="Market"
              name="market"
              value={market}
              onInput={(value) => editing(() => setMarket(value))}
              hint="Empty: the site’s own."
            />
          </div>
        </>
      ) : (
        <FileField onRead={(prompts) => editing(() => setFile(prompts))} />
      )}
      {read !== undefined && read.faults.length > 0 && <Faults faults={read.faults} />}
      {read !== undefined && read.ignored.length > 0 && (
        <p class="quiet">
          Columns that are not used: {read.ignored.join(', ')}. Ids and times are given by the service, and new prompts
          are switched on.
        </p>
      )}
      {checked !== undefined && <CreationPreview creation={checked} usage={usage} />}
    </DialogForm>
  )
}

function FileField({ onRead }: { readonly onRead: (prompts: ReadPrompts) => void }) {
  const take = async (file: File): Promise<void> => {
    const read = await readTextFile(file)
    onRead('fault' in read ? { prompts: [], faults: [read.fault], ignored: [] } : readPromptsCsv(read.text))
  }
  return (
    <label class="field">
      <span>CSV file</span>
      <input
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file !== undefined) void take(file)
        }}
      />
      <span class="quiet">
        Its first line names the columns: text and category, and market where there are markets. Categories are{' '}
        {CATEGORIES.join(', ')}.
      </span>
    </label>
  )
}

const FAULTS_SHOWN = 8

function Faults({ faults }: { readonly faults: readonly string[] }) {
  return (
    <ul class="faults" role="alert">
      {faults.slice(0, FAULTS_SHOWN).map((fault) => (
        <li key={fault} class="fault">
          {fault}
        </li>
      ))}
      {faults.length > FAULTS_SHOWN && <li class="fault">And {faults.length - FAULTS_SHOWN} more.</li>}
    </ul>
  )
}
