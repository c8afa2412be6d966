import { useState } from 'preact/hooks'
import { Refusal } from './api.ts'

/** One try of a form at a time, and what the service said against it. */
export function useAttempt() {
  const [fault, setFault] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)
  const run = (attempt: () => Promise<unknown>): void => {
    setBusy(true)
    setFault(undefined)
    attempt()
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
        setFault([error.message, ...error.details.map(({ message }) => message)].join(' '))
      })
      .finally(() => setBusy(false))
  }
  return { fault, isBusy, run }
}
