import type { Question, Schemas } from '../../api.ts'
import { toCount, toMoment } from '../../format.ts'
import { change } from '../../navigation.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Value } from '../../parts/value.tsx'
import type { ViewState } from '../../url-state.ts'
import type { Loading } from '../../use-answer.ts'
import { toBotTypeName, toProviderName } from './names.ts'
import { VerificationBar, VerificationKey } from './verification-bar.tsx'
import type { Verification } from './verification.ts'

interface BotTableProps {
  readonly state: ViewState
  readonly questions: readonly Question[]
  readonly loading: readonly Loading<unknown>[]
  readonly rows: readonly Schemas['BotRow'][]
  readonly verifications: ReadonlyMap<string, Verification>
}

const NONE: Verification = { verified: 0, unverifiable: 0, spoofed: 0 }

/** The crawlers with what their addresses say; one that was only ever spoofed is listed, too. */
export function BotTable({ state, questions, loading, rows, verifications }: BotTableProps) {
  const named = new Set(rows.map(({ bot_name }) => bot_name))
  const spoofedOnly = [...verifications.keys()].filter((name) => !named.has(name))
  const all = [...rows, ...spoofedOnly.map((bot_name): Schemas['BotRow'] => ({ bot_name, hits: 0 }))]
  const told = ({ bot_name = '' }: Schemas['BotRow']): Verification => verifications.get(bot_name) ?? NONE
  const number = (metric: string, value: number) => (
    <Value metric={metric} value={value}>
      {toCount(value)}
    </Value>
  )
  return (
    <Panel
      title="Crawlers"
      sentence="Verified hits come from addresses that the provider publishes for the crawler. Spoofed ones use its name from elsewhere, and count nowhere else."
      questions={questions}
      method="crawlers"
      loading={loading}
      controls={<VerificationKey />}
    >
      <DataTable
        caption="Crawlers with their hits"
        rows={all}
        keyOf={({ bot_name = '' }) => bot_name}
        columns={[
          {
            title: 'Crawler',
            sortBy: ({ bot_name = '' }) => bot_name.toLowerCase(),
            cell: (row) => <BotName state={state} row={row} />,
          },
          {
            title: 'Hits',
            isNumber: true,
            sortBy: ({ hits = 0 }) => hits,
            cell: ({ hits = 0 }) => number('hits', hits),
          },
          { title: 'Who it was', cell: (row) => <VerificationBar told={told(row)} /> },
          {
            title: 'Verified',
            isNumber: true,
            sortBy: (row) => told(row).verified,
            cell: (row) => number('verified_hits', told(row).verified),
          },
          {
            title: 'Unverifiable',
            isNumber: true,
            sortBy: (row) => told(row).unverifiable,
            cell: (row) => number('unverifiable_hits', told(row).unverifiable),
          },
          {
            title: 'Spoofed',
            isNumber: true,
            sortBy: (row) => told(row).spoofed,
            cell: (row) => number('spoofed_hits', told(row).spoofed),
          },
          {
            title: 'Errors',
            isNumber: true,
            sortBy: ({ error_hits = 0 }) => error_hits,
            cell: ({ error_hits = 0 }) => number('error_hits', error_hits),
          },
          {
            title: 'Pages',
            isNumber: true,
            sortBy: ({ pages = 0 }) => pages,
            cell: ({ pages = 0 }) => number('pages', pages),
          },
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

function BotName({ state, row }: { readonly state: ViewState; readonly row: Schemas['BotRow'] }) {
  const { bot_name = '', bot_provider, bot_type } = row
  const pick = (parameter: string, value: string, text: string) => (
    <button type="button" class="link" onClick={() => change(state, { more: { [parameter]: value } })}>
      {text}
    </button>
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
