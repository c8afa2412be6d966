/** Columns of whole numbers from 0 to 2^32 - 1, filled piece by piece up to a number of rows, then taken and filled anew. */
export class RowStore<C extends string> {
  readonly #rowsMax: number
  readonly #columns: Readonly<Record<C, Uint32Array>>
  #size = 0

  constructor(names: readonly C[], rowsMax: number) {
    this.#rowsMax = rowsMax
    // Memory that no row has touched yet costs nothing.
    const columns = names.map((name) => [name, new Uint32Array(rowsMax)] as const)
    this.#columns = Object.fromEntries(columns) as Record<C, Uint32Array>
  }

  get size(): number {
    return this.#size
  }

  /** How many more rows it takes. */
  get room(): number {
    return this.#rowsMax - this.#size
  }

  /** Adds the rows of equally long columns; there must be room for them. */
  add(rows: Readonly<Record<C, Uint32Array>>): void {
    let added = 0
    for (const [name, column] of Object.entries<Uint32Array>(this.#columns)) {
      const values = rows[name as C]
      column.set(values, this.#size)
      added = values.length
    }
    this.#size += added
  }

  /** A copy of the rows: the next ones are written to the same memory. */
  take(): Readonly<Record<C, Uint32Array>> {
    const taken = Object.entries<Uint32Array>(this.#columns).map(
      ([name, column]) => [name, column.slice(0, this.#size)] as const,
    )
    this.#size = 0
    return Object.fromEntries(taken) as Record<C, Uint32Array>
  }
}
