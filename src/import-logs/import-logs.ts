import { type ChangeContext, changeLake } from '../change/change-lake.ts'
import type { LogsUndo } from '../domain/recorded-change.ts'
import { toDomain } from '../domain/site.ts'
import { createPageTypeMatcher } from '../derive/page-types.ts'
import { PAGE_TYPES } from '../domain/enums.ts'
import { newId } from '../ids.ts'
import { openLogWriter } from '../lake/write/log-writer.ts'
import { parsePageTypeRules } from '../reference/page-types.ts'
import { openRejections } from '../input/rejections.ts'
import { openCheckpoints } from './checkpoints.ts'
import type { ImportLogsOptions, ImportLogsResult } from './import-options.ts'
import { openKnownFiles } from './known-files.ts'
import { listFiles } from './list-files.ts'
import { LogIntake } from './log-intake.ts'
import { listLogWarnings } from './log-warnings.ts'
import { WorkerPool } from './worker-pool.ts'

/**
 * Imports access logs: one transaction a call, each line once, however often its file is imported. A line that can't be
 * read is rejected and listed; an unreadable file, a full disk or a signal fails the call, and nothing of it is kept.
 * Throws CommandError, and UsageError for options that don't fit a file. With `strict` and rejections the result has no
 * snapshot.
 */
export async function importLogs(context: ChangeContext, options: ImportLogsOptions): Promise<ImportLogsResult> {
  const files = await listFiles(options.files, options.include ?? [])
  await using rejections = await openRejections(options.rejectsFile, files)
  const { catalog, lakeDir } = context
  const { site } = options
  return await changeLake(context, { ...options, group: 'logs', kind: 'import_logs' }, async (change) => {
    const pageTypeRules = parsePageTypeRules(JSON.stringify(site.pageTypeRules ?? []))
    const pageTypes = createPageTypeMatcher(pageTypeRules)
    const keepsRejected = options.rejectsFile !== undefined
    const { hosts = [] } = options
    await using pool = new WorkerPool({
      ranges: catalog.botRanges.list(),
      pageTypeRules,
      hosts: hosts === 'any' ? undefined : [site.domain, ...hosts.map((host) => toDomain(host) ?? host)],
      keepsRejected,
    })
    const importNo = catalog.sites.counter(site.id, 'log_import_no', 1)
    const writer = await openLogWriter({
      staging: change.staging,
      lakeDir,
      liveFiles: change.files,
      counters: { path_no: catalog.sites.counter(site.id, 'path_no', 1) },
      importNo,
      toPageTypeNo: (path) => PAGE_TYPES.indexOf(pageTypes.find(path)) + 1,
    })
    try {
      const checkpoints = openCheckpoints(catalog, site.id, importNo)
      const knownFiles = openKnownFiles(catalog, site.id)
      const step = new LogIntake(options, {
        nowSeconds: context.clock.now() / 1_000,
        importNo,
        pool,
        checkpoints,
        knownFiles,
        isAlone: files.length === 1,
        rejections,
        spillDir: change.staging.spillDir,
        writer,
      })
      for (const path of files) await step.readFile(path)
      const counters = await writer.finish()
      const result = { ...step.toResult(), warnings: listLogWarnings(context, step) }
      const isKept = !options.dryRun && !(options.strict && result.rejected > 0)
      if (!isKept) return result
      if (!checkpoints.hasChanged) {
        catalog.transaction(() => knownFiles.save())
        return { ...result, snapshot: catalog.manifest.currentSnapshot(site.id) }
      }
      const months = [...new Set(change.staging.files.map(({ month }) => month))].filter((month) => month !== 'all')
      const undo: LogsUndo = { importNo, continues: checkpoints.continues, months: months.sort() }
      const snapshot = await change.commit((committed) => {
        checkpoints.save()
        knownFiles.save()
        catalog.sites.setCounter(site.id, 'path_no', counters.path_no)
        catalog.sites.setCounter(site.id, 'log_import_no', importNo + 1)
        catalog.recordedChanges.record({
          id: newId('imp', context.clock.now()),
          siteId: site.id,
          kind: 'import_logs',
          snapshot: committed,
          result,
          undo,
        })
      })
      return { ...result, snapshot }
    } finally {
      await writer.close()
    }
  })
}
