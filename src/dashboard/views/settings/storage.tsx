import { toCountOf, toDay } from '../../format.ts'
import { Box } from '../../parts/box.tsx'
import { amountColumn, textColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { useThing } from '../../use-reply.ts'
import { toBytes } from './bytes.ts'
import { Loaded } from './loaded.tsx'

interface Amount {
  readonly files: number
  readonly rows: number
  readonly bytes: number
}

interface DatasetAmount extends Amount {
  readonly dataset: string
}

interface SiteAmount extends Amount {
  readonly site_id: string
  readonly domain: string
  readonly datasets: readonly DatasetAmount[]
}

interface LakeState extends Amount {
  readonly snapshot: number
  readonly sites: readonly SiteAmount[]
  readonly retention: readonly {
    readonly setting: string
    readonly period: string
    readonly first_day: string | null
  }[]
}

const KEPT: Readonly<Record<string, string>> = {
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
            sentence={`${toCountOf(state.rows, 'row')} in ${toCountOf(state.files, 'file')}, ${toBytes(state.bytes)}. Snapshot ${state.snapshot}.`}
          >
            <DataTable<DatasetAmount & Pick<SiteAmount, 'site_id' | 'domain'>>
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
                amountColumn('Rows', ({ rows }) => rows),
                amountColumn('Files', ({ files }) => files),
                amountColumn('Size', ({ bytes }) => bytes, toBytes),
              ]}
            />
          </Box>
          <Box title="How long it is kept" sentence="Settings of the service; what is older is deleted.">
            <DataTable
              caption="How long data are kept"
              rows={state.retention}
              keyOf={({ setting }) => setting}
              columns={[
                { title: 'What', isWide: true, cell: ({ setting }) => KEPT[setting] ?? setting },
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
