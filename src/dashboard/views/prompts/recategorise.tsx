import { useState } from 'preact/hooks'
import type { Schemas } from '../../../client/client.ts'
import { toCountOf } from '../../format.ts'
import { CATEGORIES } from '../../names.ts'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { Field, Select } from '../../parts/field.tsx'
import { recategorise } from './changes.ts'

interface RecategoriseProps {
  readonly site: Schemas['Site']
  readonly chosen: readonly Schemas['Prompt'][]
  readonly onClose: () => void
  readonly onDone: () => void
}

const KEEP = 'keep'
const MARKETS = [
  { value: KEEP, title: 'as it is' },
  { value: 'own', title: 'the site’s own' },
  { value: 'other', title: 'another' },
] as const

/** Another category or market for prompts; their texts stay. */
export function Recategorise({ site, chosen, onClose, onDone }: RecategoriseProps) {
  const [category, setCategory] = useState<Schemas['Category'] | typeof KEEP>(KEEP)
  const [place, setPlace] = useState<(typeof MARKETS)[number]['value']>(KEEP)
  const [market, setMarket] = useState('')
  const isNothing = category === KEEP && (place === KEEP || (place === 'other' && market.trim() === ''))
  const ids = chosen.map(({ id }) => id)
  const to = {
    ...(category === KEEP ? {} : { category }),
    ...(place === 'own' ? { market: null } : {}),
    ...(place === 'other' && market.trim() !== '' ? { market: market.trim() } : {}),
  }
  const send = async (): Promise<void> => {
    await recategorise(site, ids, to)
    onClose()
    onDone()
  }
  return (
    <DialogForm
      title={`Change ${toCountOf(chosen.length, 'prompt')}`}
      action="Change"
      isReady={!isNothing}
      onSubmit={send}
      onClose={onClose}
    >
      <p class="quiet">Reports count all answers of a prompt, old ones too, in the category that it has today.</p>
      <Select
        label="Category"
        value={category}
        options={[{ value: KEEP, title: 'as it is' }, ...CATEGORIES.map((one) => ({ value: one, title: one }))]}
        onPick={setCategory}
      />
      <Select label="Market" value={place} options={MARKETS} onPick={setPlace} />
      {place === 'other' && (
        <Field
          label="Market"
          name="market"
          value={market}
          onInput={setMarket}
          hint="A place as one would say it, such as Vienna, Austria."
        />
      )}
    </DialogForm>
  )
}
