import { useState } from 'preact/hooks'
import type { MemberRow, WithLink } from '../../../http/dashboard/operations/members.ts'
import { change } from '../../api.ts'
import { toDay } from '../../format.ts'
import { Box } from '../../parts/box.tsx'
import { Button } from '../../parts/button.tsx'
import { withPassword } from '../../parts/confirm-password.tsx'
import { momentColumn, textColumn, wideColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { Fault } from '../../parts/fault.tsx'
import { Menu } from '../../parts/menu.tsx'
import { toast } from '../../parts/toast.tsx'
import { getMe, loadMe } from '../../session.ts'
import { forgetReplies, usePage } from '../../use-reply.ts'
import { useAttempt } from '../../use-attempt.ts'
import { Invite, type ShownLink, LinkDialog } from './invite.tsx'
import { Loaded } from './loaded.tsx'

interface Changed {
  readonly data: Pick<WithLink, 'member'> & Partial<WithLink>
}

const STATUS_TONES = { active: 'good', invited: 'warn', revoked: 'bad' } as const

/** Who may sign in, and as what. */
export function Members() {
  const members = usePage<MemberRow>({ method: 'GET', path: '/members' })
  const [isInviting, invite] = useState(false)
  const [link, show] = useState<ShownLink | undefined>()
  const { fault, isBusy, run } = useAttempt()
  const [revoked, askToRevoke] = useState<MemberRow | undefined>()
  const act: MemberMenuProps['onAct'] = (member, verb, body, said) =>
    run(async () => {
      const reply = await changeMember(member, verb, body)
      if (reply === undefined) return
      const { link: url, expires_at } = reply.data
      if (url === undefined || expires_at === undefined) toast(said)
      else show({ mail: member.mail, url, expiresAt: expires_at, isReset: true })
    })
  return (
    <Box
      title="Members"
      sentence="A member reads everything, manages prompts and competitors, and works cards. An owner also has keys, members, scans and the audit log."
      controls={
        <Button kind="primary" onClick={() => invite(true)}>
          Invite…
        </Button>
      }
    >
      <Fault text={fault} />
      <Loaded of={members}>
        {({ rows }) => (
          <DataTable<MemberRow>
            caption="Members"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              wideColumn(
                'Mail',
                ({ mail }) => mail,
                ({ mail, id }) => (
                  <span class="breaks">
                    {mail}
                    {id === getMe()?.user.id && <b>, you</b>}
                  </span>
                ),
              ),
              textColumn('Role', ({ role }) => role),
              textColumn(
                'Status',
                ({ status }) => status,
                ({ status }) => <span class={STATUS_TONES[status]}>{status}</span>,
              ),
              momentColumn('Since', ({ created_at }) => created_at, toDay),
              momentColumn('Last signed in (UTC)', ({ last_sign_in_at }) => last_sign_in_at),
              {
                title: 'Change',
                isTitleUnseen: true,
                cell: (member) =>
                  member.status !== 'revoked' && (
                    <MemberMenu member={member} isBusy={isBusy} onAct={act} onRevoke={() => askToRevoke(member)} />
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      {isInviting && (
        <Invite
          onClose={() => invite(false)}
          onInvited={(shown) => {
            invite(false)
            show(shown)
          }}
        />
      )}
      {revoked !== undefined && <RevokeDialog member={revoked} onClose={() => askToRevoke(undefined)} />}
      {link !== undefined && <LinkDialog link={link} onClose={() => show(undefined)} />}
    </Box>
  )
}

/** Changes a member, after the password. Undefined when the reader thinks better of it. Throws Refusal. */
async function changeMember(
  { id }: MemberRow,
  verb: 'revoke' | 'reset' | 'role',
  body: object = {},
): Promise<Changed | undefined> {
  const path = `/members/${encodeURIComponent(id)}/${verb}`
  const reply = await withPassword(() => change<Changed>('POST', path, body))
  if (reply === undefined) return undefined
  if (id === getMe()?.user.id) await loadMe()
  forgetReplies()
  return reply
}

function RevokeDialog({ member, onClose }: { readonly member: MemberRow; readonly onClose: () => void }) {
  const revoke = async (): Promise<void> => {
    if ((await changeMember(member, 'revoke')) === undefined) return
    toast(`${member.mail} can’t sign in any more, and was signed out.`)
    onClose()
  }
  return (
    <DialogForm title="Take away access?" action="Take away access" kind="danger" onSubmit={revoke} onClose={onClose}>
      <p>
        <b class="breaks">{member.mail}</b> is signed out at once and can’t sign in any more. The address can be invited
        again.
      </p>
    </DialogForm>
  )
}

interface MemberMenuProps {
  readonly member: MemberRow
  readonly isBusy: boolean
  readonly onAct: (member: MemberRow, verb: 'reset' | 'role', body: object, said: string) => void
  readonly onRevoke: () => void
}

function MemberMenu({ member, isBusy, onAct, onRevoke }: MemberMenuProps) {
  const { mail, role } = member
  const other = role === 'owner' ? 'member' : 'owner'
  return (
    <Menu title="Change" label={`Change ${mail}`} isEnd isBusy={isBusy}>
      {(close) => {
        const item = (title: string, onPick: () => void) => (
          <li>
            <button
              type="button"
              onClick={() => {
                close()
                onPick()
              }}
            >
              {title}
            </button>
          </li>
        )
        return (
          <ul class="menu-list">
            {item(`Make ${other === 'owner' ? 'an owner' : 'a member'}`, () =>
              onAct(member, 'role', { role: other }, `${mail} is now ${other}.`),
            )}
            {item('New link to sign in with…', () => onAct(member, 'reset', {}, ''))}
            {item('Take away access…', onRevoke)}
          </ul>
        )
      }}
    </Menu>
  )
}
