import { useEffect, useState } from 'preact/hooks'
import { LinkPage } from './frame/link-page.tsx'
import { MessagePage } from './frame/message-page.tsx'
import { SignedInPage } from './frame/signed-in-page.tsx'
import { SignInPage } from './frame/sign-in.tsx'
import { OpenDialogs } from './open-dialogs.tsx'
import { Button } from './parts/button.tsx'
import { Toasts } from './parts/toast.tsx'
import { useRedraw } from './redraw.ts'
import { getMe, loadMe } from './session.ts'

/** The whole page: who is signed in, which site, which view. */
export function App() {
  useRedraw()
  return (
    <>
      <Page />
      <OpenDialogs />
      <Toasts />
    </>
  )
}

function Page() {
  const me = getMe()
  const { pathname, hash } = location
  const [fault, setFault] = useState<string | undefined>()
  const load = (): void => {
    setFault(undefined)
    loadMe().catch((error: unknown) => setFault(error instanceof Error ? error.message : String(error)))
  }
  const isLink = pathname === '/sign-in' && hash.length > 1
  useEffect(() => {
    // A link makes a session: nobody asks before whether there is one.
    if (!isLink && me === undefined) load()
  }, [isLink])
  if (isLink) return <LinkPage secret={hash.slice(1)} />
  if (fault !== undefined) {
    return (
      <MessagePage title="The service does not answer">
        <p>{fault}</p>
        <Button kind="primary" onClick={load}>
          Try again
        </Button>
      </MessagePage>
    )
  }
  if (me === undefined) return null
  return me === null ? <SignInPage /> : <SignedInPage />
}
