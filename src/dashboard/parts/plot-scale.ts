/** Round steps of an axis, as parts of a power of ten. */
const ROUND_STEPS = [1, 2, 2.5, 5, 10]

/**
 * The marks of an axis from 0 that holds a value: round numbers, `marks` of them or fewer. The last is the top. Never over
 * `max`, what there can be; whole numbers where `isWhole`.
 */
export function listMarks(
  greatest: number,
  marks: number,
  { max = Infinity, isWhole = false } = {},
): readonly number[] {
  const reach = Math.min(max, greatest > 0 ? greatest : Math.min(max, 1))
  const rough = reach / Math.max(1, marks)
  const power = 10 ** Math.floor(Math.log10(rough))
  const round = (ROUND_STEPS.find((step) => step * power >= rough * (1 - 1e-12)) ?? 10) * power
  const step = isWhole ? Math.max(1, Math.ceil(round)) : round
  const count = Math.max(1, Math.ceil(Math.min(max, reach) / step - 1e-9))
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}

const DAY_STEPS = [1, 2, 7, 14, 28, 56, 91, 182]

/** Indices of days that get a label, `labels` of them or fewer: whole weeks where single days don't fit. */
export function listDayMarks(days: number, labels: number): readonly number[] {
  const step = DAY_STEPS.find((step) => days / step <= labels) ?? 364
  return Array.from({ length: Math.ceil(days / step) }, (_, index) => index * step)
}

/** Stretches of days with data, as the indices of their first and last day; a day without data ends one. */
export function listRuns(values: readonly (number | null)[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = []
  values.forEach((value, index) => {
    if (value === null) return
    const last = runs.at(-1)
    if (last !== undefined && last[1] === index - 1) last[1] = index
    else runs.push([index, index])
  })
  return runs
}

/** Places of names on a line of their own, `gap` apart at least, as near to where they belong as the room allows. */
export function spread(wanted: readonly number[], gap: number, bottom: number): readonly number[] {
  const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const places = [...wanted]
  let free = -Infinity
  order.forEach((index, place) => {
    const lowest = bottom - (order.length - 1 - place) * gap
    free = Math.max(free + gap, Math.min(wanted[index] ?? 0, lowest))
    places[index] = free
  })
  return places
}
