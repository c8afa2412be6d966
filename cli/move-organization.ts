import { defineCommand, JSON_FLAG } from './command.ts'
import { countOf, toSize } from './format.ts'
import { printJson, printLine, printNote } from './io.ts'
import { openProgress } from './progress.ts'
import { withApp } from './with-app.ts'
import { withCatalog } from './with-catalog.ts'

const ORGANIZATION = {
  type: 'positional',
  required: true,
  valueHint: 'ORG_ID',
  description: 'id of the organization',
} as const

export const exportOrganization = defineCommand({
  summary: 'Copy an organization with everything of its sites, to move it to another data directory',
  notes: [
    'From the beginning of the copy on the organization is read as before, but not changed: imports end with a message, and writes over the API get 503, until `orgs delete` or `orgs resume`. With --keep-changing it is a copy made beforehand; what that has already isn’t copied again by the export into the same directory.',
    'DIR is new, empty, or holds an earlier export of the same organization. It holds nothing of others, and the keys as hashes. Its users come along; they sign in again there.',
  ],
  args: {
    organization: ORGANIZATION,
    dir: { type: 'positional', required: true, valueHint: 'DIR', description: 'where the copy goes' },
    'keep-changing': { type: 'boolean', description: 'go on with changes; the copy can’t be the last one then' },
    ...JSON_FLAG,
  },
  examples: ['orgs export ORG_ID /mnt/move/acme --keep-changing', 'orgs export ORG_ID /mnt/move/acme'],
  async run(context) {
    const { args, io, clock, signal } = context
    const { backUpLake } = await import('../src/maintenance/backup.ts')
    const progress = openProgress('copying', io, clock)
    const result = await withApp(context, async ({ catalog, change }) => {
      const { id } = catalog.organizations.get(args.organization)
      const isStopped = !args['keep-changing'] && catalog.moves.stop(id)
      try {
        return await backUpLake(change, {
          dir: args.dir,
          organizationId: id,
          signal,
          onProgress: ({ doneBytes, totalBytes, files }) =>
            progress.report({ done: doneBytes, total: totalBytes, note: countOf(files, 'file') }),
          onWait: () => printNote(io, 'waiting for another copy into this directory'),
        })
      } catch (error) {
        if (isStopped) catalog.moves.resume(id)
        throw error
      }
    }).finally(() => progress.close())
    if (args.json) return printJson(io, result)
    const copied = `${result.files_copied} of them (${toSize(result.bytes_copied)}) copied now`
    printLine(io, `${args.organization}: ${countOf(result.files, 'file')} (${toSize(result.bytes)}), ${copied}`)
    printNote(
      io,
      args['keep-changing']
        ? 'Changes go on. Export it once more without --keep-changing before it is imported elsewhere.'
        : `Nothing of it is changed here from now on. When the other data directory serves it: answerlake orgs delete ${args.organization}. To stay here: answerlake orgs resume ${args.organization}.`,
    )
  },
})

export const importOrganization = defineCommand({
  summary: 'Take an exported organization into this data directory, all at once',
  notes: [
    'Every file is held against its checksum first. Ids, keys and numbers stay as they were; walks through pages that began elsewhere end, and begin again. An id that is taken here refuses the whole.',
  ],
  args: {
    dir: { type: 'positional', required: true, valueHint: 'DIR', description: 'what `orgs export` filled' },
    ...JSON_FLAG,
  },
  examples: ['orgs import /mnt/move/acme --data-dir /var/lib/answerlake-c07'],
  async run(context) {
    const { args, io, clock, signal } = context
    const { importOrganization: takeIn } = await import('../src/maintenance/import-organization.ts')
    const progress = openProgress('copying', io, clock)
    const result = await withApp(
      context,
      ({ change }) =>
        takeIn(change, {
          dir: args.dir,
          signal,
          onProgress: ({ doneBytes, totalBytes, files }) =>
            progress.report({ done: doneBytes, total: totalBytes, note: countOf(files, 'file') }),
          onWait: () => printNote(io, 'waiting for another import of an organization'),
        }),
      { create: true },
    ).finally(() => progress.close())
    if (args.json) return printJson(io, result)
    const { organization_id, sites, prompts, keys, users, files, bytes } = result
    printLine(
      io,
      `${organization_id}: ${countOf(sites.length, 'site')}, ${countOf(prompts, 'prompt')}, ${countOf(keys, 'key')}, ${countOf(users, 'user')}, ${countOf(files, 'file')} (${toSize(bytes)})`,
    )
  },
})

export const resumeOrganization = defineCommand({
  summary: 'Allow changes of an organization again that was exported and stays',
  args: { organization: ORGANIZATION, ...JSON_FLAG },
  examples: ['orgs resume ORG_ID'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const { args, io } = context
      const resumed = catalog.moves.resume(args.organization)
      if (args.json) printJson(io, { organization_id: args.organization, resumed })
      else printLine(io, resumed ? `${args.organization} can be changed again` : 'changes were not stopped')
    }),
})
