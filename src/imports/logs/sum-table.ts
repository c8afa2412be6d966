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
  readonly #a: Int32Array
  readonly #b: Int32Array
  readonly #c: Int32Array
  readonly #counts: Int32Array
  readonly #errors: Int32Array
  readonly #lasts: Int32Array
  #size = 0

  constructor(rowsMax: number) {
    const places = 2 ** Math.ceil(Math.log2(rowsMax * 2))
    this.#rowsMax = rowsMax
    this.#mask = places - 1
    this.#places = new Int32Array(places)
    this.#a = new Int32Array(rowsMax)
    this.#b = new Int32Array(rowsMax)
    this.#c = new Int32Array(rowsMax)
    this.#counts = new Int32Array(rowsMax)
    this.#errors = new Int32Array(rowsMax)
    this.#lasts = new Int32Array(rowsMax)
  }

  get isFull(): boolean {
    return this.#size === this.#rowsMax
  }

  get size(): number {
    return this.#size
  }

  /** Adds one to the key's count; must not be full. */
  add(a: number, b: number, c: number, error: number, last: number): void {
    const row = this.#findRow(a, b, c)
    this.#counts[row] = (this.#counts[row] ?? 0) + 1
    this.#errors[row] = (this.#errors[row] ?? 0) + error
    this.#lasts[row] = Math.max(this.#lasts[row] ?? 0, last)
  }

  *rows(): Generator<SumRow, void, undefined> {
    for (let row = 0; row < this.#size; row++) {
      yield {
        a: this.#a[row] ?? 0,
        b: this.#b[row] ?? 0,
        c: this.#c[row] ?? 0,
        count: this.#counts[row] ?? 0,
        errors: this.#errors[row] ?? 0,
        last: this.#lasts[row] ?? 0,
      }
    }
  }

  clear(): void {
    this.#places.fill(0)
    this.#size = 0
  }

  #findRow(a: number, b: number, c: number): number {
    let place = mix(a, b, c) & this.#mask
    for (;;) {
      const row = (this.#places[place] ?? 0) - 1
      if (row === -1) return this.#startRow(place, a, b, c)
      if (this.#a[row] === a && this.#b[row] === b && this.#c[row] === c) return row
      place = (place + 1) & this.#mask
    }
  }

  #startRow(place: number, a: number, b: number, c: number): number {
    const row = this.#size
    this.#size += 1
    this.#places[place] = row + 1
    this.#a[row] = a
    this.#b[row] = b
    this.#c[row] = c
    this.#counts[row] = 0
    this.#errors[row] = 0
    this.#lasts[row] = 0
    return row
  }
}

/** Spreads neighbouring keys over the table. */
function mix(a: number, b: number, c: number): number {
  let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return hash ^ (hash >>> 15)
}
