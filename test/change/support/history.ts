import { seededRandom } from '../../../data/demo/generator/random.ts'
import { verifyLake } from '../../../src/maintenance/lake-verification.ts'
import { openHistoryLake } from './history-lake.ts'
import { type HistoryModel, openModel } from './history-model.ts'
import { compareReports, expectReports, readReports } from './history-reports.ts'
import { STEPS } from './history-steps.ts'

/**
 * Plays one sequence of steps. After each of them every report must equal what a loop over all that should be there
 * counts, and what a fresh lake says that imported only that. Gives the first thing that is wrong, with all steps up to
 * it; undefined when all is well.
 */
export async function playHistory(seed: string, stepCount: number): Promise<string | undefined> {
  await using lake = await openHistoryLake()
  const model = openModel()
  const played: string[] = []
  for (let number = 0; number < stepCount; number++) {
    const name = `${seed}-${number}`
    const random = seededRandom(name)
    const step = random.pickWeighted(STEPS, ({ weight }) => weight)
    played.push(step.name)
    const wrong: string[] = []
    try {
      await step.run({ lake, model, random, name })
      const found = await readReports(lake.app)
      wrong.push(...compareReports(found, expectReports(model)).map((what) => `not the model's: ${what}`))
      wrong.push(...compareReports(found, await readFresh(model)).map((what) => `not a fresh lake's: ${what}`))
      const { ok } = await verifyLake(lake.app.change, {})
      if (!ok) wrong.push('the verification finds damage')
    } catch (error) {
      wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
    if (wrong.length > 0) return `${seed}: ${played.join(', ')}\n  ${wrong.join('\n  ')}`
  }
  return undefined
}

async function readFresh({ records, events }: HistoryModel) {
  await using lake = await openHistoryLake()
  if (records.length > 0) await lake.answers(records.map(({ item }) => item))
  if (events.length > 0) await lake.logs(events.map(({ item }) => item.line))
  return await readReports(lake.app)
}
