/** Number of a brand within its site. 0 is the site's own brand; competitors count from 1 and a number is never used again. */
export type BrandNo = number
export const OWN_BRAND: BrandNo = 0

/** A brand as the matcher needs it: every spelling by which it may be named, the name first (contract/imports 2.3). */
export interface BrandSpellings {
  readonly brandNo: BrandNo
  readonly spellings: readonly string[]
  /** Those of them whose case counts. */
  readonly exact?: readonly string[]
}
