import { expect, test } from 'vitest'
import { setUpPowerCuts } from './support/power-cuts.ts'

test(
  'a power cut takes no import that was acknowledged; without syncs the same cut does',
  { timeout: 600_000 },
  async (context) => {
    const stage = await setUpPowerCuts()
    if (!stage) return context.skip('needs Linux, mkfs.ext4 and the right to mount')
    try {
      for (const afterMs of [0, 800, 2_000]) {
        const { acknowledged, ...losses } = await stage.cut({ afterMs, syncs: true })
        expect(acknowledged).toBeGreaterThan(0)
        expect(losses).toEqual({ lost: 0, wrong: [] })
      }
      const control = await stage.cut({ afterMs: 800, syncs: false })
      expect(control.lost + control.wrong.length).toBeGreaterThan(0)
    } finally {
      stage.close()
    }
  },
)
