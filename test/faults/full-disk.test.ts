import { expect, test } from 'vitest'
import { setUpDisk } from './support/full-disk.ts'
import { inTurns } from './support/in-turns.ts'

/** The long form: DISK_LEVELS=20. */
const LEVELS = Number(process.env['DISK_LEVELS'] ?? 10)

test(
  `imports on disks that are filled to ${LEVELS} levels are whole or not at all, and everything goes on`,
  { timeout: 600_000 },
  async (context) => {
    const stage = await setUpDisk()
    if (!stage) return context.skip('needs Linux and the right to mount')
    try {
      const done: boolean[] = []
      const levels = Array.from({ length: LEVELS }, (_, index) =>
        Math.round((index * 1.3 * stage.neededBytes) / LEVELS),
      )
      const wrong = await inTurns(levels, async (freeBytes, index) => {
        const trial = await stage.tryLevel(freeBytes, index % 2 === 0)
        done[index] = trial.isDone
        return trial.wrong.map((line) => `${freeBytes} bytes free: ${line}`)
      })
      expect(wrong).toEqual([])
      // Otherwise the levels would not meet the import at work.
      expect([done[0], done.at(-1)]).toEqual([false, true])
      expect(done.filter((is) => !is).length).toBeGreaterThan(LEVELS / 3)
    } finally {
      stage.close()
    }
  },
)
