import type { Catalog } from '../src/catalog/catalog.ts'
import type { LinkedUser } from '../src/catalog/users.ts'
import { ROLES, type User, userStatus } from '../src/domain/user.ts'
import { CommandError } from '../src/errors.ts'
import { defineCommand, defineGroup, JSON_FLAG } from './command.ts'
import { type Io, printJson, printLine, printNote } from './io.ts'
import { findLinkOrigin, type LinkOrigin, readLinkSettings } from './link-origin.ts'
import { changeNoted } from './noted-change.ts'
import { printTable, toMinute } from './table.ts'
import { findUserName } from './user-name.ts'
import { withCatalog } from './with-catalog.ts'

const ORG_FLAG = {
  org: {
    type: 'string',
    valueHint: 'ORG_ID',
    description: 'id of the organization; may be left out while there is only one',
  },
} as const

const LINK_FLAGS = {
  'public-url': {
    type: 'string',
    valueHint: 'URL',
    description:
      'where browsers find the dashboard; otherwise where a running server shows it, or as the settings have it',
  },
  ...JSON_FLAG,
} as const

const USER = {
  user: { type: 'positional', required: true, valueHint: 'MAIL', description: 'mail address of the user, or the id' },
} as const

const ONCE =
  'The link works once, for a day; what is behind its # never reaches a log. Hand it over by a way you trust.'

const invite = defineCommand({
  summary: 'Invite somebody to the dashboard, and print the link, this once',
  notes: [
    'The first owner of an organization comes by this command; owners invite others in Settings.',
    `${ONCE} Called again for somebody who has not come, it makes a new link and gives the role anew.`,
  ],
  args: {
    mail: { type: 'positional', required: true, valueHint: 'MAIL', description: 'mail address to sign in with' },
    role: {
      type: 'enum',
      required: true,
      options: ROLES,
      description: 'an owner also changes keys and members, reads the audit and starts scans',
    },
    ...ORG_FLAG,
    ...LINK_FLAGS,
  },
  examples: ['users invite --role owner ana@acme.com', 'users invite --role member ben@acme.com --org ORG_ID'],
  async run(context) {
    const { args } = context
    const settings = await readLinkSettings(context)
    await withCatalog(context, (catalog) => {
      const from = findLinkOrigin(catalog, settings)
      const { id: organizationId } = catalog.organizations.getOnly(args.org)
      const inviter = findUserName() ?? 'cli'
      const invited = changeNoted(
        catalog,
        () => catalog.users.invite({ organizationId, mail: args.mail, role: args.role, inviter }),
        ({ user: { id, mail, role } }) => ({
          organizationId,
          action: 'user.invite',
          subject: id,
          detail: { mail, role },
        }),
      )
      printLink(context, from, invited)
    })
  },
})

const reset = defineCommand({
  summary: 'A link by which a user chooses another password; the present one is good until then',
  notes: [ONCE],
  args: { ...USER, ...LINK_FLAGS },
  examples: ['users reset ana@acme.com'],
  async run(context) {
    const settings = await readLinkSettings(context)
    await withCatalog(context, (catalog) => {
      const from = findLinkOrigin(catalog, settings)
      const { id, mail, organizationId } = getUser(catalog, context.args.user)
      const made = changeNoted(
        catalog,
        () => catalog.users.reset(id),
        () => ({ organizationId, action: 'user.reset', subject: id, detail: { mail } }),
      )
      printLink(context, from, made)
    })
  },
})

const list = defineCommand({
  summary: 'List the users, those who were revoked among them',
  args: { ...ORG_FLAG, ...JSON_FLAG },
  examples: ['users list', 'users list --org ORG_ID --json'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const { args, io } = context
      const organizationId = args.org === undefined ? undefined : catalog.organizations.get(args.org).id
      const users = catalog.users.list(organizationId).map(toJson)
      if (args.json) return printJson(io, { data: users })
      printTable(
        io,
        ['id', 'mail', 'role', 'organization', 'created', 'last sign-in', 'status'],
        users.map((user) => [
          user.id,
          user.mail,
          user.role,
          user.organization_id,
          toMinute(user.created_at),
          toMinute(user.last_sign_in_at),
          user.status,
        ]),
      )
    }),
})

const revoke = defineCommand({
  summary: 'Refuse a user from the very next request on, and end their sessions',
  notes: ['The only owner who can sign in is not revoked. The address may be invited again.'],
  args: { ...USER, ...JSON_FLAG },
  examples: ['users revoke ben@acme.com'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const { args, io } = context
      const { id, mail, organizationId, revokedAt } = getUser(catalog, args.user)
      const user =
        revokedAt === null
          ? changeNoted(
              catalog,
              () => catalog.users.revoke(id),
              () => ({ organizationId, action: 'user.revoke', subject: id, detail: { mail } }),
            )
          : catalog.users.revoke(id)
      if (args.json) printJson(io, toJson(user))
      else printLine(io, `revoked ${user.mail} (${user.id})`)
    }),
})

export const users = defineGroup({
  summary: 'People who may sign in to the dashboard',
  commands: { invite, list, revoke, reset },
  examples: ['users invite --role owner ana@acme.com', 'users list', 'users reset ana@acme.com'],
})

function getUser(catalog: Catalog, given: string): User {
  const user = catalog.users.findByMail(given) ?? catalog.users.find(given)
  if (user) return user
  throw new CommandError(`There is no user "${given}". \`answerlake users list\` shows them.`)
}

function printLink(
  { io, args }: { readonly io: Io; readonly args: { readonly json: boolean } },
  { origin, isGuessed }: LinkOrigin,
  { user, secret, expiresAt }: LinkedUser,
): void {
  const link = `${origin}/sign-in#${secret}`
  if (isGuessed) {
    printNote(
      io,
      `No running server was found that shows the dashboard of this data directory. The link begins with ${origin}, where one with these settings would.`,
    )
  }
  if (args.json) return printJson(io, { ...toJson(user), link, link_expires_at: expiresAt })
  printLine(io, link)
  printNote(io, `for ${user.mail} (${user.role}), once, until ${expiresAt}. The link is not shown again.`)
}

function toJson(user: User) {
  return {
    id: user.id,
    mail: user.mail,
    role: user.role,
    organization_id: user.organizationId,
    created_at: user.createdAt,
    last_sign_in_at: user.lastSignInAt,
    revoked_at: user.revokedAt,
    status: userStatus(user),
  }
}
