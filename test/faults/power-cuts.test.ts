import { expect, test } from 'vitest'
import { setUpPowerCuts } from './support/power-cuts.ts'

test(
  'a power cut takes nothing that was acknowledged, and brings nothing back; without syncs the same cut does',
  { timeout: 600_000 },
  async (context) => {
    const stage = await setUpPowerCuts()
    if (!stage) return context.skip('needs Linux, mkfs.ext4 and the right to mount')
    try {
      for (const [seed, afterActs, afterMs] of [
        [1, 1, 0],
        [2, 9, 300],
        [3, 18, 100],
      ] as const) {
        const { acknowledged, wrong } = await stage.cut({ seed, afterActs, afterMs, syncs: true })
        expect(wrong).toEqual([])
        expect(acknowledged).toBeGreaterThanOrEqual(afterActs)
      }
      const control = await stage.cut({ seed: 2, afterActs: 9, afterMs: 100, syncs: false })
      expect(control.wrong).not.toEqual([])
    } finally {
      stage.close()
    }
  },
)
