import { KEY_EXPIRY_DAYS, keyStatus } from '../src/domain/api-key.ts'
import type { OperatorKey } from '../src/catalog/operator-keys.ts'
import { defineCommand, defineGroup, JSON_FLAG } from './command.ts'
import { printJson, printLine, printNote } from './io.ts'
import { changeNoted } from './noted-change.ts'
import { printTable, toMinute } from './table.ts'
import { findUserName } from './user-name.ts'
import { withCatalog } from './with-catalog.ts'

const create = defineCommand({
  summary: "Make an operator's key and print it, this once",
  args: {
    name: { type: 'string', required: true, valueHint: 'NAME', description: 'what the key is for' },
    expires: {
      type: 'enum',
      required: true,
      options: ['30', '90', '180', '365'],
      description: 'days until the key expires',
    },
    ...JSON_FLAG,
  },
  notes: [
    'It opens the Iceberg catalog (`serve --iceberg-catalog`), which shows all organizations, and nothing of the API.',
  ],
  examples: ['operator-keys create --name trino --expires 365'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const { args, io, clock } = context
      const { key, value } = changeNoted(
        catalog,
        () =>
          catalog.operatorKeys.create({
            name: args.name,
            expiresInDays: KEY_EXPIRY_DAYS.find((days) => String(days) === args.expires) ?? KEY_EXPIRY_DAYS[0],
            creator: findUserName() ?? 'cli',
          }),
        ({ key: { id, name } }) => ({
          organizationId: null,
          action: 'operator_key.create',
          subject: id,
          detail: { name },
        }),
      )
      if (args.json) return printJson(io, { ...toJson(key, clock.now()), key: value })
      printLine(io, value)
      printNote(io, `${key.id} expires ${key.expiresAt}. Keep the key: it is not shown again.`)
    }),
})

const list = defineCommand({
  summary: "List the operator's keys, never their values",
  args: JSON_FLAG,
  examples: ['operator-keys list'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const { args, io, clock } = context
      const keys = catalog.operatorKeys.list().map((key) => toJson(key, clock.now()))
      if (args.json) return printJson(io, { data: keys })
      printTable(
        io,
        ['id', 'name', 'creator', 'created', 'expires', 'status'],
        keys.map((key) => [
          key.id,
          key.name,
          key.creator,
          toMinute(key.created_at),
          toMinute(key.expires_at),
          key.status,
        ]),
      )
    }),
})

const revoke = defineCommand({
  summary: "Refuse an operator's key from the very next request on",
  args: {
    key: { type: 'positional', required: true, valueHint: 'KEY_ID', description: 'id of the key' },
    ...JSON_FLAG,
  },
  examples: ['operator-keys revoke KEY_ID'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const { args, io, clock } = context
      const key = changeNoted(
        catalog,
        () => catalog.operatorKeys.revoke(args.key),
        ({ id, name }) => ({ organizationId: null, action: 'operator_key.revoke', subject: id, detail: { name } }),
      )
      if (args.json) printJson(io, toJson(key, clock.now()))
      else printLine(io, `revoked ${key.id} (${key.name})`)
    }),
})

export const operatorKeys = defineGroup({
  summary: 'Keys for the Iceberg catalog, which shows all organizations',
  commands: { create, list, revoke },
  examples: ['operator-keys create --name trino --expires 365', 'operator-keys list', 'operator-keys revoke KEY_ID'],
})

function toJson(key: OperatorKey, nowMs: number) {
  return {
    id: key.id,
    name: key.name,
    creator: key.creator,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    status: keyStatus(key, nowMs),
  }
}
