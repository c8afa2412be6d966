import { useState } from 'preact/hooks'
import type { WaysToSignIn } from '../../http/dashboard/operations/sign-in.ts'
import { change, Refusal } from '../api.ts'
import { openDialog } from '../open-dialogs.tsx'
import { getMe, toProviderUrl } from '../session.ts'
import { useThing } from '../use-reply.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { DialogForm } from './dialog-form.tsx'
import { PasswordField } from './field.tsx'

/**
 * Runs a change that may need the password again: where the service asks for it, so does a dialog, and the change runs
 * anew. Undefined when the reader thinks better of it. Throws Refusal for anything else.
 */
export async function withPassword<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'password_required') throw error
  }
  const isConfirmed = await openDialog<boolean>((close) =>
    getMe()?.has_password === false ? <NoPassword decide={close} /> : <Asking decide={close} />,
  )
  return isConfirmed ? run() : undefined
}

function Asking({ decide }: { readonly decide: (isConfirmed: boolean) => void }) {
  const [password, setPassword] = useState('')
  return (
    <DialogForm
      title="Your password, please"
      action="Confirm"
      onSubmit={async () => {
        await change('POST', '/confirm-password', { password })
        decide(true)
      }}
      onClose={() => decide(false)}
    >
      <PasswordField
        autocomplete="current-password"
        value={password}
        onInput={setPassword}
        isFirst
        hint="Changes to keys and members need it again; it then holds for ten minutes."
      />
    </DialogForm>
  )
}

/** For those who came by a link or by their organization's sign-in, which asks them again who they are. */
function NoPassword({ decide }: { readonly decide: (isConfirmed: boolean) => void }) {
  const ways = useThing<WaysToSignIn>({ method: 'GET', path: '/ways-to-sign-in' }).value
  return (
    <Dialog title="Sign in once more, please" onClose={() => decide(false)}>
      <p>
        Changes to keys and members need proof that it is still you, and you have no password here. Sign in again the
        way you came; for ten minutes you can then change them.
      </p>
      <div class="dialog-ways">
        <Button onClick={() => decide(false)}>Close</Button>
        {ways?.oidc && (
          <a class="button button-primary" href={toProviderUrl({ confirms: true })} target="_self">
            Sign in with {ways.oidc.name}
          </a>
        )}
      </div>
    </Dialog>
  )
}
