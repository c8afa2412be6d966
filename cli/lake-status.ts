import type { LakeStatus } from '../src/maintenance/status.ts'
import { describeRetention, type RetentionState } from '../src/domain/retention.ts'
import { defineCommand, JSON_FLAG, OPTIONAL_SITE_FLAG } from './command.ts'
import { printJson, printLine, type Io } from './io.ts'
import { printTable, toMinute } from './table.ts'
import { withApp } from './with-app.ts'
import { countOf, toSize } from './format.ts'
import { toShownDomain } from './shown-domain.ts'

export const status = defineCommand({
  summary: 'Show files, rows and bytes of each data set',
  notes: ['Replaced files are kept for readers of older snapshots; `lake gc` deletes them after the grace period.'],
  args: { ...OPTIONAL_SITE_FLAG, ...JSON_FLAG },
  examples: ['lake status', 'lake status --site acme.com --json'],
  async run(context) {
    const { args, io } = context
    const { readStatus } = await import('../src/maintenance/status.ts')
    const result = await withApp(context, async ({ change, catalog, config, clock }) => ({
      ...(await readStatus(change, args.site === undefined ? {} : { siteId: catalog.sites.get(args.site).id })),
      retention: describeRetention(config, clock.now()),
    }))
    if (args.json) printJson(io, result)
    else printStatus(io, result)
  },
})

function printStatus(io: Io, status: LakeStatus & { readonly retention: readonly RetentionState[] }): void {
  const { snapshot, sites, files, rows, bytes, retired, staging, newest_import, crowded, retention, raw_replies } =
    status
  const lines = sites.flatMap((site) =>
    site.datasets.map((one) => [toShownDomain(site.domain), one.dataset, one.files, one.rows, one.bytes]),
  )
  const toDomain = (siteId: string): string =>
    toShownDomain(sites.find(({ site_id }) => site_id === siteId)?.domain ?? siteId)
  printTable(io, ['site', 'data set', 'files', 'rows', 'bytes'], [...lines, ['total', null, files, rows, bytes]])
  printLine(
    io,
    `snapshot ${snapshot}; ${countOf(retired.files, 'replaced file')} (${toSize(retired.bytes)}) still kept`,
  )
  if (newest_import !== null) {
    printLine(io, `newest import: ${toMinute(newest_import.created_at)} into ${toDomain(newest_import.site_id)}`)
  }
  if (raw_replies.files > 0) {
    printLine(io, `raw replies of scans: ${countOf(raw_replies.files, 'file')} (${toSize(raw_replies.bytes)})`)
  }
  for (const { setting, period, first_day: firstDay } of retention) {
    if (firstDay !== null) printLine(io, `${setting} ${period}: from ${firstDay} on`)
  }
  if (staging.changes > 0) {
    printLine(io, `${countOf(staging.changes, 'change')} under way or left behind (${toSize(staging.bytes)})`)
  }
  for (const { site_id, dataset, month, files } of crowded) {
    printLine(io, `${files} files of ${dataset} in ${month} of ${toDomain(site_id)}: answerlake lake compact`)
  }
}
