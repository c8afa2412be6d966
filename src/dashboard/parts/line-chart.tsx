import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { toCount, toWeekday } from '../format.ts'
import { LinePlot } from './line-plot.tsx'
import { PictureOffer, savePicture } from './picture.ts'

/** A line over days: null is a day without data and leaves a gap. */
export interface Line {
  readonly name: string
  readonly values: readonly (number | null)[]
  /** The interval of each day, where there is one. */
  readonly low?: readonly (number | null)[]
  readonly high?: readonly (number | null)[]
  /** How many answers or hits each value stands on, for what is said of a day. */
  readonly counts?: readonly (number | null)[]
  readonly isOwn?: boolean
}

export interface LineChartProps {
  /** UTC days, ascending, none left out. */
  readonly days: readonly string[]
  readonly lines: readonly Line[]
  /** How a value is written: on the axis and when a day is read out. */
  readonly format: (value: number) => string
  /** Says what is seen in a sentence. */
  readonly caption: string
  /** The greatest value that there can be, of shares 1. */
  readonly max?: number
  /** The days from this one on aren't over: dashed. */
  readonly unfinishedFrom?: string
  /** A drag over days; both included. */
  readonly onRange?: (from: string, to: string) => void
}

/** Colours are those of the tokens `--line-1` to `--line-8`; a ninth line has the first one's, with other dashes. */
const COLOURS = 8
const DASHES = ['', '7 3', '2 2', '9 3 2 3', '4 4', '12 4', '5 2 1 2', '1 3']
/** More bands than these hide each other. */
const BANDS_MAX = 2
const HEIGHT = 260

/**
 * Lines over days with their intervals. The own line has its band always; of others only as many as can be told apart, and
 * the one that the reader points at in the legend. Arrow keys walk the days, which are read out.
 */
export function LineChart(props: LineChartProps) {
  const { days, lines, caption } = props
  const host = useRef<HTMLDivElement>(null)
  const picture = useRef<SVGSVGElement>(null)
  const width = useWidth(host)
  const [hidden, hide] = useState<readonly string[]>([])
  const [pointedAt, pointAt] = useState<string | undefined>()
  const [day, showDay] = useState<number | undefined>()
  const offerPicture = useContext(PictureOffer)
  const shown = lines.filter(({ name }) => !hidden.includes(name))
  const drawn = lines
    .map((line, index) => ({
      ...line,
      colour: `line-${(index % COLOURS) + 1}`,
      dash: DASHES[index % DASHES.length] ?? '',
      hasBand: line.isOwn === true || shown.length <= BANDS_MAX || line.name === pointedAt,
    }))
    .filter(({ name }) => !hidden.includes(name))

  useEffect(() => {
    offerPicture(async () => {
      const names = shown.map(({ name }) => name)
      if (picture.current !== null) await savePicture({ chart: picture.current, caption, names, days })
    })
    return () => offerPicture(undefined)
  }, [caption, days[0], days.at(-1), shown.map(({ name }) => name).join('\n')])

  return (
    <figure class="line-chart">
      <figcaption class="unseen">{caption}</figcaption>
      {lines.length > 1 && (
        <ul class="legend" aria-label="Lines">
          {lines.map(({ name }, index) => (
            <li key={name}>
              <button
                type="button"
                aria-pressed={!hidden.includes(name)}
                onClick={() => hide(toggle(hidden, name, lines.length))}
                onMouseEnter={() => pointAt(name)}
                onMouseLeave={() => pointAt(undefined)}
                onFocus={() => pointAt(name)}
                onBlur={() => pointAt(undefined)}
              >
                <svg class={`swatch line-${(index % COLOURS) + 1}`} width="22" height="8" aria-hidden="true">
                  <line x1="0" x2="22" y1="4" y2="4" stroke-dasharray={DASHES[index % DASHES.length]} />
                </svg>
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div
        class="plot"
        role="application"
        aria-roledescription="chart"
        aria-label={`${caption} Arrow keys walk the days.`}
        tabIndex={0}
        ref={host}
        onBlur={() => showDay(undefined)}
        onKeyDown={(event) => {
          const to = toDayOf(event.key, day, days.length)
          if (to === undefined) return
          event.preventDefault()
          showDay(to)
        }}
      >
        {width > 0 && (
          <LinePlot
            {...props}
            lines={drawn}
            width={width}
            height={HEIGHT}
            day={day}
            onDay={showDay}
            picture={picture}
          />
        )}
        {day !== undefined && days[day] !== undefined && <DayNote {...props} lines={shown} day={day} />}
      </div>
    </figure>
  )
}

/** How wide an element is, now and whenever that changes. */
function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    setWidth(current.clientWidth)
    const sizes = new ResizeObserver(() => setWidth(current.clientWidth))
    sizes.observe(current)
    return () => sizes.disconnect()
  }, [])
  return width
}

function toggle(hidden: readonly string[], name: string, lines: number): readonly string[] {
  if (hidden.includes(name)) return hidden.filter((one) => one !== name)
  return hidden.length + 1 < lines ? [...hidden, name] : hidden
}

/** The day that a key leads to; undefined for a key that leads nowhere. */
function toDayOf(key: string, day: number | undefined, days: number): number | undefined {
  const last = days - 1
  if (key === 'ArrowLeft') return Math.max(0, (day ?? days) - 1)
  if (key === 'ArrowRight') return Math.min(last, (day ?? -1) + 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

/** What each line says of a day, beside it and aloud. */
function DayNote({ days, lines, format, day }: LineChartProps & { readonly day: number }) {
  const share = days.length < 2 ? 0 : day / (days.length - 1)
  return (
    <div class={`day-note ${share > 0.5 ? 'at-start' : 'at-end'}`} role="status">
      <p>{toWeekday(days[day] ?? '')}</p>
      <ul>
        {lines.map((line) => (
          <li key={line.name}>
            <span>{line.name}</span> <b>{toSaid(line, day, format)}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}

function toSaid({ values, low, high, counts }: Line, day: number, format: (value: number) => string): string {
  const [value, from, to, count] = [values, low, high, counts].map((list) => list?.[day])
  if (typeof value !== 'number') return 'no data'
  const interval = typeof from === 'number' && typeof to === 'number' ? [`${format(from)}–${format(to)}`] : []
  return [format(value), ...interval, ...(typeof count === 'number' ? [`n = ${toCount(count)}`] : [])].join(', ')
}
