import type { Schemas } from '../../../client/client.ts'
import { toViewPath } from '../../url-state.ts'
import { toCountOf, toList, toDay } from '../../format.ts'
import { ENGINE_IDS, ENGINE_NAMES } from '../../names.ts'
import { Box } from '../../parts/box.tsx'
import { wideColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TwoLines } from '../../parts/two-lines.tsx'

const SCAN_WORDS = { complete: 'complete', partial: 'partly done', failed: 'failed', running: 'running' } as const

/** The sites of the organization. */
export function Sites({ sites }: { readonly sites: readonly Schemas['Site'][] }) {
  return (
    <Box
      title="Sites"
      sentence={`${toCountOf(sites.length, 'site')}. Sites, their engines and their domains are set up on the machine: answerlake sites create, answerlake sites set.`}
    >
      <DataTable<Schemas['Site']>
        caption="Sites"
        rows={sites}
        keyOf={({ id }) => id}
        empty={<Empty kind="none" title="There is no site yet" />}
        columns={[
          wideColumn(
            'Site',
            ({ name }) => name,
            ({ name, domain }) => (
              <TwoLines below={domain}>
                <a href={toViewPath(domain, 'overview')} dir="auto">
                  {name}
                </a>
              </TwoLines>
            ),
          ),
          { title: 'Engines', isWide: true, cell: ({ platforms }) => describeEngines(platforms) },
          {
            title: 'Last answers (UTC)',
            sortBy: ({ last_answer_scan }) => last_answer_scan?.date ?? null,
            cell: ({ last_answer_scan: last }) =>
              last === null ? (
                <span class="quiet">none yet</span>
              ) : (
                <TwoLines below={SCAN_WORDS[last.status]}>{toDay(last.date)}</TwoLines>
              ),
          },
          { title: 'Created', sortBy: ({ created_at }) => created_at, cell: ({ created_at }) => toDay(created_at) },
          { title: 'Id', cell: ({ id }) => <code>{id}</code> },
        ]}
      />
    </Box>
  )
}

const describeEngines = (platforms: readonly Schemas['EngineId'][]): string =>
  platforms.length === ENGINE_IDS.length ? `all ${platforms.length}` : toList(platforms.map((id) => ENGINE_NAMES[id]))
