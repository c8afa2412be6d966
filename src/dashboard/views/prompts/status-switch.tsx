import { useState } from 'preact/hooks'
import type { Schemas } from '../../../client/client.ts'
import { useAct } from '../../parts/act-button.tsx'
import { setStatus } from './changes.ts'

interface StatusSwitchProps {
  readonly site: Schemas['Site']
  readonly prompt: Schemas['Prompt']
}

/** Whether a prompt is asked every day; a click changes it. */
export function StatusSwitch({ site, prompt }: StatusSwitchProps) {
  const { isBusy, run } = useAct()
  // Until the list comes anew it says the old status, and a click would set the new one once more.
  const [switched, markSwitched] = useState<Schemas['Prompt'] | undefined>()
  const isOld = switched === prompt
  const isOn = prompt.status === 'active'
  const toggle = async (): Promise<void> => {
    await setStatus(site, [prompt.id], isOn ? 'disabled' : 'active')
    markSwitched(prompt)
  }
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={isOn}
      aria-label={`Ask ${prompt.text}`}
      aria-busy={isBusy || isOld}
      onClick={() => {
        if (!isOld) run(toggle)
      }}
    >
      <span class="switch-mark" aria-hidden="true" />
      {isOn ? 'on' : 'off'}
    </button>
  )
}
