/** Does the work for each value, some at a time, and gathers what it gives. */
export async function inTurns<T>(
  values: readonly T[],
  work: (value: T, index: number) => Promise<readonly string[]>,
  atOnce = 2,
): Promise<string[]> {
  const found: string[] = []
  const queue = values.entries()
  const run = async (): Promise<void> => {
    for (const [index, value] of queue) found.push(...(await work(value, index)))
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  return found
}
