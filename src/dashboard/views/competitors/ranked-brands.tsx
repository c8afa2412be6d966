import type { CompetitorEvidence } from '../../../http/dashboard/operations/competitors.ts'
import type { Schemas } from '../../../client/client.ts'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { listDays } from '../../days.ts'
import { toCountOf, toDays, toPercent } from '../../format.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { rateColumn, textColumn } from '../../parts/columns.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { Verdict } from '../../parts/verdict.tsx'
import { toUrl, toView } from '../../url-state.ts'
import { type Loading, useRows } from '../../use-reply.ts'
import type { ViewProps } from '../view-props.ts'
import { toRankRange } from '../visibility/lines.ts'
import { decide } from './decisions.ts'
import { toQuestions } from './questions.ts'
import { toTrends } from './trends.ts'

type Row = Schemas['VisibilityRow']

export interface RankedBrandsProps extends ViewProps {
  readonly competitors: Loading<readonly CompetitorEvidence[]>
}

/** The own brand and every confirmed competitor, with how often answers name them. */
export function RankedBrands({ competitors, ...props }: RankedBrandsProps) {
  const { state, site, range, compared } = props
  const questions = toQuestions(props)
  const ranked = useRows(questions.ranked)
  const byDay = useRows(questions.days)
  const changed = useRows(questions.changes)
  const trends = toTrends(byDay.value ?? [], listDays(range))
  const verdicts = new Map(changed.value?.map((row) => [row.brand.name, row]))
  const known = new Map(competitors.value?.map((competitor) => [competitor.name, competitor]))
  const rows = ranked.value ?? []
  const highest = Math.max(0, ...[...trends.values()].flatMap((values) => values.map((value) => value ?? 0)))
  const verdictColumn: Column<Row> = {
    title: 'Change',
    cell: ({ brand }) => {
      const change = verdicts.get(brand.name)
      return change === undefined ? '' : <Verdict change={change} isBetterLow={!brand.owned} />
    },
  }
  return (
    <Panel
      title="Who is named"
      method="mention-rate"
      questions={[questions.ranked, questions.days, questions.changes]}
      loading={[competitors, ranked, byDay, changed]}
      sentence={
        <>
          {rows.length < 2
            ? `Only ${showHidden(site.name)} is ranked: no competitor is confirmed.`
            : `${toCountOf(rows.length - 1, 'confirmed competitor')} and ${showHidden(site.name)}, in the order of their Visibility Score.`}
          {compared !== undefined &&
            ` Changes of the mention rate are against ${toDays(compared.start_date, compared.end_date)}.`}
        </>
      }
    >
      <div class="ranked-brands">
        <DataTable<Row>
          caption="Who is named"
          rows={rows}
          keyOf={keyOf}
          isChosen={({ brand }) => brand.owned}
          columns={[
            textColumn('Brand', keyOf, ({ brand }) => (
              <a class="brand-cell" href={toUrl(toView(state, 'answers', { brand: brand.name }))}>
                <bdi>{showHidden(brand.name)}</bdi>
              </a>
            )),
            rateColumn('Mention rate', 'mention_rate'),
            ...(compared === undefined ? [] : [verdictColumn]),
            {
              title: 'By day',
              cell: ({ brand }) => <Trend name={brand.name} values={trends.get(brand.name) ?? []} max={highest} />,
            },
            rateColumn('Citation rate', 'citation_rate'),
            rateColumn('Share of voice', 'share_of_voice'),
            { title: 'Rank', isNumber: true, cell: toRankRange },
            {
              title: 'Decide',
              cell: ({ brand }) => {
                const competitor = known.get(brand.name)
                if (competitor === undefined) return brand.owned ? <span class="quiet">yours</span> : ''
                return <Unconfirm siteId={site.id} competitor={competitor} />
              },
            },
          ]}
        />
      </div>
    </Panel>
  )
}

const keyOf = ({ brand }: Row): string => brand.name

interface TrendProps {
  readonly name: string
  readonly values: readonly (number | null)[]
  readonly max: number
}

function Trend({ name, values, max }: TrendProps) {
  const there = values.filter((value) => value !== null)
  if (there.length < 2) return <span class="quiet">too few days</span>
  const label = `Mention rate of ${showHidden(name)} by day, from ${toPercent(Math.min(...there))} to ${toPercent(Math.max(...there))}`
  return <Sparkline values={values} label={label} max={max} />
}

interface UnconfirmProps {
  readonly siteId: string
  readonly competitor: CompetitorEvidence
}

function Unconfirm({ siteId, competitor: { id, name } }: UnconfirmProps) {
  const done = `${name} isn’t ranked any more. It stands below, and can be confirmed again.`
  return (
    <ActButton kind="quiet" label={`Stop ranking ${name}`} onAct={() => decide(siteId, id, 'unconfirm', { done })}>
      Stop ranking
    </ActButton>
  )
}
