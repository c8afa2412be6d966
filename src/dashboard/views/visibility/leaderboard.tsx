import type { Schemas } from '../../../client/client.ts'
import { showHidden } from '../../answer-text/hidden-characters.ts'
import { toCountOf, toPoints, toSigned } from '../../format.ts'
import { METRICS, MEANINGS, type Metric, toBasis, toMeasured, toWritten } from '../../metrics.ts'
import { changeUrl } from '../../navigation.ts'
import { textColumn } from '../../parts/columns.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Verdict } from '../../parts/verdict.tsx'
import { useRows } from '../../use-reply.ts'
import { pickBrands, toRankRange } from './lines.ts'
import type { PartProps } from './part-props.ts'
import { toBrands, toggleBrand } from './choices.ts'

type VisibilityRow = Schemas['VisibilityRow']

/** The own brand beside all confirmed competitors. */
export function Leaderboard({ choices, questions, brands, compared }: PartProps) {
  const changes = useRows(questions.changes)
  const rows = brands.value ?? []
  const { metric } = choices
  const drawn = pickBrands(rows, choices.brands)
  const changeOf = new Map((changes.value ?? []).map((row) => [row.brand.name, row]))
  const others = METRICS.filter((other) => other !== metric)
  const [{ answers = 0, prompts = 0 } = {}] = rows
  const sentence = `Of the same ${toCountOf(answers, 'answer')} to ${toCountOf(prompts, 'prompt')}. The rank is a range where chance leaves more than one open.`
  const toggle = (name: string): void => changeUrl({ more: { by: '', brands: toBrands(toggleBrand(drawn, name)) } })
  return (
    <Panel
      title="Brands"
      sentence={sentence}
      questions={[questions.brands, questions.changes]}
      method="rank"
      loading={[brands, changes]}
    >
      <div class="leaderboard">
        <DataTable<VisibilityRow>
          caption={sentence}
          rows={rows}
          keyOf={keyOf}
          columns={[
            textColumn('Brand', keyOf, ({ brand }) => (
              <label class="check brand-pick">
                <input type="checkbox" checked={drawn.includes(brand.name)} onChange={() => toggle(brand.name)} />
                {brand.owned ? (
                  <b dir="auto">{showHidden(brand.name)}</b>
                ) : (
                  <span dir="auto">{showHidden(brand.name)}</span>
                )}
              </label>
            )),
            metricColumn(metric, true),
            ...(compared === undefined
              ? []
              : [
                  {
                    title: 'Change',
                    cell: ({ brand }: VisibilityRow) => {
                      const row = changeOf.get(brand.name)
                      const format = metric === 'visibility_score' ? toSigned : toPoints
                      return row === undefined ? null : (
                        <Verdict change={row} format={format} isBetterLow={!brand.owned} />
                      )
                    },
                    sortBy: ({ brand }: VisibilityRow) => changeOf.get(brand.name)?.change ?? null,
                  },
                ]),
            ...others.map((other) => metricColumn(other, false)),
            { title: 'Rank range', isNumber: true, cell: toRankRange, sortBy: ({ rank }) => rank },
          ]}
        />
      </div>
    </Panel>
  )
}

const keyOf = ({ brand }: VisibilityRow): string => brand.name

function metricColumn(metric: Metric, hasBasis: boolean): Column<VisibilityRow> {
  return {
    title: metric === 'visibility_score' ? 'Score' : MEANINGS[metric].title,
    isNumber: true,
    cell: (row) => {
      const measured = toMeasured(row, metric)
      const basis = toBasis(measured, metric)
      const written = measured.value === null ? '–' : toWritten(metric)(measured.value)
      return (
        <span data-metric={metric} data-value={measured.value} title={basis}>
          {hasBasis && measured.value !== null ? <b>{written}</b> : written}
          {hasBasis && <small class="basis-below">{basis}</small>}
        </span>
      )
    },
    sortBy: (row) => toMeasured(row, metric).value,
  }
}
