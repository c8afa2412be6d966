import { useState } from 'preact/hooks'
import type { AuditRow } from '../../../http/dashboard/operations/list-audit.ts'
import { toMoment } from '../../format.ts'
import { Box } from '../../parts/box.tsx'
import { Button } from '../../parts/button.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { usePage } from '../../use-reply.ts'
import { describeDetail, toActionWords } from './audit-words.ts'
import { Loaded } from './loaded.tsx'

const ROWS = 50

/** Who changed what, newest first. */
export function Audit() {
  /** Where pages begin that were left for older ones; the last is shown. */
  const [cursors, setCursors] = useState<readonly string[]>([])
  const cursor = cursors.at(-1)
  const from = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
  const page = usePage<AuditRow>({ method: 'GET', path: `/audit?limit=${ROWS}${from}` })
  const next = page.value?.info['next_cursor']
  return (
    <Box
      title="Audit log"
      sentence="Who changed what, here, by a key or on the command line; newest first. Times are UTC."
    >
      <Loaded of={page}>
        {({ rows }) => (
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
        )}
      </Loaded>
      <nav class="pages" aria-label="Older and newer changes">
        {cursors.length > 0 && <Button onClick={() => setCursors(cursors.slice(0, -1))}>Newer</Button>}
        {typeof next === 'string' && <Button onClick={() => setCursors([...cursors, next])}>Older</Button>}
      </nav>
    </Box>
  )
}
