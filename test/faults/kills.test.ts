import { expect, test } from 'vitest'
import { planKills, setUpStage, tryKill } from './support/kills.ts'

const POINTS = 40
const SEED = 1

test(`killed at ${POINTS} points, operations leave the state before or after, a sound lake, and nothing that the next collection misses`, async () => {
  const stage = await setUpStage()
  try {
    const queue = planKills(stage, POINTS, SEED).entries()
    const wrong: string[] = []
    const work = async (): Promise<void> => {
      for (const [index, point] of queue) wrong.push(...(await tryKill(stage, point, index % 2 === 0)))
    }
    await Promise.all([work(), work()])
    expect(wrong).toEqual([])
  } finally {
    stage.close()
  }
}, 600_000)
