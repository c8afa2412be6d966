import { useEffect, useState } from 'preact/hooks'
import type { WaysToSignIn } from '../../http/dashboard/operations/sign-in.ts'
import { Button } from '../parts/button.tsx'
import { Field, PasswordField } from '../parts/field.tsx'
import { signIn, toProviderUrl } from '../session.ts'
import { useThing } from '../use-reply.ts'
import { useAttempt } from '../use-attempt.ts'
import { MessagePage } from './message-page.tsx'

/** Why a provider sent somebody back without signing them in (contract/dashboard 8). */
const FAILURES = new Map([
  ['not_let_in', 'You were recognised, but this account may not come in here. Ask an owner of your organization.'],
  [
    'provider_failed',
    'Signing in there did not work. Try again; whoever runs the service finds the reason in its log.',
  ],
])

/** Takes the place of whatever page was asked for; that page comes after it. */
export function SignInPage() {
  const ways = useThing<WaysToSignIn>({ method: 'GET', path: '/ways-to-sign-in' }).value
  useEffect(() => {
    document.title = 'Sign in · answerlake'
  }, [])
  if (ways?.is_allowed === false) {
    return (
      <MessagePage title="Signing in needs HTTPS">
        <p>
          This page came over an unencrypted connection, so a password would travel in the open. Whoever runs the
          service can put it behind TLS and start it with <code>--public-url https://…</code>.
        </p>
      </MessagePage>
    )
  }
  const failed = new URLSearchParams(location.search).get('failed')
  return (
    <MessagePage title="Sign in">
      {failed !== null && <p role="alert">{FAILURES.get(failed) ?? 'That did not work. Try again.'}</p>}
      <PasswordForm />
      {ways?.oidc && (
        <p class="other-way">
          <a class="button button-plain" href={toProviderUrl()} target="_self">
            Sign in with {ways.oidc.name}
          </a>
        </p>
      )}
      <p class="quiet">Without an account, ask an owner of your organization for an invitation.</p>
    </MessagePage>
  )
}

function PasswordForm() {
  const [mail, setMail] = useState('')
  const [password, setPassword] = useState('')
  const { fault, isBusy, run } = useAttempt()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        run(() => signIn('/sign-in', { mail, password }))
      }}
    >
      <Field
        label="Mail"
        type="email"
        name="mail"
        autocomplete="username"
        value={mail}
        onInput={setMail}
        isRequired
        isFirst
      />
      <PasswordField autocomplete="current-password" value={password} onInput={setPassword} fault={fault} />
      <Button kind="primary" type="submit" isBusy={isBusy}>
        Sign in
      </Button>
    </form>
  )
}
