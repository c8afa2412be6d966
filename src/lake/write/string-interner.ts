import { detachString } from '../../derive/detach-string.ts'

/** Gives texts numbers in the order in which they come, from 0. */
export class StringInterner {
  #ids = new Map<string, number>()
  #texts: string[] = []
  #characters = 0

  readonly #detach: (text: string) => string

  /** Without `detach` a text that is a piece of a larger one keeps that one in memory. */
  constructor({ detach }: { readonly detach: boolean }) {
    this.#detach = detach ? detachString : (text) => text
  }

  /** Of all texts together. */
  get characters(): number {
    return this.#characters
  }

  /** The texts so far, each at its number; the same list grows until `take`. */
  get texts(): readonly string[] {
    return this.#texts
  }

  get size(): number {
    return this.#texts.length
  }

  intern(text: string): number {
    const known = this.#ids.get(text)
    if (known !== undefined) return known
    const own = this.#detach(text)
    // Texts that no file can hold may become the same.
    const same = this.#ids.get(own)
    if (same !== undefined) return same
    this.#ids.set(own, this.#texts.length)
    this.#characters += own.length
    return this.#texts.push(own) - 1
  }

  /** The texts, each at its number. Numbers start at 0 again. */
  take(): readonly string[] {
    const texts = this.#texts
    this.#ids = new Map()
    this.#texts = []
    this.#characters = 0
    return texts
  }
}
