import { useEffect, useState } from 'preact/hooks'
import { LinkPage } from './frame/link-page.tsx'
import { MessagePage } from './frame/message-page.tsx'
import { SignedInPage } from './frame/signed-in-page.tsx'
import { SignInPage } from './frame/sign-in.tsx'
import { place } from './navigation.ts'
import { Button } from './parts/button.tsx'
import { Toasts } from './parts/toast.tsx'
import { loadMe, me } from './session.ts'

/** The whole page: who is signed in, which site, which view. */
export function App() {
  return (
    <>
      <Page />
      <Toasts />
    </>
  )
}

function Page() {
  const [fault, setFault] = useState<string | undefined>()
  const load = (): void => {
    setFault(undefined)
    loadMe().catch((error: unknown) => setFault(error instanceof Error ? error.message : String(error)))
  }
  const { pathname, hash } = place.value
  const isLink = pathname === '/sign-in' && hash.length > 1
  useEffect(() => {
    // A link makes a session: nobody asks before whether there is one.
    if (!isLink && me.value === undefined) load()
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
  if (me.value === undefined) return null
  return me.value === null ? <SignInPage /> : <SignedInPage />
}
