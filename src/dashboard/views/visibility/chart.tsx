import type { Schemas } from '../../../client/client.ts'
import { today } from '../../clock.ts'
import { listDays } from '../../days.ts'
import { toCount, toCountOf, toLongDay } from '../../format.ts'
import { MEANINGS, toWritten } from '../../metrics.ts'
import { CATEGORIES, ENGINE_NAMES } from '../../names.ts'
import { changeUrl } from '../../navigation.ts'
import { LineChart } from '../../parts/line-chart.tsx'
import { LinesTable } from '../../parts/lines-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Segments } from '../../parts/segments.tsx'
import { useRows } from '../../use-reply.ts'
import { pickBrands, toLines } from './lines.ts'
import type { PartProps } from './part-props.ts'
import { toLinesQuestion } from './questions.ts'
import type { LinesBy } from './choices.ts'

const BY: readonly { readonly value: LinesBy; readonly title: string }[] = [
  { value: 'brand', title: 'Brands' },
  { value: 'platform', title: 'Engines' },
  { value: 'category', title: 'Categories' },
]

/** A line a brand, engine or category, day by day, with its interval. */
export function Chart(props: PartProps) {
  const { site, range, choices, brands } = props
  const { by, metric } = choices
  const ranked = brands.value ?? []
  const picked = pickBrands(ranked, choices.brands)
  const question = toLinesQuestion(props, choices, brands.value === undefined ? undefined : picked)
  const rows = useRows(question)
  const days = listDays(range)
  const lines = toLines(rows.value ?? [], days, metric, by, toOrder(by, picked, site))
  const { title, max } = MEANINGS[metric]
  const own = ranked.find(({ brand }) => brand.owned)?.brand.name ?? ''
  const asked = new Set((rows.value ?? []).map(({ date }) => date)).size
  const isSome = by === 'brand' && lines.length < ranked.length
  const missing = rows.value === undefined ? 0 : days.length - asked
  const sentence = [
    `${title} ${toWhose(by, own, lines.length, ranked.length)}, day by day.`,
    ...(isSome ? ['Choose others in the table below.'] : []),
    ...(missing > 0 ? [`${toCount(missing)} of ${toCountOf(days.length, 'day')} have no answers and are gaps.`] : []),
  ].join(' ')
  const shown = { days, lines, format: toWritten(metric), caption: sentence }
  return (
    <Panel
      title="Over time"
      sentence={sentence}
      questions={[question]}
      method={MEANINGS[metric].method}
      loading={[brands, rows]}
      skeleton="chart"
      controls={
        <Segments
          label="A line is"
          value={by}
          options={BY}
          onPick={(value) => changeUrl({ more: { by: value === 'brand' ? '' : value } })}
        />
      }
      numbers={<LinesTable {...shown} metric={metric} dayTitle="Day" toDay={toLongDay} gap="no answers" />}
    >
      <LineChart {...shown} max={max} unfinishedFrom={today()} onRange={(from, to) => changeUrl({ from, to })} />
    </Panel>
  )
}

function toWhose(by: LinesBy, own: string, shown: number, all: number): string {
  if (by === 'platform') return `of ${own} on each engine`
  if (by === 'category') return `of ${own} in each category of prompts`
  return shown < all ? `of ${toCount(shown)} of ${toCountOf(all, 'brand')}` : `of ${toCountOf(all, 'brand')}`
}

function toOrder(by: LinesBy, brands: readonly string[], site: Schemas['Site']): { key: string; name: string }[] {
  if (by === 'platform') return site.platforms.map((engine) => ({ key: engine, name: ENGINE_NAMES[engine] }))
  const names = by === 'category' ? CATEGORIES : brands
  return names.map((name) => ({ key: name, name }))
}
