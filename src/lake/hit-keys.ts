/** Bot hits, one place of each column a hit. */
export interface HitRows {
  /** Place of the path in its list. */
  readonly path: Uint32Array
  /** Seconds since 1970, UTC. */
  readonly time: Uint32Array
  readonly bot: Uint32Array
  /** Place in VERIFICATIONS, from 0. */
  readonly verification: Uint32Array
  /** 1 when answered with 4xx or 5xx, else 0. */
  readonly error: Uint32Array
}

/** Hits with the same key as one, in the order of their keys. */
export interface SummedHits {
  readonly high: Uint32Array
  /** With the greatest time; the last bit says nothing. */
  readonly low: Uint32Array
  readonly hits: Uint32Array
  readonly error_hits: Uint32Array
}

/**
 * Hits as integers of 64 bits in two halves, which are sorted as such: a key, then a time, then a bit for an error. Of the
 * key's parts, bots have 10 bits, verifications 2 and places of paths 18: LOG_LIST_PATHS_MAX fits, and BOT_NO_MAX.
 */
export interface HitKeys {
  readonly high: Uint32Array
  readonly low: Uint32Array
  /** How many of the lower bits are not the key's. */
  readonly valueBits: number
}

/**
 * By day (16 bits), place (18), bot, verification and quarter of an hour (7), with the second within it (10). `places` says
 * what each path is summed under, below 2^18: its place, its page type, or 0 for all.
 */
export function toQuarterKeys(rows: HitRows, places: Uint32Array): HitKeys {
  const { path, time, bot, verification, error } = rows
  const high = new Uint32Array(path.length)
  const low = new Uint32Array(path.length)
  for (let row = 0; row < path.length; row++) {
    const place = places[path[row] ?? 0] ?? 0
    const seconds = time[row] ?? 0
    const slot = Math.floor(seconds / 900)
    const day = Math.floor(slot / 96)
    const quarter =
      ((place & 0x3) << 30) | ((bot[row] ?? 0) << 20) | ((verification[row] ?? 0) << 18) | ((slot - day * 96) << 11)
    high[row] = (day << 16) | (place >>> 2)
    low[row] = quarter | ((seconds - slot * 900) << 1) | (error[row] ?? 0)
  }
  return { high, low, valueBits: 11 }
}

/** By month since 1970 (11 bits), place (18), bot and verification, with the second within the month (22). */
export function toMonthKeys(rows: readonly HitRows[], places: Uint32Array): HitKeys {
  const size = rows.reduce((sum, { path }) => sum + path.length, 0)
  const high = new Uint32Array(size)
  const low = new Uint32Array(size)
  let month = { no: 0, start: 0, end: 0 }
  let at = 0
  for (const { path, time, bot, verification, error } of rows) {
    for (let row = 0; row < path.length; row++, at++) {
      const seconds = time[row] ?? 0
      if (seconds < month.start || seconds >= month.end) month = findMonth(seconds)
      const botNo = bot[row] ?? 0
      high[at] = (month.no << 21) | ((places[path[row] ?? 0] ?? 0) << 3) | (botNo >>> 7)
      low[at] = (botNo << 25) | ((verification[row] ?? 0) << 23) | ((seconds - month.start) << 1) | (error[row] ?? 0)
    }
  }
  return { high, low, valueBits: 23 }
}

/** The month of a second since 1970: its number since then, from 0, its first second and that of the next month. */
export function findMonth(seconds: number): { no: number; start: number; end: number } {
  const date = new Date(seconds * 1_000)
  const no = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
  return { no, start: Date.UTC(1970, no) / 1_000, end: Date.UTC(1970, no + 1) / 1_000 }
}

/** Takes the keys over. */
export function sumHits(keys: HitKeys): SummedHits {
  const { valueBits } = keys
  const [{ high, low }, spare] = sortKeys(keys)
  const hits = spare.high.fill(0)
  const errors = spare.low.fill(0)
  let group = -1
  let groupHigh = -1
  let groupLow = -1
  for (let row = 0; row < low.length; row++) {
    const rowHigh = high[row] ?? 0
    const rowLow = low[row] ?? 0
    if (rowLow >>> valueBits !== groupLow || rowHigh !== groupHigh) {
      group += 1
      groupHigh = rowHigh
      groupLow = rowLow >>> valueBits
      // Sums take the place of rows that have been read.
      high[group] = rowHigh
      low[group] = rowLow
    }
    if (rowLow > (low[group] ?? 0)) low[group] = rowLow
    hits[group] = (hits[group] ?? 0) + 1
    errors[group] = (errors[group] ?? 0) + (rowLow & 1)
  }
  const end = group + 1
  return {
    high: high.subarray(0, end),
    low: low.subarray(0, end),
    hits: hits.subarray(0, end),
    error_hits: errors.subarray(0, end),
  }
}

/** Sorts by the keys, digit by digit from the lowest, which is faster than comparing them. Gives memory to spare, too. */
function sortKeys({ high, low, valueBits }: HitKeys): [Halves, Halves] {
  let from: Halves = { high, low }
  let to: Halves = { high: new Uint32Array(high.length), low: new Uint32Array(low.length) }
  for (let shift = valueBits; shift < 64; shift += DIGIT_BITS) {
    if (sortByDigit(from, to, shift)) [from, to] = [to, from]
  }
  return [from, to]
}

type Halves = Pick<HitKeys, 'high' | 'low'>

/** False, and nothing done, where all have the same digit. */
function sortByDigit({ high, low }: Halves, to: Halves, shift: number): boolean {
  const { high: toHigh, low: toLow } = to
  const size = low.length
  const lower = shift < 32 ? low : high
  const mask = 2 ** Math.min(DIGIT_BITS, 64 - shift) - 1
  const ends = new Uint32Array(mask + 1)
  for (let row = 0; row < size; row++) {
    const digit = (((lower[row] ?? 0) >>> shift) | ((high[row] ?? 0) << -shift)) & mask
    ends[digit] = (ends[digit] ?? 0) + 1
  }
  if (ends.includes(size)) return false
  let end = 0
  for (let digit = 0; digit <= mask; digit++) {
    end += ends[digit] ?? 0
    ends[digit] = end
  }
  for (let row = size - 1; row >= 0; row--) {
    const rowHigh = high[row] ?? 0
    const digit = (((lower[row] ?? 0) >>> shift) | (rowHigh << -shift)) & mask
    const place = (ends[digit] ?? 0) - 1
    ends[digit] = place
    toHigh[place] = rowHigh
    toLow[place] = low[row] ?? 0
  }
  return true
}

/** Few digits, and as many places to write to at once as a processor keeps near. */
const DIGIT_BITS = 14
