import { useMemo } from 'preact/hooks'
import type { CompetitorEvidence } from '../../../http/dashboard/operations/competitors.ts'
import type { Schemas } from '../../../client/client.ts'
import { toSitePath } from '../../site-path.ts'
import { type BrandMarker, createBrandMarker } from '../../answer-text/brand-names.ts'
import { useThing } from '../../use-reply.ts'

/** All competitors of a site, those not confirmed too. */
export function useCompetitors(siteId: string) {
  return useThing<readonly CompetitorEvidence[]>({ method: 'GET', path: toSitePath(siteId, 'competitor-evidence') })
}

/** Finds the own brand and all competitors in texts, by their names and other spellings. */
export function useBrandMarker({ id, name }: Schemas['Site']): BrandMarker {
  const known = useCompetitors(id).value
  return useMemo(() => {
    const rivals = (known ?? []).flatMap((rival) => [rival.name, ...rival.aliases])
    return createBrandMarker([
      ...rivals.map((spelling) => ({ spelling, isOwn: false })),
      { spelling: name, isOwn: true },
    ])
  }, [name, known])
}
