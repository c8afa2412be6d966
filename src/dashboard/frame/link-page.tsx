import { useEffect, useState } from 'preact/hooks'
import type { SeenLink } from '../../http/dashboard/operations/links.ts'
import { ask, Refusal } from '../api.ts'
import { PASSWORD_CHARACTERS_MIN } from '../bounds.ts'
import { toMinute } from '../format.ts'
import { go } from '../navigation.ts'
import { Button } from '../parts/button.tsx'
import { Field, PasswordField } from '../parts/field.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { toRefusalLines } from '../refusal-words.ts'
import { signIn } from '../session.ts'
import { useAttempt } from '../use-attempt.ts'
import { MessagePage } from './message-page.tsx'

/** The page of a one-time link, whose secret is the fragment: it never reaches a server's log. */
export function LinkPage({ secret }: { readonly secret: string }) {
  const [link, setLink] = useState<SeenLink | Refusal | undefined>()
  useEffect(() => {
    document.title = 'Sign in · answerlake'
    let isCurrent = true
    void look(secret).then((found) => {
      if (isCurrent) setLink(found)
    })
    return () => {
      isCurrent = false
    }
  }, [secret])
  if (link === undefined) {
    return (
      <MessagePage title="One moment">
        <Skeleton />
      </MessagePage>
    )
  }
  if (link instanceof Refusal) {
    return (
      <MessagePage title={link.status === 404 ? 'This link no longer works' : 'That did not work'}>
        <p>{toRefusalLines(link).join(' ')}</p>
        <p>
          <a class="button button-plain" href="/">
            Sign in with your password
          </a>
        </p>
      </MessagePage>
    )
  }
  return <NewPassword link={link} secret={secret} />
}

/** What the link is for. A link that signs in does so at once, and then there is nothing to show. */
async function look(secret: string): Promise<SeenLink | Refusal | undefined> {
  try {
    const { data } = await ask<{ data: SeenLink }>({ method: 'POST', path: '/links/look', body: { secret } })
    if (data.kind !== 'sign_in') return data
    await signIn('/links/use', { secret })
    go('/', { replace: true })
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function NewPassword({ link, secret }: { readonly link: SeenLink; readonly secret: string }) {
  const [password, setPassword] = useState('')
  const { fault, isBusy, run } = useAttempt()
  const isNew = link.kind === 'invitation'
  return (
    <MessagePage title={isNew ? `Welcome to ${link.organization}` : 'Choose a new password'}>
      <p>
        {isNew
          ? `You are invited as ${link.role === 'owner' ? 'an owner' : 'a member'}. Choose a password, and you are in.`
          : `For ${link.mail} of ${link.organization}.`}{' '}
        <span class="quiet">The link works once, until {toMinute(link.expires_at)}.</span>
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          run(async () => {
            await signIn('/links/use', { secret, password })
            go('/', { replace: true })
          })
        }}
      >
        <Field label="Mail" type="email" name="mail" autocomplete="username" value={link.mail} isReadOnly />
        <PasswordField
          autocomplete="new-password"
          value={password}
          onInput={setPassword}
          isFirst
          lengthMin={PASSWORD_CHARACTERS_MIN}
          hint={`At least ${PASSWORD_CHARACTERS_MIN} characters; a few words are easier to keep than signs.`}
          fault={fault}
        />
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {isNew ? 'Create the account' : 'Set the password'}
        </Button>
      </form>
    </MessagePage>
  )
}
