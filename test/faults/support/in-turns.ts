/** Does the work for each value, two at a time, and gathers what it gives. */
export async function inTurns<T>(
  values: readonly T[],
  work: (value: T, index: number) => Promise<readonly string[]>,
): Promise<string[]> {
  const found: string[] = []
  const queue = values.entries()
  const run = async (): Promise<void> => {
    for (const [index, value] of queue) found.push(...(await work(value, index)))
  }
  await Promise.all([run(), run()])
  return found
}
