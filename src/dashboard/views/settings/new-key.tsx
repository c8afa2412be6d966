import { useState } from 'preact/hooks'
import type { KeyRow, MadeKey } from '../../../http/dashboard/operations/keys.ts'
import { change } from '../../api.ts'
import { KEY_EXPIRY_DAYS } from '../../bounds.ts'
import { toLongDay } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { withPassword } from '../../parts/confirm-password.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { Field, Select } from '../../parts/field.tsx'
import { forgetReplies } from '../../use-reply.ts'
import { toTryLine } from './key-row.ts'

type Days = `${(typeof KEY_EXPIRY_DAYS)[number]}`

/** Makes a key, and shows its value this one time. */
export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [permission, setPermission] = useState<KeyRow['permission']>('read')
  const [days, setDays] = useState<Days>('90')
  const [made, show] = useState<MadeKey | undefined>()
  if (made !== undefined) return <ShownOnce made={made} onClose={onClose} />
  return (
    <DialogForm
      title="New key"
      action="Make the key"
      onSubmit={async () => {
        const body = { name: name.trim(), permission, expires_in_days: Number(days) }
        const reply = await withPassword(() => change<{ data: MadeKey }>('POST', '/keys', body))
        if (reply === undefined) return
        forgetReplies()
        show(reply.data)
      }}
      onClose={onClose}
    >
      <Field
        label="Name"
        name="name"
        value={name}
        onInput={setName}
        isRequired
        isFirst
        hint="What will use it, such as “Grafana”."
      />
      <Select
        label="It may"
        value={permission}
        options={[
          { value: 'read', title: 'read everything' },
          { value: 'write', title: 'read everything, and manage prompts' },
        ]}
        onPick={setPermission}
      />
      <Select
        label="It expires in"
        value={days}
        options={KEY_EXPIRY_DAYS.map((count) => ({ value: `${count}` as const, title: `${count} days` }))}
        onPick={setDays}
      />
    </DialogForm>
  )
}

function ShownOnce({ made: { key, value }, onClose }: { readonly made: MadeKey; readonly onClose: () => void }) {
  return (
    <Dialog title={`The key “${key.name}”`} onClose={onClose} isWide>
      <div class="form">
        <p class="note">Copy it now: it is shown this one time, and nobody can look it up later.</p>
        <CopyField label="Key" name="key" value={value} what="The key is" isFirst />
        <CopyField
          label="To try it"
          name="try"
          value={toTryLine(value, location.origin)}
          what="The command is"
          hint={`Until ${toLongDay(key.expires_at)}.`}
        />
        <div class="dialog-ways">
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
