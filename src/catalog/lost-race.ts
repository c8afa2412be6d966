/** The catalog changed under prepared work in a way that makes it wrong. Nothing was written; preparing it anew helps. */
export class LostRaceError extends Error {
  override readonly name = 'LostRaceError'
}
