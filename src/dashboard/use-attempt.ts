import { useRef, useState } from 'preact/hooks'
import { Refusal } from './api.ts'
import { toRefusalText } from './refusal-words.ts'

/** One try at a time of what changes something: others are passed over meanwhile. What went wrong is told in words. */
export function useAttempt() {
  const [fault, setFault] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)
  // A second click may come before the first is rendered.
  const isRunning = useRef(false)
  const run = (attempt: () => Promise<unknown>): void => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setFault(undefined)
    attempt()
      .catch((error: unknown) => setFault(toFault(error)))
      .finally(() => {
        isRunning.current = false
        setBusy(false)
      })
  }
  return { fault, isBusy, run }
}

function toFault(error: unknown): string {
  if (error instanceof Refusal) return toRefusalText(error)
  reportError(error)
  return 'The reply could not be read, so this may or may not be done. Load the page again and look.'
}
