import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

const KEPT_AS = 'answer-keys'

/** Whether single letters do something: those who dictate must be able to turn that off. */
const areOn = signal(readChoice())

export interface Shortcuts {
  /** `j` */
  readonly onNext: () => void
  /** `k` */
  readonly onPrevious: () => void
}

/** Walks a list with `j` and `k`, but where the reader types or a dialog is open. */
export function useShortcuts({ onNext, onPrevious }: Shortcuts): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { target } = event
      const isTyping =
        target instanceof Element && target.closest('input:not([type=checkbox]), textarea, select, dialog')
      if (!areOn.value || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'j') onNext()
      else if (event.key === 'k') onPrevious()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  })
}

export function ShortcutsSwitch() {
  return (
    <label class="check quiet">
      <input
        type="checkbox"
        checked={areOn.value}
        onChange={(event) => {
          areOn.value = event.currentTarget.checked
          try {
            localStorage.setItem(KEPT_AS, areOn.value ? 'on' : 'off')
          } catch {
            // A browser that keeps nothing has the keys on the next time.
          }
        }}
      />
      <span>
        <kbd>j</kbd> next, <kbd>k</kbd> previous
      </span>
    </label>
  )
}

function readChoice(): boolean {
  try {
    return localStorage.getItem(KEPT_AS) !== 'off'
  } catch {
    return true
  }
}
