import type { Ref } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { toShortDay } from '../format.ts'
import type { Line, LineChartProps } from './line-chart.tsx'
import { listDayMarks, listMarks, listRuns, spread } from './plot-scale.ts'

/** A line as it is drawn: its colour and dashes stay its own, whichever others are shown. */
export interface DrawnLine extends Line {
  /** `line-1` to `line-8`: the class of its colour. */
  readonly colour: string
  readonly dash: string
  readonly hasBand: boolean
}

export interface LinePlotProps extends Pick<LineChartProps, 'days' | 'format' | 'max' | 'unfinishedFrom' | 'onRange'> {
  readonly lines: readonly DrawnLine[]
  readonly width: number
  readonly height: number
  /** The day that the reader looks at, as its index. */
  readonly day: number | undefined
  readonly onDay: (index: number | undefined) => void
  readonly picture: Ref<SVGSVGElement>
}

const TOP = 10
const BOTTOM = 26
const LETTER_WIDTH = 6.9
/** With less room than this the names at the ends of lines would crowd out the lines. */
const WIDTH_FOR_NAMES = 520
const NAMES_MAX = 8
const NAME_HEIGHT = 14
const MARK_HEIGHT = 46
const DAY_LABEL_WIDTH = 64
const DRAG_MIN_PX = 8

/** Lines with their bands, axes, and the names at their ends, as SVG: the theme and the printer colour it by classes. */
export function LinePlot(props: LinePlotProps) {
  const { days, lines, format, width, height, day, onDay, onRange, picture, max, unfinishedFrom = '9999' } = props
  // A quick drag is over before the page is drawn again.
  const begun = useRef<number | undefined>(undefined)
  const [dragged, drag] = useState<{ readonly from: number; readonly to: number } | undefined>()
  const plotHeight = height - TOP - BOTTOM
  const values = lines.flatMap((line) => [...line.values, ...(line.hasBand ? (line.high ?? []) : [])])
  const greatest = Math.max(0, ...values.map((value) => value ?? 0))
  const isWhole = max === undefined && values.every((value) => Number.isInteger(value ?? 0))
  const marks = listMarks(greatest, Math.floor(plotHeight / MARK_HEIGHT), {
    isWhole,
    ...(max === undefined ? {} : { max }),
  })
  const top = marks.at(-1) ?? 1
  const hasNames = lines.length > 1 && lines.length <= NAMES_MAX && width >= WIDTH_FOR_NAMES
  const left = 12 + LETTER_WIDTH * Math.max(...marks.map((mark) => format(mark).length))
  const right = hasNames ? 14 + LETTER_WIDTH * Math.max(...lines.map(({ name }) => cut(name).length)) : 16
  const plotWidth = Math.max(1, width - left - right)
  const x = (index: number): number => left + (days.length < 2 ? 0.5 : index / (days.length - 1)) * plotWidth
  const y = (value: number): number => TOP + (1 - value / top) * plotHeight
  const toIndex = (event: PointerEvent & { readonly currentTarget: Element }): number => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left
    const share = Math.min(1, Math.max(0, (at - left) / plotWidth))
    return Math.round(share * (days.length - 1))
  }
  const letGo = (): void => {
    begun.current = undefined
    drag(undefined)
  }
  const firstOpen = days.findIndex((one) => one >= unfinishedFrom)
  const lastOver = firstOpen === -1 ? days.length : firstOpen - 1
  return (
    <svg
      ref={picture}
      class="line-plot"
      width={width}
      height={height}
      aria-hidden="true"
      onPointerMove={(event) => {
        onDay(toIndex(event))
        if (begun.current !== undefined) drag({ from: begun.current, to: toIndex(event) })
      }}
      onPointerLeave={() => onDay(undefined)}
      onPointerDown={(event) => {
        if (onRange === undefined || event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        begun.current = toIndex(event)
      }}
      onPointerCancel={letGo}
      onPointerUp={(event) => {
        const ends = [begun.current ?? toIndex(event), toIndex(event)].toSorted((a, b) => a - b)
        const [from = 0, to = 0] = ends
        letGo()
        if (x(to) - x(from) >= DRAG_MIN_PX) onRange?.(days[from] ?? '', days[to] ?? '')
      }}
    >
      {marks.map((mark) => (
        <g key={mark} class="plot-mark">
          <line x1={left} x2={left + plotWidth} y1={y(mark)} y2={y(mark)} />
          <text x={left - 8} y={y(mark)} text-anchor="end" dominant-baseline="middle">
            {format(mark)}
          </text>
        </g>
      ))}
      {listDayMarks(days.length, plotWidth / DAY_LABEL_WIDTH).map((index) => (
        <text key={index} class="plot-day" x={x(index)} y={height - 6} text-anchor="middle">
          {toShortDay(days[index] ?? '')}
        </text>
      ))}
      {dragged !== undefined && (
        <rect
          class="plot-drag"
          x={x(Math.min(dragged.from, dragged.to))}
          width={Math.abs(x(dragged.to) - x(dragged.from))}
          y={TOP}
          height={plotHeight}
        />
      )}
      {lines.map((line) => (
        <g key={line.name} class={line.isOwn === true ? `${line.colour} plot-own` : line.colour}>
          {line.hasBand && <path class="plot-band" d={toBand(line, x, y)} />}
          <path class="plot-line" d={toPath(line.values, 0, lastOver, x, y)} stroke-dasharray={line.dash} />
          <path class="plot-line plot-open" d={toPath(line.values, lastOver, days.length, x, y)} />
          {listRuns(line.values).map(
            ([first, last]) =>
              first === last && <circle key={first} cx={x(first)} cy={y(line.values[first] ?? 0)} r="2.5" />,
          )}
        </g>
      ))}
      {hasNames && <Names lines={lines} x={left + plotWidth + 8} y={y} bottom={height - BOTTOM} />}
      {day !== undefined && (
        <>
          <line class="plot-cursor" x1={x(day)} x2={x(day)} y1={TOP} y2={TOP + plotHeight} />
          {lines.map(({ name, colour, values }) => {
            const value = values[day] ?? null
            return (
              value !== null && <circle key={name} class={`plot-point ${colour}`} cx={x(day)} cy={y(value)} r="4" />
            )
          })}
        </>
      )}
    </svg>
  )
}

type Place = (value: number) => number

const at = (x: number, y: number): string => `${x.toFixed(1)} ${y.toFixed(1)}`

/** The line between two days, both included, with a gap for each day without data. */
function toPath(values: Line['values'], first: number, last: number, x: Place, y: Place): string {
  const within = values.map((value, index) => (index >= first && index <= last ? value : null))
  return listRuns(within)
    .map(([from, to]) => `M${toPoints(values, from, to, x, y).join('L')}`)
    .join('')
}

/** Around each stretch of days with an interval: its high ends forwards, its low ends back. */
function toBand({ low = [], high = [] }: Line, x: Place, y: Place): string {
  return listRuns(high.map((value, index) => (low[index] === null ? null : value)))
    .map(([from, to]) => {
      const back = toPoints(low, from, to, x, y).toReversed()
      return `M${[...toPoints(high, from, to, x, y), ...back].join('L')}Z`
    })
    .join('')
}

function toPoints(values: Line['values'], from: number, to: number, x: Place, y: Place): string[] {
  return values.slice(from, to + 1).map((value, index) => at(x(from + index), y(value ?? 0)))
}

const cut = (name: string): string => (name.length > 18 ? `${name.slice(0, 17)}…` : name)

interface NamesProps {
  readonly lines: readonly DrawnLine[]
  readonly x: number
  readonly y: Place
  readonly bottom: number
}

/** Each name where its line ends, moved apart where ends are close. */
function Names({ lines, x, y, bottom }: NamesProps) {
  const ends = lines.flatMap(({ name, colour, values }) => {
    const last = values.findLast((value) => value !== null)
    return typeof last === 'number' ? [{ name, colour, y: y(last) }] : []
  })
  const places = spread(
    ends.map((end) => end.y),
    NAME_HEIGHT,
    bottom,
  )
  return (
    <>
      {ends.map(({ name, colour }, index) => (
        <text key={name} class={`plot-name ${colour}`} x={x} y={places[index]} dominant-baseline="middle">
          {cut(name)}
        </text>
      ))}
    </>
  )
}
