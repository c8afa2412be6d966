/** Rows of a table that sums up by three whole numbers. */
export interface SumRow {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly count: number
  readonly errors: number
  /** The greatest `last` of what was added. */
  readonly last: number
}

/**
 * Counts by a key of three whole numbers (each from 0 to 2^31 - 1), in flat memory: a log adds to it a million times a
 * second. Room for `rowsMax` keys.
 */
export class SumTable {
  readonly #rowsMax: number
  readonly #mask: number
  /** Row of each place, from 1; 0 is free. */
  readonly #places: Int32Array
  /** What belongs to a row stands together, so that it is found in one piece of memory. */
  readonly #cells: Int32Array
  #size = 0

  constructor(rowsMax: number) {
    const places = 2 ** Math.ceil(Math.log2(rowsMax * 2))
    this.#rowsMax = rowsMax
    this.#mask = places - 1
    this.#places = new Int32Array(places)
    this.#cells = new Int32Array(rowsMax * ROW_CELLS)
  }

  get isFull(): boolean {
    return this.#size === this.#rowsMax
  }

  get size(): number {
    return this.#size
  }

  /** Adds one to the key's count; must not be full. */
  add(a: number, b: number, c: number, error: number, last: number): void {
    const cells = this.#cells
    const at = this.#findRow(a, b, c) * ROW_CELLS
    cells[at + COUNT] = (cells[at + COUNT] ?? 0) + 1
    cells[at + ERRORS] = (cells[at + ERRORS] ?? 0) + error
    cells[at + LAST] = Math.max(cells[at + LAST] ?? 0, last)
  }

  *rows(): Generator<SumRow, void, undefined> {
    const cells = this.#cells
    for (let at = 0; at < this.#size * ROW_CELLS; at += ROW_CELLS) {
      yield {
        a: cells[at] ?? 0,
        b: cells[at + 1] ?? 0,
        c: cells[at + 2] ?? 0,
        count: cells[at + COUNT] ?? 0,
        errors: cells[at + ERRORS] ?? 0,
        last: cells[at + LAST] ?? 0,
      }
    }
  }

  clear(): void {
    this.#places.fill(0)
    this.#size = 0
  }

  #findRow(a: number, b: number, c: number): number {
    const cells = this.#cells
    let place = mix(a, b, c) & this.#mask
    for (;;) {
      const row = (this.#places[place] ?? 0) - 1
      if (row === -1) return this.#startRow(place, a, b, c)
      const at = row * ROW_CELLS
      if (cells[at] === a && cells[at + 1] === b && cells[at + 2] === c) return row
      place = (place + 1) & this.#mask
    }
  }

  #startRow(place: number, a: number, b: number, c: number): number {
    const row = this.#size
    this.#size += 1
    this.#places[place] = row + 1
    this.#cells.set([a, b, c, 0, 0, 0], row * ROW_CELLS)
    return row
  }
}

/** Of a row: its key, then these. */
const COUNT = 3
const ERRORS = 4
const LAST = 5
const ROW_CELLS = 8

/** Spreads neighbouring keys over the table. */
function mix(a: number, b: number, c: number): number {
  let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return hash ^ (hash >>> 15)
}
