import * as v from 'valibot'
import { confirmedUntil } from '../../../domain/user.ts'
import { ApiError } from '../../../errors.ts'
import { strictObject } from '../../../schemas/strict-object.ts'
import { Text, Timestamp } from '../../../schemas/values.ts'
import { list, single } from '../../schemas/resources.ts'
import { presentMe } from '../enter.ts'
import { defineUiEndpoint } from '../ui-endpoint.ts'
import { GivenPassword, Me, ME } from './me.ts'

export const getSession = defineUiEndpoint({
  operation: 'getSession',
  method: 'GET',
  path: '/ui/v1/session',
  access: 'member',
  summary: 'Who is signed in',
  response: single(Me),
  example: { response: { data: ME } },
  handle: ({ caller }) => ({ data: presentMe(caller) }),
})

export const signOut = defineUiEndpoint({
  operation: 'signOut',
  method: 'POST',
  path: '/ui/v1/sign-out',
  access: 'member',
  summary: 'End the own session',
  body: strictObject({}),
  response: v.object({}),
  example: { body: {}, response: {} },
  handle: async ({ app, caller: { session }, change, setSession }) => {
    await change(
      () => app.catalog.sessions.end(session.id),
      () => ({ action: 'session.end', subject: session.id }),
    )
    setSession(null)
    return {}
  },
})

export const confirmPassword = defineUiEndpoint({
  operation: 'confirmPassword',
  method: 'POST',
  path: '/ui/v1/confirm-password',
  access: 'member',
  summary: 'Type the password once more, to change keys and members for 10 minutes',
  body: strictObject({ password: GivenPassword }),
  response: single(v.object({ confirmed_until: Timestamp })),
  example: {
    body: { password: 'correct horse battery' },
    response: { data: { confirmed_until: '2026-11-20T10:10:00.000Z' } },
  },
  handle: async ({ app, caller: { session, user }, change, client }, { body: { password } }) => {
    if (!user.hasPassword) {
      throw new ApiError('not_allowed', 'You have no password here. Sign in again the way you came.')
    }
    const checked = await app.signIn.checkPassword({ mail: user.mail, password, address: client.address })
    if (checked?.id !== user.id) throw new ApiError('password_required', 'The password is wrong.')
    await change(
      () => app.catalog.sessions.confirm(session.id),
      () => ({ action: 'session.confirm', subject: session.id }),
    )
    const confirmedAt = new Date(app.clock.now()).toISOString()
    return { data: { confirmed_until: confirmedUntil({ confirmedAt }, app.clock.now()) ?? confirmedAt } }
  },
})

const SessionRow = v.object({
  id: Text,
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
  address: v.nullable(Text),
  client: Text,
  is_current: v.boolean(),
})
export type SessionRow = v.InferOutput<typeof SessionRow>

export const listSessions = defineUiEndpoint({
  operation: 'listSessions',
  method: 'GET',
  path: '/ui/v1/sessions',
  access: 'member',
  summary: 'The own sessions, the one used last first',
  response: list(SessionRow),
  example: {
    response: {
      data: [
        {
          id: 'ses_0k7q4zj0s1e2s3s4a5b6c7d8ef',
          created_at: '2026-11-20T09:00:00.000Z',
          last_used_at: '2026-11-20T10:00:00.000Z',
          expires_at: '2026-11-20T22:00:00.000Z',
          address: '192.0.2.7',
          client: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          is_current: true,
        },
      ],
    },
  },
  handle: ({ app: { catalog }, caller }) => ({
    data: catalog.sessions.list(caller.user.id).map((session) => ({
      id: session.id,
      created_at: session.createdAt,
      last_used_at: session.lastUsedAt,
      expires_at: session.expiresAt,
      address: session.address,
      client: session.client,
      is_current: session.id === caller.session.id,
    })),
  }),
})

export const endSession = defineUiEndpoint({
  operation: 'endSession',
  method: 'POST',
  path: '/ui/v1/sessions/{session_id}/end',
  access: 'member',
  summary: 'End one of the own sessions',
  params: v.object({ session_id: Text }),
  body: strictObject({}),
  response: v.object({}),
  example: { body: {}, response: {} },
  handle: async ({ app: { catalog }, caller, change, setSession }, { params: { session_id: id } }) => {
    const isOwn = catalog.sessions.list(caller.user.id).some((session) => session.id === id)
    if (!isOwn) throw new ApiError('not_found', 'There is no such session of yours.')
    await change(
      () => catalog.sessions.end(id),
      (isEnded) => (isEnded ? { action: 'session.end', subject: id } : undefined),
    )
    if (id === caller.session.id) setSession(null)
    return {}
  },
})
