import { ENGINE_IDS } from '../../../src/domain/enums.ts'

/** Negative when the first comes first. */
export type Compare<T> = (a: T, b: T) => number

/** The first comparison that tells the two apart decides. */
export function inOrderOf<T>(...compares: readonly Compare<T>[]): Compare<T> {
  return (a, b) => compares.reduce((order, compare) => order || compare(a, b), 0)
}

/** Texts by code points. */
export function ascending<T>(toValue: (row: T) => string | number): Compare<T> {
  return (a, b) => {
    const [x, y] = [toValue(a), toValue(b)]
    if (typeof x === 'string' && typeof y === 'string') return Buffer.compare(Buffer.from(x), Buffer.from(y))
    return Number(x) - Number(y)
  }
}

export function descending<T>(toValue: (row: T) => string | number): Compare<T> {
  const compare = ascending(toValue)
  return (a, b) => compare(b, a)
}

/** Nulls come last, whatever the direction of the rest. */
export function nullsLast<T>(
  toValue: (row: T) => number | null,
  direction: (toValue: (row: T) => number) => Compare<T> = ascending,
): Compare<T> {
  const present = direction((row) => toValue(row) ?? 0)
  return (a, b) => {
    const [x, y] = [toValue(a), toValue(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return present(a, b)
  }
}

/** Scores equal on paper are equal here: they are compared rounded to 9 decimals (contract/api 5.3). */
export function rounded(score: number): number {
  return Math.round(score * 1e9) / 1e9
}

/** A row's group: the value of each field that the request groups by. */
export interface Group {
  readonly date?: string
  readonly week?: string
  readonly month?: string
  readonly platform?: string
  readonly prompt?: { readonly id: string; readonly text: string }
  readonly category?: string
  readonly model?: string | null
  readonly provider?: string | null
}

/** The remaining group fields ascending: engines in their order, prompts by id, texts by code points (contract/api 5.5). */
export function byGroupFields<T extends Group>(groupBy: readonly string[]): Compare<T> {
  const compares = groupBy.map((field): Compare<T> => {
    if (field === 'platform') return ascending(({ platform }) => ENGINE_IDS.findIndex((id) => id === platform))
    if (field === 'prompt') return ascending(({ prompt }) => prompt?.id ?? '')
    if (field === 'category') return ascending(({ category }) => category ?? '')
    if (field === 'model') return missingLast(({ model }) => model ?? null)
    if (field === 'provider') return missingLast(({ provider }) => provider ?? null)
    return byTime
  })
  return inOrderOf(...compares)
}

/** The time of the group, of which there is one at most. */
export const byTime: Compare<Group> = ascending(({ date, week, month }) => date ?? week ?? month ?? '')

function missingLast(toName: (row: Group) => string | null): Compare<Group> {
  return inOrderOf(
    ascending((row) => (toName(row) === null ? 1 : 0)),
    ascending((row) => toName(row) ?? ''),
  )
}
