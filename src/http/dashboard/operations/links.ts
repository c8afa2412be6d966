import * as v from 'valibot'
import { LINK_KINDS, type User } from '../../../domain/user.ts'
import { ApiError } from '../../../errors.ts'
import { maxCharacters } from '../../../schemas/max-characters.ts'
import { strictObject } from '../../../schemas/strict-object.ts'
import { Text, Timestamp } from '../../../schemas/values.ts'
import { findPasswordFault, hashPassword } from '../../../sign-in/password.ts'
import { single } from '../../schemas/resources.ts'
import { enterWithCookie } from '../enter.ts'
import { defineUiEndpoint } from '../ui-endpoint.ts'
import { GivenPassword, Me, ME, Role } from './me.ts'

const Secret = v.pipe(v.string(), maxCharacters(100))
const SECRET = 'x7Jq0n3v5c1tZ9b2d4gH6k8mP0s2u4w6y8A0C2E4G6I'

const expired = (): ApiError =>
  new ApiError(
    'link_expired',
    'This link was used, or is over a day old, or a newer one took its place. Ask for a new one.',
  )

const SeenLink = v.object({
  kind: v.picklist(LINK_KINDS),
  mail: Text,
  role: Role,
  organization: Text,
  expires_at: Timestamp,
})
export type SeenLink = v.InferOutput<typeof SeenLink>

export const lookAtLink = defineUiEndpoint({
  operation: 'lookAtLink',
  method: 'POST',
  path: '/ui/v1/links/look',
  access: 'public',
  summary: 'What a one-time link is for',
  body: strictObject({ secret: Secret }),
  response: single(SeenLink),
  example: {
    body: { secret: SECRET },
    response: {
      data: {
        kind: 'invitation',
        mail: 'ben@acme.com',
        role: 'member',
        organization: 'Acme',
        expires_at: '2026-11-21T10:00:00.000Z',
      },
    },
  },
  handle: ({ app: { catalog } }, { body }) => {
    const found = catalog.users.findBySecret(body.secret)
    if (found === undefined) throw expired()
    const { kind, expiresAt, user } = found
    const organization = catalog.organizations.get(user.organizationId).name
    return { data: { kind, mail: user.mail, role: user.role, organization, expires_at: expiresAt } }
  },
})

export const useLink = defineUiEndpoint({
  operation: 'useLink',
  method: 'POST',
  path: '/ui/v1/links/use',
  access: 'public',
  summary: 'Use a one-time link, which signs in',
  body: strictObject({ secret: Secret, password: v.optional(GivenPassword) }),
  response: single(Me),
  example: { body: { secret: SECRET, password: 'correct horse battery' }, response: { data: ME } },
  handle: async (context, { body: { secret, password } }) => {
    const { users } = context.app.catalog
    // Looked at first: a hash takes a third of a second, which only who has a link may ask for.
    const found = users.findBySecret(secret)
    if (found === undefined) throw expired()
    const hash = found.kind === 'sign_in' ? undefined : await hashPassword(requirePassword(password))
    const use = (): User | undefined => (hash === undefined ? users.useLink(secret) : users.accept(secret, hash))
    const admit = () => {
      const user = use()
      return user && { user }
    }
    return enterWithCookie(context, { by: found.kind, isConfirmed: true, admit }, expired())
  },
})

function requirePassword(password: string | undefined): string {
  const fault = password === undefined ? 'Required. Add it.' : findPasswordFault(password)
  if (password !== undefined && fault === undefined) return password
  throw new ApiError('invalid_request', `Choose another password. ${fault}`, {
    details: [{ path: 'password', message: fault ?? '' }],
  })
}
