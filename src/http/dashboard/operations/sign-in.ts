import * as v from 'valibot'
import { ApiError } from '../../../errors.ts'
import { strictObject } from '../../../schemas/strict-object.ts'
import { Text } from '../../../schemas/values.ts'
import { single } from '../../schemas/resources.ts'
import { enterWithCookie } from '../enter.ts'
import { defineUiEndpoint } from '../ui-endpoint.ts'
import { GivenMail, GivenPassword, Me, ME } from './me.ts'

const WaysToSignIn = v.object({
  password: v.literal(true),
  oidc: v.nullable(v.object({ name: Text })),
  is_allowed: v.boolean(),
})
export type WaysToSignIn = v.InferOutput<typeof WaysToSignIn>

export const getWaysToSignIn = defineUiEndpoint({
  operation: 'getWaysToSignIn',
  method: 'GET',
  path: '/ui/v1/ways-to-sign-in',
  access: 'public',
  summary: 'How somebody may sign in here',
  response: single(WaysToSignIn),
  example: { response: { data: { password: true, oidc: { name: 'Acme' }, is_allowed: true } } },
  handle: async ({ app, origin }) => {
    const provider = await app.signIn.findProvider()
    const oidc = provider === undefined ? null : { name: provider.name }
    return { data: { password: true, oidc, is_allowed: origin !== undefined } as const }
  },
})

export const signIn = defineUiEndpoint({
  operation: 'signIn',
  method: 'POST',
  path: '/ui/v1/sign-in',
  access: 'public',
  summary: 'Sign in with a password',
  body: strictObject({ mail: GivenMail, password: GivenPassword }),
  response: single(Me),
  example: { body: { mail: 'ana@acme.com', password: 'correct horse battery' }, response: { data: ME } },
  handle: async (context, { body }) => {
    const { app, client } = context
    const refusal = new ApiError('sign_in_failed', 'The mail address or the password is wrong.')
    const user = await app.signIn.checkPassword({ ...body, address: client.address })
    if (user === undefined) throw refusal
    const admit = () => ({ user: app.catalog.users.find(user.id) ?? user })
    return enterWithCookie(context, { by: 'password', isConfirmed: true, admit }, refusal)
  },
})
