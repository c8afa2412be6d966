import { useState } from 'preact/hooks'
import type { Schemas } from '../../api.ts'
import { toCountOf } from '../../format.ts'
import { CATEGORIES } from '../../names.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Select } from '../../parts/field.tsx'
import { useAttempt } from '../../use-attempt.ts'
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
  const { isBusy, fault, run } = useAttempt()
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
  const send = (): void =>
    run(async () => {
      await recategorise(site, ids, to)
      onClose()
      onDone()
    })
  return (
    <Dialog title={`Change ${toCountOf(chosen.length, 'prompt')}`} onClose={onClose}>
      <p class="quiet">Reports count all answers of a prompt, old ones too, in the category that it has today.</p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isNothing) send()
        }}
      >
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
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <div class="dialog-ways">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={isNothing}>
            Change
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
