/** A growing list of whole numbers from 0 to 2^32 - 1, four bytes each. */
export class NumberColumn {
  #values = new Uint32Array(256)
  #length = 0

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Uint32Array(2 * this.#length)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#length] = value
    this.#length += 1
  }

  /** The numbers in memory of their own, so that it can be sent to another thread. */
  take(): Uint32Array {
    return this.#values.slice(0, this.#length)
  }
}
