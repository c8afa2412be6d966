/** Rejects once all works are done, as the first in the list that did: a connection must be idle when it is closed. */
export async function settleAll(works: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(works)) if (result.status === 'rejected') throw result.reason
}
