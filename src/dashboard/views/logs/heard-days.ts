import type { ChangeRow } from '../../../http/dashboard/operations/list-imports.ts'
import type { Schemas } from '../../../client/client.ts'
import { toReport } from '../../report-questions.ts'
import { toSitePath } from '../../site-path.ts'
import { IMPORTS_LISTED_MAX } from '../../bounds.ts'
import type { DayRange } from '../../days.ts'
import { toCount, toCountOf } from '../../format.ts'
import { type Loading, usePage, useRows } from '../../use-reply.ts'

/** Whether a log of the site was ever imported; undefined until that is known. */
export function useHasLog(site: Schemas['Site']): boolean | undefined {
  const imports = usePage<ChangeRow>({ method: 'GET', path: toSitePath(site.id, 'imports') })
  // Where it can't be told, nothing is said of a missing log.
  if (imports.refusal !== undefined) return true
  if (imports.value === undefined) return undefined
  const { rows } = imports.value
  // The list is of the last changes alone, so a full one may leave out the log's.
  return (
    rows.length >= IMPORTS_LISTED_MAX ||
    rows.some(({ kind, undone_by }) => kind === 'import_logs' && undone_by === null)
  )
}

/**
 * Days on which the site's log says anything, whatever the filters: a hit of a robot, a spoofed one too, or a visit.
 */
export function useHeardDays(site: Schemas['Site'], range: DayRange): Loading<ReadonlySet<string>> {
  const about = { site_id: site.id, ...range, group_by: ['date'] }
  const filter = { or: [true, false].map((value) => ({ field: 'verified', op: 'is', value })) }
  const hits = useRows(toReport('bots', { ...about, metrics: ['hits'], filter }))
  const visits = useRows(toReport('referrals', { ...about, metrics: ['visits'] }))
  return {
    value: hits.value && visits.value && new Set([...hits.value, ...visits.value].map(({ date = '' }) => date)),
    refusal: hits.refusal ?? visits.refusal,
    isLoading: hits.isLoading || visits.isLoading,
  }
}

/** `On 2 days of 28 the log says nothing, …`; nothing where it speaks on all of them. */
export function describeSilence(days: readonly string[], heard: ReadonlySet<string>): string {
  const silent = days.filter((day) => !heard.has(day)).length
  if (silent === 0) return ''
  return ` On ${toCountOf(silent, 'day')} of ${toCount(days.length)} the log says nothing at all: it may not be imported.`
}
