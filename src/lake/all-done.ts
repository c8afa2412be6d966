/** Rejects as the first of the works that rejects, but not before all are done: a connection must be idle when it is closed. */
export async function allDone(works: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(works)) if (result.status === 'rejected') throw result.reason
}
