import { seededRandom } from '../../../data/demo/generator/random.ts'
import { verifyLake } from '../../../src/maintenance/lake-verification.ts'
import { type HistoryLake, openHistoryLake } from './history-lake.ts'
import { openModel } from './history-model.ts'
import { ANSWER_REPORTS, compareReports, LOG_REPORTS, type ReportsOf } from './history-reports.ts'
import { STEPS } from './history-steps.ts'

/**
 * Plays one sequence of steps. After each of them every report must equal what a loop over all that should be there
 * counts, and what a fresh lake says that imported only that. Gives the first thing that is wrong, with all steps up to
 * it; undefined when all is well.
 */
export async function playHistory(seed: string, stepCount: number): Promise<string | undefined> {
  await using lake = await openHistoryLake()
  const model = openModel()
  const compareAnswers = beginComparing(lake, ANSWER_REPORTS, (fresh, records) => fresh.answers(records))
  const compareLogs = beginComparing(lake, LOG_REPORTS, (fresh, events) => fresh.logs(events.map(({ line }) => line)))
  const played: string[] = []
  for (let number = 0; number < stepCount; number++) {
    const name = `${seed}-${number}`
    const random = seededRandom(name)
    const step = random.pickWeighted(STEPS, ({ weight }) => weight)
    played.push(step.name)
    const wrong: string[] = []
    try {
      await step.run({ lake, model, random, name })
      wrong.push(...(await compareAnswers(model.records.map(({ item }) => item))))
      wrong.push(...(await compareLogs(model.events.map(({ item }) => item))))
      const { ok } = await verifyLake(lake.app.change, {})
      if (!ok) wrong.push('the verification finds damage')
    } catch (error) {
      wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
    if (wrong.length > 0) return `${seed}: ${played.join(', ')}\n  ${wrong.join('\n  ')}`
  }
  return undefined
}

/**
 * Compares the reports of one kind of input with what the items come to that should be there. What is expected is made
 * anew when these are others than the last time: a fresh lake says the same of the same items.
 */
function beginComparing<T>(
  { app }: HistoryLake,
  { read, expect }: ReportsOf<T>,
  bring: (fresh: HistoryLake, items: readonly T[]) => Promise<unknown>,
): (items: readonly T[]) => Promise<string[]> {
  const make = async (items: readonly T[]) => {
    await using fresh = await openHistoryLake()
    if (items.length > 0) await bring(fresh, items)
    return { items: JSON.stringify(items), ofModel: expect(items), ofFresh: await read(fresh.app) }
  }
  let expected: Awaited<ReturnType<typeof make>> | undefined
  return async (items) => {
    if (expected?.items !== JSON.stringify(items)) expected = await make(items)
    const found = await read(app)
    return [
      ...compareReports(found, expected.ofModel).map((what) => `not the model's: ${what}`),
      ...compareReports(found, expected.ofFresh).map((what) => `not a fresh lake's: ${what}`),
    ]
  }
}
