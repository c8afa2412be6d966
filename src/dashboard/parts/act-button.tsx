import { useEffect } from 'preact/hooks'
import { useAttempt } from '../use-attempt.ts'
import { Button, type ButtonProps } from './button.tsx'
import { toast } from './toast.tsx'

export interface ActButtonProps extends Omit<ButtonProps, 'type' | 'isBusy' | 'onClick'> {
  /** Does it; a `Refusal` is said in the service's words. */
  readonly onAct: () => Promise<unknown>
}

/** A button that does something at once, without a form. */
export function ActButton({ onAct, ...button }: ActButtonProps) {
  const { isBusy, run } = useAct()
  return <Button {...button} isBusy={isBusy} onClick={() => run(onAct)} />
}

/** One try at a time of what has no form to say beside what went wrong: a toast says it. */
export function useAct() {
  const { fault, ...attempt } = useAttempt()
  useEffect(() => {
    if (fault !== undefined) toast(fault)
  }, [fault])
  return attempt
}
