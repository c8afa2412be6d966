import { signal } from '@preact/signals'
import { ask, Refusal } from './api.ts'

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

/** Asks who is signed in. Throws Refusal for anything but "nobody". */
export async function loadMe(): Promise<void> {
  try {
    me.value = (await ask<{ data: Me }>({ method: 'GET', path: '/session' })).data
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error
    me.value = null
  }
}

/** What a member may not do isn't shown. */
export const isOwner = (): boolean => me.value?.user.role === 'owner'
