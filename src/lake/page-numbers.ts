import { IMPORT_PAGES_REMEMBERED_MAX } from '../limits.ts'

interface Numbers {
  readonly pageNo: number
  readonly hostNo: number
}

/**
 * Numbers of pages met lately, so that the pages cited all the time are looked up once. Bounded: when a generation is
 * full, the one before it is forgotten, and what is still asked for moves on.
 */
export class PageNumbers {
  #young = new Map<string, Numbers>()
  #old = new Map<string, Numbers>()

  get(page: string): Numbers | undefined {
    const numbers = this.#young.get(page)
    if (numbers) return numbers
    const older = this.#old.get(page)
    if (older) this.set(page, older)
    return older
  }

  set(page: string, numbers: Numbers): void {
    if (this.#young.size >= IMPORT_PAGES_REMEMBERED_MAX / 2) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(page, numbers)
  }
}
