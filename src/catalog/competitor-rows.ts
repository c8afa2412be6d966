import type { Competitor } from '../domain/competitor.ts'
import type { CompetitorSource } from '../domain/enums.ts'

/** A competitor as the table `competitors` has it. */
export interface CompetitorRow {
  readonly id: string
  readonly site_id: string
  readonly brand_no: number
  readonly name: string
  readonly aliases: string
  readonly exact: string
  readonly domains: string
  readonly confirmed: number
  readonly source: CompetitorSource
  readonly answers: number
  readonly created_at: string
}

export const COMPETITOR_COLUMNS =
  'id, site_id, brand_no, name, aliases, exact, domains, confirmed, source, answers, created_at'

export function toCompetitor(row: CompetitorRow): Competitor {
  return {
    id: row.id,
    siteId: row.site_id,
    brandNo: row.brand_no,
    name: row.name,
    aliases: JSON.parse(row.aliases) as string[],
    exact: JSON.parse(row.exact) as string[],
    domains: JSON.parse(row.domains) as string[],
    confirmed: row.confirmed === 1,
    source: row.source,
    answers: row.answers,
    createdAt: row.created_at,
  }
}

export function toCompetitorRow(competitor: Competitor): CompetitorRow {
  return {
    id: competitor.id,
    site_id: competitor.siteId,
    brand_no: competitor.brandNo,
    name: competitor.name,
    aliases: JSON.stringify(competitor.aliases),
    exact: JSON.stringify(competitor.exact),
    domains: JSON.stringify(competitor.domains),
    confirmed: competitor.confirmed ? 1 : 0,
    source: competitor.source,
    answers: competitor.answers,
    created_at: competitor.createdAt,
  }
}
