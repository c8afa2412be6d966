/** Hits by what their addresses say: the bot's own ones, unknown ones, and those of somebody who only used its name. */
export interface Verification {
  readonly verified: number
  readonly unverifiable: number
  readonly spoofed: number
}

/**
 * From the three counts that the report gives: `shown` is without a filter on `verified` (spoofed hits are left out there),
 * `verified` with it true, `others` with it false (unverifiable and spoofed ones).
 */
export function toVerification(counts: {
  readonly shown: number
  readonly verified: number
  readonly others: number
}): Verification {
  const unverifiable = counts.shown - counts.verified
  return { verified: counts.verified, unverifiable, spoofed: counts.others - unverifiable }
}

interface Counted {
  readonly bot_name?: string
  readonly hits?: number
}

/** The same by bot; one of which there are spoofed hits alone is in it too. */
export function listVerifications(rows: {
  readonly shown: readonly Counted[]
  readonly verified: readonly Counted[]
  readonly others: readonly Counted[]
}): ReadonlyMap<string, Verification> {
  const toHits = (list: readonly Counted[]): ReadonlyMap<string, number> =>
    new Map(list.map(({ bot_name = '', hits = 0 }) => [bot_name, hits]))
  const [shown, verified, others] = [toHits(rows.shown), toHits(rows.verified), toHits(rows.others)]
  const names = new Set([...shown.keys(), ...others.keys()])
  return new Map(
    [...names].map((name) => [
      name,
      toVerification({
        shown: shown.get(name) ?? 0,
        verified: verified.get(name) ?? 0,
        others: others.get(name) ?? 0,
      }),
    ]),
  )
}
