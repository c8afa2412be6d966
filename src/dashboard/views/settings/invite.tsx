import { useState } from 'preact/hooks'
import type { WithLink } from '../../../http/dashboard/operations/members.ts'
import { change } from '../../api.ts'
import { toMinute } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { withPassword } from '../../parts/confirm-password.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { Field, Select } from '../../parts/field.tsx'
import { forgetReplies } from '../../use-reply.ts'

/** A one-time link, to hand on. */
export interface ShownLink {
  readonly mail: string
  readonly url: string
  readonly expiresAt: string
  /** For somebody who is a member already. */
  readonly isReset: boolean
}

interface InviteProps {
  readonly onClose: () => void
  readonly onInvited: (link: ShownLink) => void
}

/** Invites somebody; the service sends no mail, so the link is handed on by hand. */
export function Invite({ onClose, onInvited }: InviteProps) {
  const [mail, setMail] = useState('')
  const [role, setRole] = useState<'member' | 'owner'>('member')
  return (
    <DialogForm
      title="Invite"
      action="Make a link"
      onSubmit={async () => {
        const reply = await withPassword(() =>
          change<{ data: WithLink }>('POST', '/members', { mail: mail.trim(), role }),
        )
        if (reply === undefined) return
        forgetReplies()
        const { link: url, expires_at: expiresAt } = reply.data
        onInvited({ mail: mail.trim(), url, expiresAt, isReset: false })
      }}
      onClose={onClose}
    >
      <Field
        label="Mail"
        type="email"
        name="mail"
        value={mail}
        onInput={setMail}
        isRequired
        isFirst
        hint="You get a link to hand on; no mail is sent."
      />
      <Select
        label="As"
        value={role}
        options={[
          { value: 'member', title: 'member' },
          { value: 'owner', title: 'owner' },
        ]}
        onPick={setRole}
      />
    </DialogForm>
  )
}

/** Shows a one-time link this one time. */
export function LinkDialog({ link, onClose }: { readonly link: ShownLink; readonly onClose: () => void }) {
  const { mail, url, expiresAt, isReset } = link
  return (
    <Dialog title={isReset ? 'A new link' : 'An invitation'} onClose={onClose} isWide>
      <div class="form">
        <p>
          Hand this link to <b>{mail}</b>, and to nobody else: whoever opens it first sets the password. It works once,
          until {toMinute(expiresAt)}, and is shown this one time.
        </p>
        <CopyField label="Link" name="link" value={url} what="The link is" isFirst />
        <div class="dialog-ways">
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
