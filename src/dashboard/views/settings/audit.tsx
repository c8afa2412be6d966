import type { AuditRow } from '../../../http/dashboard/operations/list-audit.ts'
import { toMoment } from '../../format.ts'
import { Box } from '../../parts/box.tsx'
import { Button } from '../../parts/button.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { usePages } from '../../use-pages.ts'
import { describeDetail, toActionWords } from './audit-words.ts'
import { Loaded } from './loaded.tsx'

const ROWS = 50

/** Who changed what, newest first. */
export function Audit() {
  const { rows, page, turn, hasMore, loading } = usePages<AuditRow>({ method: 'GET', path: '/audit' }, ROWS)
  return (
    <Box
      title="Audit log"
      sentence="Who changed what, here, by a key or on the command line; newest first. Times are UTC."
    >
      <Loaded of={loading}>
        {() => (
          <>
            <DataTable
              caption="Changes, newest first"
              rows={rows}
              keyOf={({ id }) => id}
              pageSize={ROWS}
              empty={<Empty kind="none" title="Nothing was changed yet" />}
              columns={[
                { title: 'When (UTC)', cell: ({ at }) => <span class="when">{toMoment(at)}</span> },
                { title: 'Who', isWide: true, cell: ({ actor }) => <span class="breaks">{actor}</span> },
                {
                  title: 'What',
                  cell: ({ action }) => (
                    <span class="kind" title={action}>
                      {toActionWords(action)}
                    </span>
                  ),
                },
                { title: 'Of', isWide: true, cell: ({ subject }) => <code class="breaks">{subject}</code> },
                {
                  title: 'More',
                  isWide: true,
                  cell: ({ detail }) => <span class="quiet breaks">{describeDetail(detail)}</span>,
                },
              ]}
            />
            <nav class="pages" aria-label="Older and newer changes">
              {page > 0 && <Button onClick={() => turn(page - 1)}>Newer</Button>}
              {hasMore && <Button onClick={() => turn(page + 1)}>Older</Button>}
            </nav>
          </>
        )}
      </Loaded>
    </Box>
  )
}
