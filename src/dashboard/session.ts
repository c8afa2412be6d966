import { signal } from '@preact/signals'
import { ask, change, type Question, Refusal, SIGNED_OUT } from './api.ts'
import { askAhead, forgetAnswers } from './use-answer.ts'

/** Who is signed in, as `/ui/v1/session` says it. */
export interface Me {
  readonly user: { readonly id: string; readonly mail: string; readonly role: 'owner' | 'member' }
  readonly organization: { readonly id: string; readonly name: string; readonly plan: string }
  readonly session_id: string
  readonly expires_at: string
  readonly password_confirmed_until: string | null
  readonly has_password: boolean
  readonly version: string
  readonly features: { readonly scan: boolean }
}

/** Undefined until the service was asked, null for nobody. */
export const me = signal<Me | null | undefined>(undefined)

/** The sites of the organization, which every page begins with. */
export const SITES: Question = { method: 'GET', path: '/sites' }

/** Asks who is signed in. Throws Refusal for anything but "nobody". */
export async function loadMe(): Promise<void> {
  try {
    const [{ data }] = await Promise.all([
      ask<{ data: Me }>({ method: 'GET', path: '/session' }),
      // Whoever shows the sites asks again where this fails, and says why.
      askAhead(SITES).catch(() => undefined),
    ])
    me.value = data
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error
    me.value = null
  }
}

/** Shows the sign-in page as soon as the service no longer knows the session. */
export function followSession(): void {
  document.addEventListener(SIGNED_OUT, () => {
    if (me.value) me.value = null
  })
}

/** Signs in by `/sign-in` or `/links/use`. Throws Refusal. */
export async function signIn(path: '/sign-in' | '/links/use', body: object): Promise<void> {
  const { data } = await change<{ data: Me }>('POST', path, body)
  forgetAnswers()
  me.value = data
}

/** Ends the session; what was shown is forgotten. */
export async function signOut(): Promise<void> {
  await change('POST', '/sign-out')
  forgetAnswers()
  me.value = null
}

/** What a member may not do isn't shown. */
export const isOwner = (): boolean => me.value?.user.role === 'owner'
