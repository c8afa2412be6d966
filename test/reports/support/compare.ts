import { expect } from 'vitest'
import type { ServedWorld } from './served-world.ts'

/** Pages of one walk; a report that needs more is read in pages as long as allowed, and its rest by other requests. */
const PAGES_MAX = 4
const SMALL_PAGES_MAX = 2
/** Numbers that are computed in another order differ in their last digits. */
const TOLERANCE = 1e-9

interface Ranged {
  readonly site_id: string
  readonly start_date: string
  readonly end_date: string
  readonly limit: number
}

/**
 * Asks for a report page by page to its end and compares every row with the expected ones: same order, same keys, numbers
 * within 1e-9, and an `info` that counts them on each page and says `more`.
 */
export async function expectReport(
  served: ServedWorld,
  path: string,
  { asked, body, limitMax }: { asked: Ranged; body: object; limitMax: number },
  expected: readonly object[],
  more: object = {},
): Promise<void> {
  const { site_id, start_date, end_date } = asked
  const told = (what: string): string => `${what}\nPOST ${path} ${JSON.stringify(body)}`
  let cursor: string | null = null
  let read = 0
  for (let page = 0; page < PAGES_MAX; page++) {
    const isLong = page > 0 && expected.length > asked.limit * SMALL_PAGES_MAX
    const limit = isLong ? limitMax : asked.limit
    const { status, body: reply } = await served.ask(path, cursor === null ? body : { ...body, limit, cursor })
    if (status !== 200) throw new Error(told(`status ${status}: ${JSON.stringify(reply)}`))
    const rows = expected.slice(read, read + limit)
    const found = reply.data.map(withoutMadeId)
    for (let row = 0; row < Math.max(found.length, rows.length); row++) {
      const difference = findDifference(found[row], rows[row], `row ${read + row}`)
      if (difference === undefined) continue
      throw new Error(
        told(`${difference}\nfound    ${JSON.stringify(found[row])}\nexpected ${JSON.stringify(rows[row])}`),
      )
    }
    read += rows.length
    const isLast = read === expected.length
    const { next_cursor, ...info } = reply.info
    expect(info, told('info')).toEqual({
      site_id,
      start_date,
      end_date,
      count: rows.length,
      total_results: expected.length,
      ...more,
    })
    expect(next_cursor === null, told(`next_cursor after ${read} of ${expected.length} rows`)).toBe(isLast)
    if (isLast) return
    cursor = next_cursor
  }
}

/** Where two values differ; undefined when they don't. */
export function findDifference(found: unknown, expected: unknown, path: string): string | undefined {
  if (typeof found === 'number' && typeof expected === 'number') {
    return Math.abs(found - expected) <= TOLERANCE ? undefined : `${path}: ${found} instead of ${expected}`
  }
  if (!isParent(found) || !isParent(expected)) {
    return found === expected ? undefined : `${path}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`
  }
  const keys = new Set([...Object.keys(found), ...Object.keys(expected)])
  for (const key of keys) {
    if (!Object.hasOwn(found, key)) return `${path}: ${key} is missing`
    if (!Object.hasOwn(expected, key)) return `${path}: ${key} is too much`
    const difference = findDifference(Reflect.get(found, key), Reflect.get(expected, key), `${path}.${key}`)
    if (difference !== undefined) return difference
  }
  return undefined
}

/** Ids that the program made itself are null in the expected rows: the contract fixes only that they are there. */
export function withoutMadeId(row: Record<string, unknown>): Record<string, unknown> {
  return typeof row['id'] === 'string' && /^ans_[0-9a-z]{32}$/.test(row['id']) ? { ...row, id: null } : row
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
