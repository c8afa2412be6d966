import { expect, it } from 'vitest'
import { seededRandom } from '../../../data/demo/generator/random.ts'
import { expectQuality } from '../../support/oracle/quality.ts'
import { readTruth } from '../../support/oracle/truth.ts'
import { makeWorld } from '../../support/oracle/world.ts'
import { findDifference } from '../support/compare.ts'
import { serveWorld } from '../support/served-world.ts'

const WORLDS = {
  'of many prompts': { world: makeWorld('quality', { share: 0.45, morePrompts: 25 }), count: 30 },
  'of few prompts': { world: makeWorld('quality of few', { share: 0.3 }), count: 40 },
  'that is sparse': { world: makeWorld('sparse quality', { share: 0.01 }), count: 40 },
}

it.each(Object.entries(WORLDS))(
  'the quality of a world %s is what a loop over all answers says',
  async (name, { world, count }) => {
    const random = seededRandom(name)
    const truth = readTruth(world)
    const served = await serveWorld(world)
    try {
      for (let asked = 0; asked < count; asked++) {
        const first = random.between(0, world.days.length - 1)
        const last = random.between(first, world.days.length - 1)
        const [start, end] = random.pick([
          [world.days[first]!, world.days[last]!],
          [world.days[first]!, world.days[last]!],
          [world.days[first]!, world.days[first]!],
          [world.days[0]!, world.days.at(-1)!],
          ['2026-08-10', world.days[first]!],
          ['2026-09-01', '2026-11-20'],
          ['2030-01-01', '2030-04-03'],
        ] as const)
        const path = `/v1/sites/${world.site.id}/quality?start_date=${start}&end_date=${end}`
        const { status, body } = await served.get(path)
        expect([status, findDifference(body, { data: expectQuality(truth, start, end) }, path)]).toEqual([
          200,
          undefined,
        ])
      }
    } finally {
      await served.close()
    }
  },
  120_000,
)
