import { useEffect } from 'preact/hooks'
import { keepChoice, readChoice } from '../../kept-choice.ts'

const KEPT_AS = 'answer-keys'

/** Whether single letters do something: those who dictate must be able to turn that off. */
let areOn = readChoice(KEPT_AS) !== 'off'

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
      if (!areOn || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
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
        defaultChecked={areOn}
        onChange={(event) => {
          areOn = event.currentTarget.checked
          keepChoice(KEPT_AS, areOn ? 'on' : 'off')
        }}
      />
      <span>
        <kbd>j</kbd> next, <kbd>k</kbd> previous
      </span>
    </label>
  )
}
