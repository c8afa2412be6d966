import { expect, test } from 'vitest'
import { setUpPowerCuts } from './support/power-cuts.ts'

test(
  'a power cut takes no import that was acknowledged; without syncs the same cut does',
  { timeout: 600_000 },
  async (context) => {
    const stage = await setUpPowerCuts()
    if (!stage) return context.skip('needs Linux, mkfs.ext4 and the right to mount')
    try {
      for (const [afterImports, afterMs] of [
        [1, 0],
        [2, 700],
        [5, 100],
      ] as const) {
        const { acknowledged, ...losses } = await stage.cut({ afterImports, afterMs, syncs: true })
        expect(acknowledged).toBeGreaterThanOrEqual(afterImports)
        expect(losses).toEqual({ lost: 0, wrong: [] })
      }
      const control = await stage.cut({ afterImports: 3, afterMs: 100, syncs: false })
      expect(control.lost + control.wrong.length).toBeGreaterThan(0)
    } finally {
      stage.close()
    }
  },
)
