import type { ComponentChildren } from 'preact'
import { useAttempt } from '../use-attempt.ts'
import { Button, type ButtonProps } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { Fault } from './fault.tsx'

export interface DialogFormProps extends Omit<DialogProps, 'isHeld'> {
  /** What the button says that does it. */
  readonly action: ComponentChildren
  readonly kind?: ButtonProps['kind']
  /** Whether it can be done with what is filled in. */
  readonly isReady?: boolean
  /** Does it; whoever shows the dialog takes it away then. A `Refusal` is shown in the service's words. */
  readonly onSubmit: () => Promise<unknown>
}

/** A dialog in which something is filled in and then done, or only agreed to. */
export function DialogForm(props: DialogFormProps) {
  const { title, onClose, isWide, action, kind = 'primary', isReady = true, onSubmit, children } = props
  const { fault, isBusy, run } = useAttempt()
  return (
    <Dialog title={title} onClose={onClose} isWide={isWide} isHeld={isBusy}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) run(onSubmit)
        }}
      >
        {children}
        <Fault text={fault} />
        <div class="dialog-ways">
          <Button isBusy={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button kind={kind} type="submit" isBusy={isBusy} isDisabled={!isReady}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
