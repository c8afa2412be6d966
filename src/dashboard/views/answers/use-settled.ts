import { useEffect, useState } from 'preact/hooks'

/** Longer than a key that is held down needs to repeat. */
const REST_MS = 100

/** A text once it stays what it is; so walking fast through a list asks only for what one stops at. */
export function useSettled(text: string | undefined): string | undefined {
  const [settled, settle] = useState(text)
  useEffect(() => {
    if (settled === undefined) return settle(text)
    const timer = setTimeout(() => settle(text), REST_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
