import { systemClock } from '../src/clock.ts'
import { COMMANDS } from './commands.ts'
import { openProcessIo } from './io.ts'
import { Interruption, runCommandLine } from './run.ts'

/** Shells and npm pass a terminal's Ctrl-C on once more; a second signal within this time is taken for the same one. */
const REPEAT_MS = 500

const controller = new AbortController()
let interruptedAt: number | undefined

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    const now = systemClock.now()
    if (interruptedAt === undefined) {
      interruptedAt = now
      controller.abort(new Interruption(signal))
    } else if (now - interruptedAt > REPEAT_MS) {
      process.exit(signal === 'SIGINT' ? 130 : 143)
    }
  })
}

process.exitCode = await runCommandLine(process.argv.slice(2), COMMANDS, {
  io: openProcessIo(),
  environment: process.env,
  clock: systemClock,
  signal: controller.signal,
})
