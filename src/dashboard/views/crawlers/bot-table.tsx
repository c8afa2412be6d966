import type { Schemas } from '../../../client/client.ts'
import type { Question } from '../../api.ts'
import { toMoment } from '../../format.ts'
import { changeUrl } from '../../navigation.ts'
import { numberColumn, textColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Pick } from '../../parts/pick.tsx'
import type { Loading } from '../../use-reply.ts'
import { toBotTypeName, toProviderName } from './names.ts'
import { VerificationBar, VerificationKey } from './verification-bar.tsx'
import type { Verification } from './verification.ts'

interface BotTableProps {
  readonly questions: readonly Question[]
  readonly loading: readonly Loading<unknown>[]
  readonly rows: readonly Schemas['BotRow'][]
  readonly verifications: ReadonlyMap<string, Verification>
}

const NONE: Verification = { verified: 0, unverifiable: 0, spoofed: 0 }

/** The crawlers with what their addresses say; one that was only ever spoofed is listed, too. */
export function BotTable({ questions, loading, rows, verifications }: BotTableProps) {
  const named = new Set(rows.map(({ bot_name }) => bot_name))
  const spoofedOnly = [...verifications.keys()].filter((name) => !named.has(name))
  const all = [...rows, ...spoofedOnly.map((bot_name): Schemas['BotRow'] => ({ bot_name, hits: 0 }))]
  const told = ({ bot_name = '' }: Schemas['BotRow']): Verification => verifications.get(bot_name) ?? NONE
  return (
    <Panel
      title="Crawlers"
      sentence="Verified hits come from addresses that the provider publishes for the crawler. Spoofed ones use its name from elsewhere, and count nowhere else."
      questions={questions}
      method="crawlers"
      loading={loading}
      controls={<VerificationKey />}
    >
      <DataTable<Schemas['BotRow']>
        caption="Crawlers with their hits"
        rows={all}
        keyOf={({ bot_name = '' }) => bot_name}
        columns={[
          textColumn(
            'Crawler',
            ({ bot_name = '' }) => bot_name.toLowerCase(),
            (row) => <BotName row={row} />,
          ),
          numberColumn('Hits', 'hits', ({ hits = 0 }) => hits),
          { title: 'Who it was', cell: (row) => <VerificationBar told={told(row)} /> },
          numberColumn('Verified', 'verified_hits', (row) => told(row).verified),
          numberColumn('Unverifiable', 'unverifiable_hits', (row) => told(row).unverifiable),
          numberColumn('Spoofed', 'spoofed_hits', (row) => told(row).spoofed),
          numberColumn('Errors', 'error_hits', ({ error_hits = 0 }) => error_hits),
          numberColumn('Pages', 'pages', ({ pages = 0 }) => pages),
          {
            title: 'Last visit (UTC)',
            sortBy: ({ last_visit }) => last_visit ?? null,
            cell: ({ last_visit }) => last_visit !== undefined && <span class="when">{toMoment(last_visit)}</span>,
          },
        ]}
      />
    </Panel>
  )
}

function BotName({ row }: { readonly row: Schemas['BotRow'] }) {
  const { bot_name = '', bot_provider, bot_type } = row
  const pick = (parameter: string, value: string, text: string) => (
    <Pick to={() => changeUrl({ more: { [parameter]: value } })}>{text}</Pick>
  )
  return (
    <div class="bot">
      <span class="bot-name">{pick('bot', bot_name, bot_name)}</span>
      <small class="quiet">
        {bot_provider === undefined || bot_type === undefined ? (
          'only its name was used'
        ) : (
          <>
            {pick('provider', bot_provider, toProviderName(bot_provider))},{' '}
            {pick('purpose', bot_type, toBotTypeName(bot_type))}
          </>
        )}
      </small>
    </div>
  )
}
