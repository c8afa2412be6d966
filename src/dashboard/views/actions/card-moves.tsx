import { useState } from 'preact/hooks'
import { change } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextArea } from '../../parts/field.tsx'
import { toast } from '../../parts/toast.tsx'
import { forgetAnswers } from '../../use-answer.ts'
import { useAttempt } from '../../use-attempt.ts'
import type { CardProps } from './card.tsx'

type Move = 'done' | 'dismiss' | 'reopen'

const SAID: Readonly<Record<Move, string>> = {
  done: 'Marked as done. The result is due in 28 days.',
  dismiss: 'Dismissed. The same finding makes no new card.',
  reopen: 'Open again.',
}

/** What one can do with a card: open → done or dismissed, and back. */
export function CardMoves({ card, site }: Pick<CardProps, 'card' | 'site'>) {
  const [asked, ask] = useState<'done' | 'dismiss' | undefined>()
  const { isBusy, fault, move } = useMove(
    `/sites/${encodeURIComponent(site.id)}/actions/${encodeURIComponent(card.id)}`,
  )
  return (
    <div class="card-moves">
      {card.status === 'open' ? (
        <>
          <Button kind="primary" onClick={() => ask('done')}>
            Mark as done…
          </Button>
          <Button onClick={() => ask('dismiss')}>Dismiss…</Button>
        </>
      ) : (
        <Button isBusy={isBusy} onClick={() => move('reopen')}>
          Open again
        </Button>
      )}
      {card.status === 'done' && <span class="quiet">Opening it again drops what was measured.</span>}
      {asked === undefined && fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      {asked !== undefined && (
        <MoveDialog
          to={asked}
          title={card.title}
          isBusy={isBusy}
          fault={fault}
          onMove={(note) => move(asked, note, () => ask(undefined))}
          onClose={() => ask(undefined)}
        />
      )}
    </div>
  )
}

function useMove(path: string) {
  const { isBusy, fault, run } = useAttempt()
  const move = (to: Move, note = '', onDone?: () => void): void =>
    run(async () => {
      await change('POST', `${path}/${to}`, note === '' ? {} : { note })
      forgetAnswers()
      toast(SAID[to])
      onDone?.()
    })
  return { isBusy, fault, move }
}

interface MoveDialogProps {
  readonly to: 'done' | 'dismiss'
  readonly title: string
  readonly isBusy: boolean
  readonly fault: string | undefined
  readonly onMove: (note: string) => void
  readonly onClose: () => void
}

function MoveDialog({ to, title, isBusy, fault, onMove, onClose }: MoveDialogProps) {
  const [note, write] = useState('')
  return (
    <Dialog title={to === 'done' ? 'Mark as done' : 'Dismiss'} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          onMove(note.trim())
        }}
      >
        <p>
          <b>{title}</b>
        </p>
        <p class="quiet">
          {to === 'done'
            ? 'How it is now is measured at once, and again in 28 days, against the prompts that nobody touched. Mark it when it is live.'
            : 'The card goes away, and the same finding makes no new one. It can be opened again.'}
        </p>
        <TextArea
          label={to === 'done' ? 'What was done (optional)' : 'Why (optional)'}
          name="note"
          value={note}
          onInput={write}
          fault={fault}
        />
        <div class="dialog-ways">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {to === 'done' ? 'Mark as done' : 'Dismiss'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
