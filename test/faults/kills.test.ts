import { expect, test } from 'vitest'
import { CONTROLS } from './support/controls.ts'
import { inTurns } from './support/in-turns.ts'
import { listStepPoints, planKills, setUpStage, tryKill } from './support/kills.ts'

const POINTS = 24
const SEED = 1

test(`killed at ${POINTS} points, operations leave the state before or after, a sound lake, and nothing that the next collection misses`, async () => {
  const stage = await setUpStage()
  try {
    const points = planKills(stage, POINTS, SEED)
    let killed = 0
    const wrong = await inTurns(points, async (point, index) => {
      const trial = await tryKill(stage, point, index % 2 === 0)
      if (trial.wasKilled) killed += 1
      return trial.wrong
    })
    expect(wrong).toEqual([])
    // Those at times may be done sooner.
    expect(killed).toBeGreaterThanOrEqual(points.filter(({ at }) => 'step' in at).length - 2)
  } finally {
    stage.close()
  }
}, 600_000)

test('operations that are made wrongly are found out', { timeout: 600_000 }, async () => {
  const stage = await setUpStage(CONTROLS)
  try {
    const findPoint = (operation: keyof typeof CONTROLS, name: RegExp) =>
      listStepPoints(operation, stage.rehearsals[operation]!.steps).find((point) => name.test(point.name))!
    const points = [
      findPoint('torn import', /before .*UPDATE prompts/),
      findPoint('hasty import', /after .*renameSync/),
      findPoint('littering import', /before .*sqlite COMMIT/),
    ]
    const found = await Promise.all(points.map(async (point) => (await tryKill(stage, point, false)).wrong.join()))
    expect(found).toEqual([
      expect.stringContaining('the state is neither the one before nor the one after'),
      expect.stringContaining('is missing or damaged'),
      expect.stringContaining('still there after a collection'),
    ])
  } finally {
    stage.close()
  }
})
