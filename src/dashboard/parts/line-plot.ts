import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { addDays } from '../days.ts'
import { toShortDay } from '../format.ts'
import type { Line, LineChartProps } from './line-chart.tsx'

/** A line as it is drawn: its colour and dashes stay its own, whichever others are shown. */
export interface DrawnLine extends Line {
  readonly colour: string
  readonly dash: readonly number[]
  readonly hasBand: boolean
}

export interface PlotProps extends Pick<LineChartProps, 'days' | 'format' | 'max' | 'unfinishedFrom' | 'onRange'> {
  readonly lines: readonly DrawnLine[]
  readonly onDay: (index: number | undefined) => void
}

const FONT = '12px system-ui, sans-serif'
/** With less room than this the names at the ends of lines would crowd out the lines. */
const WIDTH_FOR_NAMES = 520
const NAMES_MAX = 8
const DRAG_MIN_PX = 8
const TICK_WIDTH_PX = 68
const TICK_STEPS = [1, 2, 7, 14, 28, 56, 91]

/** Draws lines into an element by uPlot; colours are read from the theme that is shown. */
export function plotLines(host: HTMLElement, props: PlotProps): UPlot {
  const { days, lines, format, onRange, onDay } = props
  const style = getComputedStyle(host)
  const colourOf = (name: string): string => style.getPropertyValue(name).trim()
  const columns = lines.flatMap((line) => toColumns(line, props))
  const names = host.clientWidth >= WIDTH_FOR_NAMES && lines.length <= NAMES_MAX ? lines : []
  const axis = { stroke: colourOf('--quiet'), font: FONT, ticks: { show: false } }
  const plot = new UPlot(
    {
      width: host.clientWidth,
      height: host.clientHeight,
      padding: [10, measureNames(names), 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: onRange !== undefined, y: false, setScale: false },
      },
      scales: {
        x: { time: false, range: [0, Math.max(1, days.length - 1)] },
        y: { range: [0, findTop(props)] },
      },
      series: [{}, ...columns.map(({ series }) => series)],
      bands: columns.flatMap(({ band }, index) =>
        band === undefined ? [] : [{ series: [index + 1, index + 2], fill: band }],
      ),
      axes: [
        {
          ...axis,
          size: 28,
          grid: { show: false },
          splits: (plot) => listTicks(days.length, plot.bbox.width / devicePixelRatio),
          values: (_, splits) =>
            splits.map((index) => toShortDay(days[index] ?? addDays(days[0] ?? '2026-01-01', index))),
        },
        {
          ...axis,
          size: (_, values) => 12 + 7 * Math.max(0, ...(values ?? []).map((value) => value.length)),
          space: 44,
          grid: { stroke: colourOf('--line'), width: 1 },
          values: (_, splits) => splits.map((value) => format(value)),
        },
      ],
      hooks: {
        draw: [(plot) => drawNames(plot, names)],
        setCursor: [({ cursor: { idx } }) => onDay(idx ?? undefined)],
        setSelect: [(plot) => takeRange(plot, props)],
      },
    },
    [days.map((_, index) => index), ...columns.map(({ values }) => [...values])],
    host,
  )
  return plot
}

interface DrawnColumn {
  readonly series: UPlot.Series & { readonly stroke: string }
  readonly values: readonly (number | null)[]
  /** The fill between this column and the next. */
  readonly band?: string
}

/** The interval's ends, the line of days that are over, and the dashed one of those that aren't. */
function toColumns(line: DrawnLine, { days, unfinishedFrom = '9999' }: PlotProps): readonly DrawnColumn[] {
  const { values, low, high, colour, dash, hasBand, isOwn = false } = line
  const firstOpen = days.findIndex((day) => day >= unfinishedFrom)
  const lastOver = firstOpen === -1 ? days.length : firstOpen - 1
  const series = { stroke: colour, width: isOwn ? 2.5 : 1.75, dash: [...dash] }
  const points = { filter: (): number[] => findLoners(values), size: 5, fill: colour, stroke: colour, show: true }
  const ends: DrawnColumn[] =
    hasBand && low !== undefined && high !== undefined
      ? [
          { series: { stroke: 'transparent', points: { show: false } }, values: high, band: `${colour}26` },
          { series: { stroke: 'transparent', points: { show: false } }, values: low },
        ]
      : []
  return [
    ...ends,
    { series: { ...series, points }, values: values.map((value, index) => (index <= lastOver ? value : null)) },
    {
      series: { ...series, dash: [2, 4], points: { show: false } },
      values: values.map((value, index) => (index >= lastOver ? value : null)),
    },
  ]
}

/** Days with data between days without: a line of one point would be invisible. */
function findLoners(values: readonly (number | null)[]): number[] {
  const isGap = (index: number): boolean => (values[index] ?? null) === null
  return values.flatMap((_, index) => (!isGap(index) && isGap(index - 1) && isGap(index + 1) ? [index] : []))
}

/** The top of the axis: a little over the greatest value, never over what there can be. */
function findTop({ lines, max }: PlotProps): number {
  const values = lines.flatMap(({ values, high, hasBand }) => [...values, ...(hasBand ? (high ?? []) : [])])
  const greatest = Math.max(0, ...values.map((value) => value ?? 0))
  if (greatest === 0) return max ?? 1
  return Math.min(max ?? Infinity, greatest * 1.08)
}

/** Indices of days that get a label: whole weeks where single days don't fit. */
function listTicks(days: number, width: number): number[] {
  const step = TICK_STEPS.find((step) => (days / step) * TICK_WIDTH_PX <= width) ?? 182
  return Array.from({ length: Math.ceil(days / step) }, (_, index) => index * step)
}

const measureNames = (lines: readonly Line[]): number =>
  lines.length < 2 ? 12 : 12 + 6.8 * Math.max(...lines.map(({ name }) => cut(name).length))

const cut = (name: string): string => (name.length > 18 ? `${name.slice(0, 17)}…` : name)

/** Writes each name where its line ends, moved apart where ends are close. */
function drawNames(plot: UPlot, lines: readonly DrawnLine[]): void {
  if (lines.length < 2) return
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  const gap = 14 * ratio
  const ends = lines
    .flatMap(({ name, values, colour }) => {
      const last = values.findLast((value) => value !== null)
      return typeof last === 'number' ? [{ name, colour, y: plot.valToPos(last, 'y', true) }] : []
    })
    .toSorted((a, b) => a.y - b.y)
  ctx.save()
  ctx.font = FONT.replace('12px', `${12 * ratio}px`)
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  let free = bbox.top - gap
  ends.forEach(({ name, colour, y }, index) => {
    const lowest = bbox.top + bbox.height - (ends.length - 1 - index) * gap
    free = Math.max(free + gap, Math.min(y, lowest))
    ctx.fillStyle = colour
    ctx.fillText(cut(name), bbox.left + bbox.width + 6 * ratio, free)
  })
  ctx.restore()
}

function takeRange(plot: UPlot, { days, onRange }: PlotProps): void {
  const { left, width } = plot.select
  if (width < DRAG_MIN_PX) return
  const [from, to] = [days[plot.posToIdx(left)], days[plot.posToIdx(left + width)]]
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  if (from !== undefined && to !== undefined) onRange?.(from, to)
}
