/** The catalog changed under prepared work in a way that makes it wrong. Nothing was written; preparing it anew helps. */
export class WriteConflictError extends Error {
  override readonly name = 'WriteConflictError'
}
