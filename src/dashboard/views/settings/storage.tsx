import type { LakeState } from '../../../http/dashboard/operations/get-lake.ts'
import { toBytes, toCountOf, toDay } from '../../format.ts'
import { Box } from '../../parts/box.tsx'
import { numberColumn, textColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Value } from '../../parts/value.tsx'
import { useThing } from '../../use-reply.ts'
import { Loaded } from './loaded.tsx'

type SiteAmount = LakeState['sites'][number]

const KEPT: Readonly<Record<LakeState['retention'][number]['setting'], string>> = {
  retention_answers: 'Answers and what was derived from them',
  retention_logs: 'Hits of crawlers and visits',
  retention_raw: 'Texts of answers',
}

const UNITS: Readonly<Record<string, string>> = { d: 'day', w: 'week', mo: 'month', y: 'year' }

/** What is stored of each site, and for how long. */
export function Storage() {
  const lake = useThing<LakeState>({ method: 'GET', path: '/lake' })
  return (
    <Loaded of={lake}>
      {(state) => (
        <>
          <Box
            title="What is stored"
            sentence={
              <>
                <Value metric="rows" value={state.rows}>
                  {toCountOf(state.rows, 'row')}
                </Value>{' '}
                in{' '}
                <Value metric="files" value={state.files}>
                  {toCountOf(state.files, 'file')}
                </Value>
                ,{' '}
                <Value metric="bytes" value={state.bytes}>
                  {toBytes(state.bytes)}
                </Value>
                . Snapshot{' '}
                <Value metric="snapshot" value={state.snapshot}>
                  {state.snapshot}
                </Value>
                .
              </>
            }
          >
            <DataTable<SiteAmount['datasets'][number] & Pick<SiteAmount, 'site_id' | 'domain'>>
              caption="What is stored, by site and data set"
              rows={state.sites.flatMap(({ site_id, domain, datasets }) =>
                datasets.map((one) => ({ site_id, domain, ...one })),
              )}
              keyOf={({ site_id, dataset }) => `${site_id} ${dataset}`}
              columns={[
                textColumn('Site', ({ domain }) => domain),
                textColumn(
                  'Data set',
                  ({ dataset }) => dataset,
                  ({ dataset }) => <span class="kind">{dataset.replaceAll('_', ' ')}</span>,
                ),
                numberColumn('Rows', 'rows', ({ rows }) => rows),
                numberColumn('Files', 'files', ({ files }) => files),
                numberColumn('Size', 'bytes', ({ bytes }) => bytes, toBytes),
              ]}
            />
          </Box>
          <Box title="How long it is kept" sentence="Settings of the service; what is older is deleted.">
            <DataTable
              caption="How long data are kept"
              rows={state.retention}
              keyOf={({ setting }) => setting}
              columns={[
                { title: 'What', isWide: true, cell: ({ setting }) => KEPT[setting] },
                { title: 'Kept', cell: ({ period }) => <span class="kind">{describePeriod(period)}</span> },
                {
                  title: 'From (UTC)',
                  cell: ({ first_day }) =>
                    first_day === null ? (
                      <span class="quiet kind">the beginning</span>
                    ) : (
                      <span class="when">{toDay(first_day)}</span>
                    ),
                },
              ]}
            />
          </Box>
        </>
      )}
    </Loaded>
  )
}

/** `24mo` as `24 months`. */
function describePeriod(period: string): string {
  const [, count, unit = ''] = /^(\d+)([a-z]+)$/.exec(period) ?? []
  if (count === undefined) return 'for good'
  return toCountOf(Number(count), UNITS[unit] ?? unit)
}
