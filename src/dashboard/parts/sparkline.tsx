export interface SparklineProps {
  /** Null leaves a gap. */
  readonly values: readonly (number | null)[]
  /** What is seen, for those who don't see it: `Mention rate by week, from 21 to 29 %`. */
  readonly label: string
  /** The greatest value of the axis; the greatest of the values unless given. The least is 0. */
  readonly max?: number
}

const WIDTH = 120
const HEIGHT = 28

/** A line the size of a word; what it says in numbers stands elsewhere. */
export function Sparkline({ values, label, max }: SparklineProps) {
  const top = max ?? Math.max(Number.MIN_VALUE, ...values.map((value) => value ?? 0))
  const step = WIDTH / Math.max(1, values.length - 1)
  const points = values.map((value, index) =>
    value === null
      ? undefined
      : `${(index * step).toFixed(1)} ${(HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1)}`,
  )
  const path = points.map((point, index) =>
    point === undefined
      ? ''
      : `${points[index - 1] === undefined ? 'M' : 'L'}${point}${points[index + 1] === undefined ? 'h.1' : ''}`,
  )
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={label}
    >
      <path d={path.join('')} />
    </svg>
  )
}
