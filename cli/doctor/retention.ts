import { join } from 'node:path'
import { openCatalog } from '../../src/catalog/catalog.ts'
import { readConfig } from '../../src/config.ts'
import { shiftDay } from '../../src/domain/day.ts'
import { describeRetention } from '../../src/domain/retention.ts'
import { listOverdue } from '../../src/maintenance/retention.ts'
import { ok, toReason, warning, type Finding, type Patient } from './finding.ts'

/** A server deletes within the hour, an import when it is done: what is older by so many days was overlooked. */
const OVERDUE_DAYS = 2

/** Whether data lies there that the settings no longer keep. Words that are blanked can't be told from the catalog alone. */
export async function checkRetention({ dataDir, clock, environment }: Patient): Promise<readonly Finding[]> {
  try {
    const states = describeRetention(await readConfig({ dataDir, environment }), clock.now())
    const set = states.filter(({ first_day: firstDay }) => firstDay !== null)
    if (set.length === 0) return []
    using catalog = openCatalog(join(dataDir, 'catalog.sqlite'), { clock, mode: 'command' })
    const context = { catalog, clock, lakeDir: join(dataDir, 'lake') }
    return set.map((state) => {
      const { setting, period, first_day: firstDay } = state
      const message = `${setting} ${period}: from ${firstDay} on`
      const due = { ...state, first_day: shiftDay(firstDay ?? '', -OVERDUE_DAYS) }
      const isOverdue =
        setting !== 'retention_raw' && catalog.sites.list().some(({ id }) => listOverdue(context, id, due).length > 0)
      return isOverdue
        ? warning('retention', `${message}; older data is still there`, 'run `answerlake lake retention`')
        : ok('retention', message)
    })
  } catch (error) {
    return [warning('retention', toReason(error), 'see the findings above; nothing was checked here')]
  }
}
