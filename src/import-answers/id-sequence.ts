import type { Catalog } from '../catalog/catalog.ts'

/** Numbers taken from the catalog at a time: each taking is a transaction. */
const RESERVED_AT_ONCE = { prompts: 64, brands: 16 } as const

/**
 * Gives numbers for prompts or brands that an import is about to make; what is taken and not used stays unused. With
 * `dryRun` nothing is taken: numbers just go on after `highestNo`.
 */
export function createNumbers(
  catalog: Catalog,
  siteId: string,
  kind: keyof typeof RESERVED_AT_ONCE,
  { dryRun, highestNo }: { dryRun: boolean; highestNo: number },
): () => number {
  let next = highestNo + 1
  let left = dryRun ? Number.POSITIVE_INFINITY : 0
  return () => {
    if (left === 0) {
      left = RESERVED_AT_ONCE[kind]
      const { firstPromptNo, firstBrandNo } = catalog.sites.reserve(siteId, { [kind]: left })
      next = kind === 'prompts' ? firstPromptNo : firstBrandNo
    }
    left -= 1
    return next++
  }
}
