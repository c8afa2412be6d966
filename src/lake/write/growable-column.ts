/** A growing list of whole numbers from 0 to 2^32 - 1, four bytes each. */
export class GrowableColumn {
  #values = new Uint32Array(256)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#makeRoom(1)
    this.#values[this.#length] = value
    this.#length += 1
  }

  append(values: Uint32Array): void {
    if (this.#length + values.length > this.#values.length) this.#makeRoom(values.length)
    this.#values.set(values, this.#length)
    this.#length += values.length
  }

  /** The numbers in memory of their own; the column is empty afterwards. */
  take(): Uint32Array {
    const taken = this.#values.slice(0, this.#length)
    this.#length = 0
    return taken
  }

  #makeRoom(more: number): void {
    const larger = new Uint32Array(2 * this.#values.length + more)
    larger.set(this.#values)
    this.#values = larger
  }
}
