import { useState } from 'preact/hooks'
import type { KeyRow } from '../../../http/dashboard/operations/keys.ts'
import type { Schemas } from '../../../client/client.ts'
import { change } from '../../api.ts'
import { toDay, toMinute } from '../../format.ts'
import { Box } from '../../parts/box.tsx'
import { Button } from '../../parts/button.tsx'
import { withPassword } from '../../parts/confirm-password.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { momentColumn, textColumn, wideColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { Empty } from '../../parts/empty.tsx'
import { toast } from '../../parts/toast.tsx'
import { TwoLines } from '../../parts/two-lines.tsx'
import { getMe } from '../../session.ts'
import { forgetReplies, usePage } from '../../use-reply.ts'
import { sortKeys, toTryLine } from './key-row.ts'
import { Loaded } from './loaded.tsx'
import { NewKey } from './new-key.tsx'

/** Keys for programs, and what AI assistants can do with them. */
export function Access({ sites }: { readonly sites: readonly Schemas['Site'][] }) {
  return (
    <>
      <Keys />
      <Assistants sites={sites} />
    </>
  )
}

const STATUS_TONES: Readonly<Record<KeyRow['status'], string>> = { active: 'good', revoked: 'bad', expired: 'warn' }

function Keys() {
  const keys = usePage<KeyRow>({ method: 'GET', path: '/keys' })
  const [isNew, makeNew] = useState(false)
  const [revoked, askToRevoke] = useState<KeyRow | undefined>()
  const plan = getMe()?.organization.plan
  return (
    <Box
      title="API keys"
      sentence="For servers and scripts: a key reaches every site of the organization. Its value is shown once, when it is made."
      controls={
        <Button kind="primary" onClick={() => makeNew(true)}>
          New key…
        </Button>
      }
    >
      {plan !== undefined && plan !== 'enterprise' && (
        <p class="note">The API answers organizations with a live Enterprise plan; this one has the plan {plan}.</p>
      )}
      <Loaded of={keys}>
        {({ rows }) => (
          <DataTable<KeyRow>
            caption="API keys"
            rows={sortKeys(rows)}
            keyOf={({ id }) => id}
            empty={
              <Empty kind="none" title="There is no key yet">
                <p>The first one lets a script ask for the same numbers as this dashboard shows.</p>
              </Empty>
            }
            columns={[
              wideColumn(
                'Key',
                ({ name }) => name,
                ({ name, id }) => (
                  <TwoLines below={id}>
                    <b dir="auto" class="breaks">
                      {name}
                    </b>
                  </TwoLines>
                ),
              ),
              textColumn(
                'May',
                ({ permission }) => permission,
                ({ permission }) => (permission === 'write' ? 'read, change prompts' : 'read'),
              ),
              textColumn(
                'Status',
                ({ status }) => status,
                ({ status }) => <span class={STATUS_TONES[status]}>{status}</span>,
              ),
              textColumn(
                'Made',
                ({ created_at }) => created_at,
                ({ created_at, creator }) => (
                  <TwoLines below={creator}>
                    <span class="when">{toDay(created_at)}</span>
                  </TwoLines>
                ),
              ),
              momentColumn('Expires', ({ expires_at }) => expires_at, toDay),
              momentColumn('Last used (UTC)', ({ last_used_at }) => last_used_at),
              {
                title: 'Revoke',
                isTitleUnseen: true,
                cell: (key) =>
                  key.status === 'active' && (
                    <Button kind="danger" label={`Revoke the key ${key.name}`} onClick={() => askToRevoke(key)}>
                      Revoke…
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      {isNew && <NewKey onClose={() => makeNew(false)} />}
      {revoked !== undefined && <RevokeDialog keyRow={revoked} onClose={() => askToRevoke(undefined)} />}
    </Box>
  )
}

function RevokeDialog({ keyRow, onClose }: { readonly keyRow: KeyRow; readonly onClose: () => void }) {
  const revoke = async (): Promise<void> => {
    const path = `/keys/${encodeURIComponent(keyRow.id)}/revoke`
    if ((await withPassword(() => change<object>('POST', path))) === undefined) return
    forgetReplies()
    toast('The key is revoked.')
    onClose()
  }
  return (
    <DialogForm title="Revoke the key?" action="Revoke" kind="danger" onSubmit={revoke} onClose={onClose}>
      <p>
        <b dir="auto">{keyRow.name}</b> stops working with its very next request, and never works again.{' '}
        {keyRow.last_used_at === null ? 'It was never used.' : `It was last used ${toMinute(keyRow.last_used_at)}.`}
      </p>
    </DialogForm>
  )
}

function Assistants({ sites }: { readonly sites: readonly Schemas['Site'][] }) {
  const { origin } = location
  return (
    <Box
      title="AI assistants"
      sentence="What works today: an assistant or agent that can call a REST API works with a key. There is no connection of its own yet, so nothing is to be set up here."
    >
      <ol class="steps">
        <li>Make a key that may read.</li>
        <li>Give it to the assistant as a secret, with the address of the API and its description:</li>
      </ol>
      <CopyField label="Address of the API" name="api" value={`${origin}/v1`} what="The address is" />
      <CopyField
        label="Description of the API (OpenAPI 3.1), which needs no key"
        name="openapi"
        value={`${origin}/v1/openapi.json`}
        what="The address is"
      />
      <CopyField label="To try it" name="try" value={toTryLine('YOUR_KEY', origin)} what="The command is" />
      <p class="quiet">
        A key that may read can change nothing. It sees {sites.length === 1 ? 'the site' : 'all sites'} of the
        organization, so give it to no assistant that others use, too.
      </p>
    </Box>
  )
}
