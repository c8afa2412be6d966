import { useState } from 'preact/hooks'
import type { ChangeRow } from '../../../http/dashboard/operations/list-imports.ts'
import type { Schemas } from '../../../client/client.ts'
import { toSitePath } from '../../site-path.ts'
import { toCount, toCountOf } from '../../format.ts'
import { Box } from '../../parts/box.tsx'
import { momentColumn, wideColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Select } from '../../parts/field.tsx'
import { Value } from '../../parts/value.tsx'
import { usePage } from '../../use-reply.ts'
import { Loaded } from './loaded.tsx'

const KIND_NAMES: Readonly<Partial<Record<ChangeRow['kind'], string>>> = {
  import_answers: 'Answers imported',
  import_logs: 'Access log imported',
  import_sentiment: 'Tones imported',
  undo: 'Import taken back',
  delete_answers: 'Answers deleted',
  delete_logs: 'Log deleted',
  retention: 'Old data deleted',
  import_organization: 'Organization moved here',
}

const FILES_SHOWN = 2

/** What was imported into a site, deleted from it and taken back, newest first. */
export function Imports({ sites }: { readonly sites: readonly Schemas['Site'][] }) {
  const [picked, pick] = useState(sites[0]?.id ?? '')
  const changes = usePage<ChangeRow>(picked === '' ? undefined : { method: 'GET', path: toSitePath(picked, 'imports') })
  if (picked === '') return null
  return (
    <Box
      title="Imports"
      sentence="What was imported, deleted and taken back; the last 200. Imports are made on the machine: answerlake import."
      controls={
        sites.length > 1 && (
          <Select
            label="Site"
            value={picked}
            options={sites.map(({ id, domain }) => ({ value: id, title: domain }))}
            onPick={pick}
          />
        )
      }
    >
      <Loaded of={changes}>
        {({ rows }) => (
          <DataTable<ChangeRow>
            caption="Imports and deletions, newest first"
            rows={rows}
            keyOf={({ id }) => id}
            pageSize={10}
            empty={
              <Empty kind="not_connected" title="Nothing was imported yet">
                <pre>answerlake import answers --site DOMAIN answers.ndjson</pre>
              </Empty>
            }
            columns={[
              momentColumn('When (UTC)', ({ created_at }) => created_at),
              wideColumn(
                'What',
                ({ kind }) => kind,
                ({ kind, files, undone_by }) => (
                  <>
                    {undone_by === null ? (KIND_NAMES[kind] ?? kind) : <s>{KIND_NAMES[kind] ?? kind}</s>}
                    {undone_by !== null && <span class="warn"> taken back</span>}
                    {files.length > 0 && <small class="quiet block breaks">{describeFiles(files)}</small>}
                  </>
                ),
              ),
              { title: 'Counts', isWide: true, cell: ({ counts }) => <Counts counts={counts} /> },
              { title: 'By', cell: ({ actor }) => actor ?? '–' },
              { title: 'Id', cell: ({ id }) => <code class="kind">{id}</code> },
            ]}
          />
        )}
      </Loaded>
    </Box>
  )
}

function describeFiles(files: readonly string[]): string {
  const rest = files.length - FILES_SHOWN
  return [...files.slice(0, FILES_SHOWN), ...(rest > 0 ? [`and ${toCountOf(rest, 'more file')}`] : [])].join(', ')
}

/** `1,440 imported, 3 duplicates`; nothing of what there is none of. */
function Counts({ counts }: Pick<ChangeRow, 'counts'>) {
  const given = Object.entries(counts).filter(([, count]) => count > 0)
  return (
    <>
      {given.map(([name, count], index) => (
        <span key={name}>
          {index > 0 && ', '}
          <Value metric={name} value={count}>
            {toCount(count)}
          </Value>{' '}
          {name
            .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
            .replaceAll('_', ' ')
            .toLowerCase()}
        </span>
      ))}
    </>
  )
}
