import { useState } from 'preact/hooks'
import type { Schemas } from '../../../client/client.ts'
import { toCount, toCountOf } from '../../format.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Button } from '../../parts/button.tsx'
import type { ViewProps } from '../view-props.ts'
import { setStatus } from './changes.ts'
import { Recategorise } from './recategorise.tsx'

type Prompt = Schemas['Prompt']

interface SelectionBarProps extends ViewProps {
  readonly chosen: readonly Prompt[]
  /** All that the search and the filters leave, on whatever page. */
  readonly found: readonly Prompt[]
  readonly onSelect: (ids: readonly string[]) => void
}

/** What can be done with the chosen prompts, all at once. */
export function SelectionBar({ site, chosen, found, onSelect }: SelectionBarProps) {
  const [isMoving, move] = useState(false)
  const ids = chosen.map(({ id }) => id)
  const hasOn = chosen.some(({ status }) => status === 'active')
  const hasOff = chosen.some(({ status }) => status === 'disabled')
  const done = (): void => onSelect([])
  const set = async (status: Schemas['PromptStatus']): Promise<void> => {
    await setStatus(site, ids, status)
    done()
  }
  return (
    <div class="selection-bar" role="group" aria-label="Chosen prompts">
      <b>{toCountOf(chosen.length, 'prompt')} chosen</b>
      {hasOff && <ActButton onAct={() => set('active')}>Switch on</ActButton>}
      {hasOn && <ActButton onAct={() => set('disabled')}>Switch off</ActButton>}
      <Button onClick={() => move(true)}>Category or market…</Button>
      {found.length > chosen.length && (
        <Button kind="quiet" onClick={() => onSelect(found.map(({ id }) => id))}>
          Choose all {toCount(found.length)}
        </Button>
      )}
      <Button kind="quiet" onClick={done}>
        Choose none
      </Button>
      {isMoving && <Recategorise site={site} chosen={chosen} onClose={() => move(false)} onDone={done} />}
    </div>
  )
}
