import { useMemo } from 'preact/hooks'
import type { Schemas } from '../../api.ts'
import { type BrandMarker, createBrandMarker } from '../../answer-text/brand-names.ts'
import { useThing } from '../../use-reply.ts'

/** A competitor with its other spellings, as `/ui/v1` gives it. */
export type KnownCompetitor = Schemas['Competitor'] & {
  readonly aliases: readonly string[]
  /** How many answers listed a discovered one when they were imported; null of others. */
  readonly answers: number | null
}

/** All competitors of a site, those not confirmed too. */
export function useCompetitors(siteId: string) {
  return useThing<readonly KnownCompetitor[]>({ method: 'GET', path: `/sites/${siteId}/competitor-evidence` })
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
