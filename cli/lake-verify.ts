import type { VerificationResult } from '../src/maintenance/lake-verification.ts'
import { show } from '../src/show.ts'
import { defineCommand, JSON_FLAG, OPTIONAL_SITE_FLAG } from './command.ts'
import { printJson, printLine, printNote, type Io } from './io.ts'
import { openProgress } from './progress.ts'
import { nameSites } from './site-domains.ts'
import { printTable } from './table.ts'
import { withApp } from './with-app.ts'
import { countOf, toSize } from './format.ts'

export const verify = defineCommand({
  summary: 'Read every file and hold it against its checksum; name what is damaged, missing or foreign',
  notes: ['Exits 1 when anything is wrong.'],
  args: { ...OPTIONAL_SITE_FLAG, ...JSON_FLAG },
  examples: ['lake verify', 'lake verify --site acme.com --json'],
  async run(context) {
    const { args, io, clock, signal } = context
    const { verifyLake } = await import('../src/maintenance/lake-verification.ts')
    const progress = openProgress('verifying', io, clock)
    const { result, toDomain } = await withApp(context, async ({ change, catalog }) => ({
      result: await verifyLake(change, {
        ...(args.site === undefined ? {} : { siteId: catalog.sites.get(args.site).id }),
        signal,
        onProgress: ({ doneBytes, totalBytes, files }) =>
          progress.report({ done: doneBytes, total: totalBytes, note: countOf(files, 'file') }),
      }),
      toDomain: nameSites(catalog),
    })).finally(() => progress.close())
    if (args.json) printJson(io, result)
    else printResult(io, result, toDomain)
    return result.ok ? 0 : 1
  },
})

function printResult(
  io: Io,
  { ok, files, bytes, damaged, missing, foreign, orphans, catalog }: VerificationResult,
  toDomain: (siteId: string) => string,
): void {
  printTable(
    io,
    ['problem', 'file', 'site', 'first day', 'last day', 'rows'],
    [...damaged, ...missing].map((file) => [
      file.live ? file.problem : `${file.problem} (replaced)`,
      file.path,
      toDomain(file.site_id),
      file.first_day,
      file.last_day,
      file.rows,
    ]),
  )
  for (const path of foreign) printLine(io, `foreign: ${show(path)}`)
  for (const problem of catalog) printLine(io, `catalog: ${problem}`)
  printLine(io, `${ok ? 'sound' : 'not sound'}: ${countOf(files, 'file')} (${toSize(bytes)}) read`)
  if (orphans.length > 0)
    printNote(io, `${countOf(orphans.length, 'leftover')} of killed processes; lake gc deletes them`)
  if (damaged.length + missing.length > 0) {
    printNote(io, 'Restore a backup, or give up one file with: answerlake lake repair --drop FILE')
  }
}
