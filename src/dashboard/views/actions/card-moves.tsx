import { useState } from 'preact/hooks'
import { change } from '../../api.ts'
import { toSitePath } from '../../site-path.ts'
import { CARD_WINDOW_DAYS } from '../../bounds.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Button } from '../../parts/button.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { TextArea } from '../../parts/field.tsx'
import { toast } from '../../parts/toast.tsx'
import { forgetReplies } from '../../use-reply.ts'
import type { CardProps } from './card.tsx'

type Move = 'done' | 'dismiss' | 'reopen'

const SAID: Readonly<Record<Move, string>> = {
  done: `Marked as done. The result is due in ${CARD_WINDOW_DAYS} days.`,
  dismiss: 'Dismissed. The same finding makes no new card.',
  reopen: 'Open again.',
}

/** What one can do with a card: open → done or dismissed, and back. */
export function CardMoves({ card, site }: Pick<CardProps, 'card' | 'site'>) {
  const [asked, ask] = useState<'done' | 'dismiss' | undefined>()
  const path = toSitePath(site.id, `actions/${encodeURIComponent(card.id)}`)
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
        <ActButton onAct={() => move(path, 'reopen')}>Open again</ActButton>
      )}
      {card.status === 'done' && <span class="quiet">Opening it again drops what was measured.</span>}
      {asked !== undefined && (
        <MoveDialog
          to={asked}
          title={card.title}
          onMove={(note) => move(path, asked, note)}
          onClose={() => ask(undefined)}
        />
      )}
    </div>
  )
}

async function move(path: string, to: Move, note = ''): Promise<void> {
  await change('POST', `${path}/${to}`, note === '' ? {} : { note })
  forgetReplies()
  toast(SAID[to])
}

interface MoveDialogProps {
  readonly to: 'done' | 'dismiss'
  readonly title: string
  readonly onMove: (note: string) => Promise<void>
  readonly onClose: () => void
}

function MoveDialog({ to, title, onMove, onClose }: MoveDialogProps) {
  const [note, write] = useState('')
  const action = to === 'done' ? 'Mark as done' : 'Dismiss'
  return (
    <DialogForm
      title={action}
      action={action}
      onSubmit={async () => {
        await onMove(note.trim())
        onClose()
      }}
      onClose={onClose}
    >
      <p>
        <b>{title}</b>
      </p>
      <p class="quiet">
        {to === 'done'
          ? `How it is now is measured at once, and again in ${CARD_WINDOW_DAYS} days, against the prompts that nobody touched. Mark it when it is live.`
          : 'The card goes away, and the same finding makes no new one. It can be opened again.'}
      </p>
      <TextArea
        label={to === 'done' ? 'What was done (optional)' : 'Why (optional)'}
        name="note"
        value={note}
        onInput={write}
      />
    </DialogForm>
  )
}
