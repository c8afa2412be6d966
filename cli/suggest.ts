/** The name nearest to what was typed, if it is near enough to be a slip: at most one edit in three letters. */
export function findNearest(typed: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined
  let fewest = Math.max(1, Math.floor(typed.length / 3)) + 1
  for (const name of names) {
    const edits = name.startsWith(typed) && typed.length > 2 ? 1 : countEdits(typed, name)
    if (edits < fewest) {
      nearest = name
      fewest = edits
    }
  }
  return nearest
}

/** Letters to insert, delete, replace or swap with their neighbour to get from one word to the other. */
function countEdits(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
