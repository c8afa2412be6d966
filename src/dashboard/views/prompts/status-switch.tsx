import type { Schemas } from '../../api.ts'
import { useAct } from '../../parts/act-button.tsx'
import { setStatus } from './changes.ts'

interface StatusSwitchProps {
  readonly site: Schemas['Site']
  readonly prompt: Schemas['Prompt']
}

/** Whether a prompt is asked every day; a click changes it. */
export function StatusSwitch({ site, prompt }: StatusSwitchProps) {
  const { isBusy, run } = useAct()
  const isOn = prompt.status === 'active'
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={isOn}
      aria-label={`Ask ${prompt.text}`}
      aria-busy={isBusy}
      onClick={() => run(() => setStatus(site, [prompt.id], isOn ? 'disabled' : 'active'))}
    >
      <span class="switch-mark" aria-hidden="true" />
      {isOn ? 'on' : 'off'}
    </button>
  )
}
