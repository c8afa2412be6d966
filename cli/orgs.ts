import { PLAN_STATUSES, PLANS } from '../src/domain/enums.ts'
import type { Organization } from '../src/domain/organization.ts'
import { defineCommand, defineGroup, JSON_FLAG } from './command.ts'
import { deleteOrganization } from './delete-organization.ts'
import { exportOrganization, importOrganization, resumeOrganization } from './move-organization.ts'
import { ID_FORM, requireChange, toIntegerForm } from './flags.ts'
import { printJson, type Io } from './io.ts'
import { toOrganizationJson } from './resources.ts'
import { printTable, toMinute } from './table.ts'
import { withCatalog } from './with-catalog.ts'

const LIMIT_FLAGS = {
  'plan-status': { type: 'enum', options: PLAN_STATUSES, description: 'live or lapsed' },
  'prompt-limit': {
    type: 'string',
    form: toIntegerForm(0, 10_000_000),
    valueHint: 'N',
    description: 'most active prompts over all sites',
  },
  'requests-per-minute': {
    type: 'string',
    form: toIntegerForm(1, 10_000_000),
    valueHint: 'N',
    description: 'requests of one key',
  },
  'writes-per-minute': {
    type: 'string',
    form: toIntegerForm(1, 10_000_000),
    valueHint: 'N',
    description: 'writes of one key',
  },
} as const

const create = defineCommand({
  summary: 'Make an organization',
  args: {
    name: { type: 'string', required: true, valueHint: 'NAME', description: 'name of the organization' },
    plan: {
      type: 'enum',
      options: PLANS,
      default: 'enterprise',
      description: 'only a live enterprise plan may use the API',
    },
    ...LIMIT_FLAGS,
    id: { type: 'string', valueHint: 'ID', form: ID_FORM, description: 'an id of your own' },
    ...JSON_FLAG,
  },
  examples: ['orgs create --name "Acme Group"', 'orgs create --name Trial --plan free --prompt-limit 50'],
  run: (context) =>
    withCatalog(
      context,
      (catalog) => {
        const { args, io } = context
        const organization = catalog.organizations.create({
          id: args.id,
          name: args.name,
          plan: args.plan,
          planStatus: args['plan-status'],
          promptLimit: args['prompt-limit'],
          requestsPerMinute: args['requests-per-minute'],
          writesPerMinute: args['writes-per-minute'],
        })
        printOne(io, organization, args.json)
      },
      { create: true },
    ),
})

const list = defineCommand({
  summary: 'List the organizations',
  args: JSON_FLAG,
  examples: ['orgs list', 'orgs list --json'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const organizations = catalog.organizations.list()
      if (context.args.json) printJson(context.io, { data: organizations.map(toOrganizationJson) })
      else printAll(context.io, organizations)
    }),
})

const set = defineCommand({
  summary: "Change an organization's name, plan or limits; running servers follow at once",
  args: {
    organization: { type: 'positional', required: true, valueHint: 'ORG_ID', description: 'id of the organization' },
    name: { type: 'string', valueHint: 'NAME', description: 'name of the organization' },
    plan: { type: 'enum', options: PLANS, description: 'only a live enterprise plan may use the API' },
    ...LIMIT_FLAGS,
    ...JSON_FLAG,
  },
  examples: ['orgs set ORG_ID --plan-status lapsed', 'orgs set ORG_ID --prompt-limit 2000 --requests-per-minute 1200'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const { args, io } = context
      const change = {
        name: args.name,
        plan: args.plan,
        planStatus: args['plan-status'],
        promptLimit: args['prompt-limit'],
        requestsPerMinute: args['requests-per-minute'],
        writesPerMinute: args['writes-per-minute'],
      }
      requireChange(change, '--name, --plan, --plan-status, --prompt-limit, --requests-per-minute, --writes-per-minute')
      printOne(io, catalog.organizations.set(args.organization, change), args.json)
    }),
})

export const orgs = defineGroup({
  summary: 'Organizations: who owns sites and keys, their plan and limits',
  commands: {
    create,
    list,
    set,
    delete: deleteOrganization,
    export: exportOrganization,
    import: importOrganization,
    resume: resumeOrganization,
  },
  examples: ['orgs create --name "Acme Group"', 'orgs list'],
})

function printOne(io: Io, organization: Organization, json: boolean): void {
  if (json) printJson(io, toOrganizationJson(organization))
  else printAll(io, [organization])
}

function printAll(io: Io, organizations: readonly Organization[]): void {
  printTable(
    io,
    ['id', 'name', 'plan', 'status', 'prompt limit', 'requests/min', 'writes/min', 'changes'],
    organizations.map((organization) => [
      organization.id,
      organization.name,
      organization.plan,
      organization.planStatus,
      organization.promptLimit,
      organization.requestsPerMinute,
      organization.writesPerMinute,
      organization.stoppedAt === null ? 'allowed' : `stopped ${toMinute(organization.stoppedAt)}`,
    ]),
  )
}
