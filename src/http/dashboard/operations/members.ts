import * as v from 'valibot'
import type { LinkedUser } from '../../../catalog/users.ts'
import { toMail, type User, userStatus } from '../../../domain/user.ts'
import { ApiError } from '../../../errors.ts'
import { strictObject } from '../../../schemas/strict-object.ts'
import { Text, Timestamp } from '../../../schemas/values.ts'
import { list, single } from '../../schemas/resources.ts'
import { defineUiEndpoint, type UiContext } from '../ui-endpoint.ts'
import { GivenMail, Role } from './me.ts'

const MemberRow = v.object({
  id: Text,
  mail: Text,
  role: Role,
  created_at: Timestamp,
  last_sign_in_at: v.nullable(Timestamp),
  revoked_at: v.nullable(Timestamp),
  status: v.picklist(['active', 'invited', 'revoked']),
})
export type MemberRow = v.InferOutput<typeof MemberRow>

const WithLink = v.object({ member: MemberRow, link: Text, expires_at: Timestamp })
export type WithLink = v.InferOutput<typeof WithLink>

const MEMBER = {
  id: 'usr_0k7q4zj0u1s2e3r4a5b6c7d8eg',
  mail: 'ben@acme.com',
  role: 'member',
  created_at: '2026-11-20T10:00:00.000Z',
  last_sign_in_at: null,
  revoked_at: null,
  status: 'invited',
} as const

const WITH_LINK = {
  member: MEMBER,
  link: 'https://lake.acme.com/sign-in#x7Jq0n3v5c1tZ9b2d4gH6k8mP0s2u4w6y8A0C2E4G6I',
  expires_at: '2026-11-21T10:00:00.000Z',
} as const

const UserParams = v.object({ user_id: Text })

function presentMember(user: User) {
  return {
    id: user.id,
    mail: user.mail,
    role: user.role,
    created_at: user.createdAt,
    last_sign_in_at: user.lastSignInAt,
    revoked_at: user.revokedAt,
    status: userStatus(user),
  }
}

/** The link of somebody who was invited, or may choose another password; it is shown to the owner who asked, this once. */
function presentLink({ origin }: UiContext, { user, secret, expiresAt }: LinkedUser) {
  return { member: presentMember(user), link: `${origin}/sign-in#${secret}`, expires_at: expiresAt }
}

/** A user of the caller's organization; others are as if they weren't there. */
function getUser({ app: { catalog }, caller }: UiContext, id: string): User {
  const user = catalog.users.find(id)
  if (user?.organizationId !== caller.organization.id) throw new ApiError('not_found', 'There is no such user.')
  return user
}

export const listMembers = defineUiEndpoint({
  operation: 'listMembers',
  method: 'GET',
  path: '/ui/v1/members',
  access: 'owner',
  summary: 'The users of the organization, those who were revoked among them',
  response: list(MemberRow),
  example: { response: { data: [MEMBER] } },
  handle: ({ app: { catalog }, caller }) => ({
    data: catalog.users.list(caller.organization.id).map(presentMember),
  }),
})

export const inviteMember = defineUiEndpoint({
  operation: 'inviteMember',
  method: 'POST',
  path: '/ui/v1/members',
  access: 'owner',
  confirmsPassword: true,
  summary: 'Invite somebody, with a link to hand over',
  body: strictObject({
    mail: v.pipe(
      GivenMail,
      v.check((mail) => toMail(mail) !== undefined, 'Use a mail address, such as ben@acme.com.'),
    ),
    role: Role,
  }),
  response: single(WithLink),
  example: { body: { mail: MEMBER.mail, role: 'member' }, response: { data: WITH_LINK } },
  handle: async (context, { body: { mail, role } }) => {
    const { app, caller, change } = context
    const organizationId = caller.organization.id
    const invited = await change(
      () => app.catalog.users.invite({ organizationId, mail, role, inviter: caller.user.mail }),
      ({ user }) => ({ action: 'user.invite', subject: user.id, detail: { mail: user.mail, role } }),
    )
    return { data: presentLink(context, invited) }
  },
})

export const revokeMember = defineUiEndpoint({
  operation: 'revokeMember',
  method: 'POST',
  path: '/ui/v1/members/{user_id}/revoke',
  access: 'owner',
  confirmsPassword: true,
  summary: 'Refuse a user from the very next request on, and end their sessions',
  params: UserParams,
  body: strictObject({}),
  response: single(v.object({ member: MemberRow })),
  example: {
    body: {},
    response: { data: { member: { ...MEMBER, revoked_at: '2026-11-20T11:00:00.000Z', status: 'revoked' } } },
  },
  handle: async (context, { params: { user_id: id } }) => {
    const { users } = context.app.catalog
    const user = await context.change(
      () => ({ wasRevoked: getUser(context, id).revokedAt !== null, ...users.revoke(id) }),
      ({ wasRevoked, mail }) => (wasRevoked ? undefined : { action: 'user.revoke', subject: id, detail: { mail } }),
    )
    return { data: { member: presentMember(user) } }
  },
})

export const resetMember = defineUiEndpoint({
  operation: 'resetMember',
  method: 'POST',
  path: '/ui/v1/members/{user_id}/reset',
  access: 'owner',
  confirmsPassword: true,
  summary: 'A link to choose another password, to hand over',
  params: UserParams,
  body: strictObject({}),
  response: single(WithLink),
  example: { body: {}, response: { data: WITH_LINK } },
  handle: async (context, { params: { user_id: id } }) => {
    const reset = await context.change(
      () => context.app.catalog.users.reset(getUser(context, id).id),
      ({ user }) => ({ action: 'user.reset', subject: id, detail: { mail: user.mail } }),
    )
    return { data: presentLink(context, reset) }
  },
})

export const setMemberRole = defineUiEndpoint({
  operation: 'setMemberRole',
  method: 'POST',
  path: '/ui/v1/members/{user_id}/role',
  access: 'owner',
  confirmsPassword: true,
  summary: 'Make a user an owner, or a member',
  params: UserParams,
  body: strictObject({ role: Role }),
  response: single(v.object({ member: MemberRow })),
  example: { body: { role: 'owner' }, response: { data: { member: { ...MEMBER, role: 'owner' } } } },
  handle: async (context, { params: { user_id: id }, body: { role } }) => {
    const { user } = await context.change(
      () => ({ before: getUser(context, id).role, user: context.app.catalog.users.setRole(id, role) }),
      ({ before, user: { mail } }) =>
        before === role ? undefined : { action: 'user.role', subject: id, detail: { mail, role, before } },
    )
    return { data: { member: presentMember(user) } }
  },
})
