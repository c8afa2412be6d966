import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { ApiError } from '../errors.ts'
import {
  SIGN_IN_TRIES,
  SIGN_IN_TRIES_KEPT_MS,
  SIGN_IN_TRIES_REMEMBERED_MAX,
  SIGN_IN_WAIT_MS,
  SIGN_IN_WAIT_MS_MAX,
} from '../people-limits.ts'

/** Whose tries are counted. */
export interface Trier {
  /** What was typed as the account, also where there is none. */
  readonly account: string
  /** Null when it is unknown; then the account alone counts. */
  readonly address: string | null
}

/** Failed sign-ins of this process, by account and by address: after five, each further one makes both wait twice as long. */
export interface Tries {
  /**
   * Counts a try before its password is looked at, so that many at once are no more than many in turn. Throws ApiError
   * `rate_limited` with the time to wait; what is typed meanwhile counts for nothing, right or wrong.
   */
  begin(trier: Trier): void
  /** The try was right: what failed before is forgotten. */
  succeed(trier: Trier): void
  /** The password wasn't looked at after all. */
  cancel(trier: Trier): void
}

interface Failed {
  readonly count: number
  readonly lastMs: number
}

export function openTries(clock: Clock): Tries {
  // Bounded by size, not by `max`, which would take the room for all of them at once.
  const failed = new LRUCache<string, Failed>({ maxSize: SIGN_IN_TRIES_REMEMBERED_MAX, sizeCalculation: () => 1 })
  const find = (name: string): Failed | undefined => {
    const found = failed.get(name)
    return found !== undefined && clock.now() - found.lastMs < SIGN_IN_TRIES_KEPT_MS ? found : undefined
  }
  const waitOf = (name: string): number => {
    const found = find(name)
    if (found === undefined || found.count < SIGN_IN_TRIES) return 0
    const waitMs = Math.min(SIGN_IN_WAIT_MS * 2 ** (found.count - SIGN_IN_TRIES), SIGN_IN_WAIT_MS_MAX)
    // A clock that was set back makes nobody wait longer than that.
    return Math.min(waitMs, found.lastMs + waitMs - clock.now())
  }
  return {
    begin(trier) {
      const names = toNames(trier)
      const waitMs = Math.max(...names.map(waitOf))
      if (waitMs > 0) throw toRefusal(Math.ceil(waitMs / 1_000))
      for (const name of names) failed.set(name, { count: (find(name)?.count ?? 0) + 1, lastMs: clock.now() })
    },
    succeed(trier) {
      for (const name of toNames(trier)) failed.delete(name)
    },
    cancel(trier) {
      for (const name of toNames(trier)) {
        const found = find(name)
        if (found !== undefined) failed.set(name, { ...found, count: found.count - 1 })
      }
    },
  }
}

function toRefusal(retryAfterSeconds: number): ApiError {
  const message = `Too many failed tries. Try again in ${retryAfterSeconds} s; until then the right password is refused too.`
  return new ApiError('rate_limited', message, { retryAfterSeconds })
}

function toNames({ account, address }: Trier): readonly string[] {
  return address === null ? [`account ${account}`] : [`account ${account}`, `address ${toNetwork(address)}`]
}

/** Of IPv6 the network: whoever has one address has 2^64 of them. */
function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.parse(address)
  return parsed.kind() === 'ipv6' ? parsed.toByteArray().slice(0, 8).join('.') : parsed.toString()
}
