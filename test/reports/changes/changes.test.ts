import { expect, it } from 'vitest'
import { expectChanges } from '../../support/oracle/changes.ts'
import { readTruth } from '../../support/oracle/truth.ts'
import { makeWorld, type World } from '../../support/oracle/world.ts'
import { makeChangesRequests } from '../support/changes-requests.ts'
import { expectReport } from '../support/compare.ts'
import { serveWorld } from '../support/served-world.ts'

const WORLDS: Readonly<Record<string, { world: World; count: number }>> = {
  'of many prompts': { world: makeWorld('changes', { share: 0.3, morePrompts: 9 }), count: 150 },
  'of few prompts': { world: makeWorld('changes of few'), count: 90 },
  'that is sparse': { world: makeWorld('sparse changes', { share: 0.03, morePrompts: 9 }), count: 90 },
}

it.each(Object.entries(WORLDS))(
  'the changes report says what a loop over all answers of a world %s says',
  async (name, { world, count }) => {
    const truth = readTruth(world)
    const served = await serveWorld(world)
    try {
      const verdicts = new Set<unknown>()
      for (const sent of makeChangesRequests(world, count, name)) {
        const { rows, info } = expectChanges(truth, sent.asked)
        await expectReport(served, '/v1/reports/changes', sent, rows, info)
        for (const { verdict } of rows) verdicts.add(verdict)
      }
      expect([...verdicts]).toEqual(expect.arrayContaining(['no_change', 'not_enough_data']))
    } finally {
      await served.close()
    }
  },
  300_000,
)
