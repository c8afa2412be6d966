import type { Schemas } from '../../../client/client.ts'
import { toPercent } from '../../format.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { changeUrl } from '../../navigation.ts'
import { textColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Pick } from '../../parts/pick.tsx'
import { RateOf } from '../../parts/rate.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { Verdict } from '../../parts/verdict.tsx'
import type { PartProps } from './part-props.ts'
import { toWeeklyRates } from './story.ts'

type EngineId = Schemas['EngineId']

/** How often each engine names the own brand, its weeks, and whether that changed. */
export function Engines({ state, site, compared, questions, replies }: PartProps) {
  const rows = new Map((replies.engines.value ?? []).map((row) => [row.platform, row]))
  const changes = new Map((replies.changesByEngine.value ?? []).map((row) => [row.platform, row]))
  const weeks = toWeeklyRates(replies.weeks.value ?? [])
  const shown = site.platforms.filter((engine) => state.engines.length === 0 || state.engines.includes(engine))
  const rateOf = (engine: EngineId): number | null => rows.get(engine)?.mention_rate ?? null
  const sorted = [...shown].sort((a, b) => (rateOf(b) ?? -1) - (rateOf(a) ?? -1))
  const top = Math.max(Number.MIN_VALUE, ...[...weeks.values()].flat().map((value) => value ?? 0))
  const sentence = 'Share of each engine’s answers that name the brand, with its 95 % interval; the lines are weeks.'
  const toName = (engine: EngineId): string => ENGINE_NAMES[engine]
  const name = (engine: EngineId) => <Pick to={() => changeUrl({ engines: [engine] })}>{ENGINE_NAMES[engine]}</Pick>
  const rate = (engine: EngineId) => {
    const row = rows.get(engine)
    if (row === undefined) return <span class="quiet">no answers in these days</span>
    return <RateOf row={row} metric="mention_rate" />
  }
  const verdict = (engine: EngineId) => {
    const row = changes.get(engine)
    return row === undefined ? null : <Verdict change={row} />
  }
  return (
    <Panel
      title="Engines"
      sentence={sentence}
      questions={[questions.engines, questions.weeks, questions.changesByEngine]}
      method="mention-rate"
      loading={[replies.engines, replies.weeks, replies.changesByEngine]}
    >
      <div class="engines">
        <DataTable<EngineId>
          caption={sentence}
          rows={sorted}
          keyOf={(engine) => engine}
          columns={[
            textColumn('Engine', toName, name),
            { title: 'Named', cell: rate, sortBy: rateOf },
            { title: 'By week', cell: (engine) => <Weeks values={weeks.get(engine)} top={top} /> },
            ...(compared === undefined
              ? []
              : [
                  { title: 'Change', cell: verdict, sortBy: (engine: EngineId) => changes.get(engine)?.change ?? null },
                ]),
          ]}
        />
      </div>
    </Panel>
  )
}

interface WeeksProps {
  readonly values: readonly (number | null)[] | undefined
  /** The highest rate of all engines, so that lines can be compared. */
  readonly top: number
}

function Weeks({ values, top }: WeeksProps) {
  if (values === undefined) return null
  const known = values.filter((value) => value !== null)
  const [first = 0] = known
  const label = `${known.length} weeks with answers, from ${toPercent(first)} to ${toPercent(known.at(-1) ?? 0)}`
  return <Sparkline values={values} label={label} max={top} />
}
