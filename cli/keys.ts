import { CELL, KEY_EXPIRY_DAYS } from '../src/domain/api-key.ts'
import { KEY_PERMISSIONS } from '../src/domain/enums.ts'
import { defineCommand, defineGroup, type Form, JSON_FLAG } from './command.ts'
import { printJson, printLine, printNote } from './io.ts'
import { toKeyJson } from './resources.ts'
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

const CELL_FORM: Form<string> = {
  is: 'three letters or digits, such as c07',
  read: (text) => (CELL.test(text) ? text : undefined),
}

const create = defineCommand({
  summary: 'Make an API key and print it, this once',
  args: {
    name: { type: 'string', required: true, valueHint: 'NAME', description: 'what the key is for' },
    expires: {
      type: 'enum',
      required: true,
      options: ['30', '90', '180', '365'],
      description: 'days until the key expires',
    },
    permission: {
      type: 'enum',
      options: KEY_PERMISSIONS,
      default: 'read',
      description: 'write may change prompts too',
    },
    cell: {
      type: 'string',
      valueHint: 'CELL',
      form: CELL_FORM,
      description: 'three letters or digits that the key begins with, for a proxy before several installations',
    },
    ...ORG_FLAG,
    ...JSON_FLAG,
  },
  notes: ['The key is the only line on standard output: KEY=$(answerlake keys create --name ci --expires 30)'],
  examples: [
    'keys create --name reporting --expires 90',
    'keys create --name sync --expires 365 --permission write --json',
    'keys create --name reporting --expires 90 --cell c07',
  ],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const { args, io } = context
      const { key, value } = changeNoted(
        catalog,
        () =>
          catalog.keys.create({
            name: args.name,
            expiresInDays: KEY_EXPIRY_DAYS.find((days) => String(days) === args.expires) ?? KEY_EXPIRY_DAYS[0],
            permission: args.permission,
            organizationId: args.org,
            creator: findUserName() ?? 'cli',
            cell: args.cell,
          }),
        ({ key: made }) => ({
          organizationId: made.organizationId,
          action: 'key.create',
          subject: made.id,
          detail: { name: made.name, permission: made.permission, expires_in_days: Number(args.expires) },
        }),
      )
      const { id, name, permission, expiresAt } = key
      if (args.json) return printJson(io, { id, name, permission, expires_at: expiresAt, key: value })
      printLine(io, value)
      printNote(io, `${id} (${permission}) expires ${expiresAt}. Keep the key: it is not shown again.`)
    }),
})

const list = defineCommand({
  summary: 'List the keys, never their values',
  args: { ...ORG_FLAG, ...JSON_FLAG },
  examples: ['keys list', 'keys list --org ORG_ID --json'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const { args, io, clock } = context
      const organizationId = args.org === undefined ? undefined : catalog.organizations.get(args.org).id
      const keys = catalog.keys.list(organizationId).map((key) => toKeyJson(key, clock.now()))
      if (args.json) return printJson(io, { data: keys })
      printTable(
        io,
        ['id', 'name', 'permission', 'creator', 'created', 'expires', 'last used', 'status'],
        keys.map((key) => [
          key.id,
          key.name,
          key.permission,
          key.creator,
          toMinute(key.created_at),
          toMinute(key.expires_at),
          toMinute(key.last_used_at),
          key.status,
        ]),
      )
    }),
})

const revoke = defineCommand({
  summary: 'Refuse a key from the very next request on',
  args: {
    key: { type: 'positional', required: true, valueHint: 'KEY_ID', description: 'id of the key' },
    ...JSON_FLAG,
  },
  examples: ['keys revoke KEY_ID'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const { args, io, clock } = context
      const key = changeNoted(
        catalog,
        () => catalog.keys.revoke(args.key),
        ({ id, name, organizationId }) => ({ organizationId, action: 'key.revoke', subject: id, detail: { name } }),
      )
      if (args.json) printJson(io, toKeyJson(key, clock.now()))
      else printLine(io, `revoked ${key.id} (${key.name})`)
    }),
})

export const keys = defineGroup({
  summary: 'API keys',
  commands: { create, list, revoke },
  examples: ['keys create --name reporting --expires 90', 'keys list', 'keys revoke KEY_ID'],
})
