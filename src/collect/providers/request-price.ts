import { priceOfRequest } from '../../reference/provider-prices.ts'
import type { PriceRange, Question } from './provider.ts'

/** What a call to a service costs that bills by the request; `most` is how many requests it may take. */
export function priceOfRequests({ target }: Question, most = 1): PriceRange {
  const { low, high } = priceOfRequest(target.provider, target.engine)
  return { lowMicros: perThousand(low), highMicros: most * perThousand(high) }
}

/** USD per 1,000 as micro-dollars for one. */
function perThousand(usd: number): number {
  return Math.ceil(usd * 1_000)
}
