import { newId } from '../ids.ts'
import type { Leases } from './leases.ts'
import type { Store } from './store.ts'

/** Where running servers show the dashboard of this data directory, for commands that print a link to it. */
export interface ServedOrigins {
  /** Shows the origin to other processes until `leave` or the death of this one. */
  enter(origin: string): { leave(): void }
  /** Those of servers that are alive, the one that began last first. */
  list(): string[]
}

/** Each is the name of a lease of its own: a lease says whether its holder lives. */
const PREFIX = 'dashboard'

export function openServedOrigins(store: Store, leases: Leases): ServedOrigins {
  const selectAll = store.db.prepare<[string], { readonly name: string; readonly token: string }>(
    'SELECT name, token FROM leases WHERE name GLOB ? ORDER BY name DESC',
  )
  return {
    enter(origin) {
      const lease = leases.tryAcquire(`${PREFIX} ${newId('srv', store.clock.now(), store.random)} ${origin}`)
      return { leave: () => lease?.release() }
    },
    list: () =>
      store
        .read(() => selectAll.all(`${PREFIX} *`))
        .filter(({ token }) => leases.isAlive(token))
        .flatMap(({ name }) => name.split(' ').slice(2)),
  }
}
