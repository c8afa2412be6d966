import { type ChangeContext, changeLake } from '../change/change-lake.ts'
import { CommandError } from '../errors.ts'
import { findDamage } from '../lake/checksums/file-damage.ts'
import { repairLogs } from '../lake/maintain/log-repair.ts'
import type { GroupOutcome, GroupRepair } from './group-repair.ts'

/** What is given up of the logs' data sets is taken out of the sums; hits and visits of lost paths go with those. */
export async function repairLogFiles(
  context: ChangeContext,
  { site, isDropped, options }: GroupRepair,
): Promise<GroupOutcome> {
  const { isDryRun, signal, onWait } = options
  const { lakeDir } = context
  return changeLake(
    context,
    { site, group: 'logs', kind: 'repair', ...(signal ? { signal } : {}), ...(onWait ? { onWait } : {}) },
    async (change) => {
      const { files, staging } = change
      const dropped = files.filter(isDropped)
      const kept = files.filter((file) => !isDropped(file))
      const months = new Set(dropped.map(({ month }) => month))
      for (const file of kept) {
        if (!months.has('all') && file.month !== 'all' && !months.has(file.month)) continue
        const damage = await findDamage(lakeDir, file)
        if (damage) {
          throw new CommandError(
            `${file.path} is needed for this, and ${damage.what}. Drop it in the same call, with a further --drop.`,
          )
        }
      }
      const { replaced, lost, rebuilt } = await repairLogs({ staging, lakeDir, files: kept, dropped })
      const removed = [...dropped, ...replaced].map(({ fileId }) => fileId)
      return { lost, rebuilt, snapshot: isDryRun ? null : await change.commit(() => undefined, removed) }
    },
  )
}
