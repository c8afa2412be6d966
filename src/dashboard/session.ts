import type { Me } from '../http/dashboard/operations/me.ts'
import type { Schemas } from '../client/client.ts'
import { ask, change, NOT_ALLOWED, type Question, Refusal, SIGNED_OUT } from './api.ts'
import { closeDialogs } from './open-dialogs.tsx'
import { redraw } from './redraw.ts'
import { askAhead, forgetReplies } from './use-reply.ts'

let me: Me | null | undefined

/** Who is signed in: undefined until the service was asked, null for nobody. */
export const getMe = () => me

function setMe(now: Me | null): void {
  me = now
  redraw()
}

/** The sites of the organization, which every page begins with. */
export const SITES: Question<Schemas['Site']> = { method: 'GET', path: '/sites' }

/** Asks who is signed in. Throws Refusal for anything but "nobody". */
export async function loadMe(): Promise<void> {
  try {
    const [{ data }] = await Promise.all([
      ask<{ data: Me }>({ method: 'GET', path: '/session' }),
      // Whoever shows the sites asks again where this fails, and says why.
      askAhead(SITES).catch(() => undefined),
    ])
    setMe(data)
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error
    setMe(null)
  }
}

/** Shows the sign-in page as soon as the service no longer knows the session, and what a role that was changed may do. */
export function followSession(): void {
  document.addEventListener(SIGNED_OUT, () => {
    if (!me) return
    closeDialogs()
    setMe(null)
  })
  document.addEventListener(NOT_ALLOWED, () => {
    // Whoever asked shows the refusal.
    if (me) loadMe().catch(() => undefined)
  })
}

/** Signs in by `/sign-in` or `/links/use`. Throws Refusal. */
export async function signIn(path: '/sign-in' | '/links/use', body: object): Promise<void> {
  const { data } = await change<{ data: Me }>('POST', path, body)
  forgetReplies()
  setMe(data)
}

/** Where signing in by the organization's provider begins, which leads back to the page that is shown. */
export function toProviderUrl({ confirms = false }: { readonly confirms?: boolean } = {}): string {
  const to = `${location.pathname}${location.search}`
  return `/ui/sign-in/oidc?${new URLSearchParams({ ...(confirms && { confirm: '1' }), to }).toString()}`
}

/** Ends the session; what was shown is forgotten. */
export async function signOut(): Promise<void> {
  await change('POST', '/sign-out')
  forgetReplies()
  setMe(null)
}

/** What a member may not do isn't shown. */
export const isOwner = (): boolean => me?.user.role === 'owner'
