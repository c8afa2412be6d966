import { systemClock } from '../src/clock.ts'
import { COMMANDS } from './commands.ts'
import { openProcessIo } from './io.ts'
import { Interruption, runCommandLine } from './run.ts'

/** Shells and npm pass a terminal's Ctrl-C on once more; a second signal within this time is taken for the same one. */
const REPEAT_MS = 500

// Whatever the shell's umask says: what is made, by SQLite and DuckDB too, is for this account alone.
process.umask(0o077)

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

// Node ends without a word, and with 0, when nothing is left that could still settle what is awaited.
process.exitCode = 1
void main()

async function main(): Promise<void> {
  process.once('exit', reportUnfinished)
  const status = await runCommandLine(process.argv.slice(2), COMMANDS, {
    io: openProcessIo(controller.signal),
    environment: process.env,
    clock: systemClock,
    signal: controller.signal,
  })
  process.off('exit', reportUnfinished)
  process.exitCode = status
}

function reportUnfinished(): void {
  if (interruptedAt === undefined)
    process.stderr.write('answerlake: it ended before its work was done; please report this\n')
}
