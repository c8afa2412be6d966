import type { BrandNo } from './brand.ts'
import type { CompetitorSource } from './enums.ts'

/** A brand beside the site's own (contract/api 11.3). */
export interface Competitor {
  readonly id: string
  readonly siteId: string
  /** From 1 within its site, never used again; the lake names the brand by it. */
  readonly brandNo: BrandNo
  readonly name: string
  readonly aliases: readonly string[]
  /** Those of the name and the aliases whose case counts (contract/imports 2.3). */
  readonly exact: readonly string[]
  /** Lower-case hosts; a host under one of them belongs to the competitor too. */
  readonly domains: readonly string[]
  /** Only confirmed competitors are ranked and count in share of voice. */
  readonly confirmed: boolean
  readonly source: CompetitorSource
  /** Imported answers whose own `mentions` named it; the evidence for a discovered one. */
  readonly answers: number
  readonly createdAt: string
}
