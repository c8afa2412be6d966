import type { SessionRow } from '../../../http/dashboard/operations/session.ts'
import { change } from '../../api.ts'
import { SESSION_DAYS_MAX, SESSION_IDLE_HOURS } from '../../bounds.ts'
import { toMoment } from '../../format.ts'
import { Box } from '../../parts/box.tsx'
import { ActButton } from '../../parts/act-button.tsx'
import { momentColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { toast } from '../../parts/toast.tsx'
import { TwoLines } from '../../parts/two-lines.tsx'
import { getMe } from '../../session.ts'
import { forgetReplies, usePage } from '../../use-reply.ts'
import { toBrowserName } from './browser-name.ts'
import { Loaded } from './loaded.tsx'

/** Where one is signed in, and a way to end what isn't one's own any more. */
export function Account() {
  const sessions = usePage<SessionRow>({ method: 'GET', path: '/sessions' })
  const end = async (id: string): Promise<void> => {
    await change('POST', `/sessions/${encodeURIComponent(id)}/end`)
    forgetReplies()
    toast('The session is ended.')
  }
  return (
    <Box
      title="Your sessions"
      sentence={`Where ${getMe()?.user.mail ?? 'you'} is signed in. A session ends after ${SESSION_IDLE_HOURS} hours without use, and after ${SESSION_DAYS_MAX} days in any case.`}
    >
      <Loaded of={sessions}>
        {({ rows }) => (
          <DataTable<SessionRow>
            caption="Your sessions"
            rows={rows.toSorted((a, b) => Number(b.is_current) - Number(a.is_current))}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Browser',
                isWide: true,
                cell: ({ client, is_current, address }) => (
                  <span title={client}>
                    <TwoLines below={address ?? 'address unknown'}>
                      {toBrowserName(client)}
                      {is_current && <b>, this one</b>}
                    </TwoLines>
                  </span>
                ),
              },
              momentColumn('Signed in (UTC)', ({ created_at }) => created_at),
              momentColumn('Last used (UTC)', ({ last_used_at }) => last_used_at),
              { title: 'Ends (UTC)', cell: ({ expires_at }) => <span class="when">{toMoment(expires_at)}</span> },
              {
                title: 'End it',
                isTitleUnseen: true,
                cell: ({ id, is_current, client }) =>
                  !is_current && (
                    <ActButton
                      kind="danger"
                      label={`End the session of ${toBrowserName(client)}`}
                      onAct={() => end(id)}
                    >
                      End
                    </ActButton>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Box>
  )
}
