import { systemClock } from '../src/clock.ts'
import { program } from './commands.ts'
import { openProcessIo } from './io.ts'
import { Interruption, runCommandLine } from './run.ts'
import { SYSTEM_FILE } from './system-file.ts'

/** Shells and npm pass a terminal's Ctrl-C on once more; a second signal within this time is taken for the same one. */
const REPEAT_MS = 500

/** How often the program looks whether what npx started it with is still there. */
const PARENT_POLL_MS = 200

// Whatever the shell's umask says: what is made, by SQLite and DuckDB too, is for this account alone.
process.umask(0o077)

const controller = new AbortController()
let interruptedAt: number | undefined

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interruptedAt === undefined) interrupt(signal)
    else if (systemClock.now() - interruptedAt > REPEAT_MS) process.exit(signal === 'SIGINT' ? 130 : 143)
  })
}
if (process.env['npm_lifecycle_event'] === 'npx') stopWithParent(process.ppid)

/** What went wrong first with standard output. */
let lostOutput: Error | undefined
process.once('exit', reportLostOutput)

// Node ends without a word, and with 0, when nothing is left that could still settle what is awaited.
process.exitCode = 1
void main()

async function main(): Promise<void> {
  process.once('exit', reportUnfinished)
  const status = await runCommandLine(process.argv.slice(2), program, {
    io: openProcessIo(controller.signal, (error) => (lostOutput ??= error)),
    environment: process.env,
    systemFile: process.env['ANSWERLAKE_SYSTEM_FILE'] ?? SYSTEM_FILE,
    clock: systemClock,
    signal: controller.signal,
  })
  process.off('exit', reportUnfinished)
  process.exitCode = status
}

function interrupt(signal: 'SIGINT' | 'SIGTERM'): void {
  interruptedAt = systemClock.now()
  controller.abort(new Interruption(signal))
}

/** npx hands a SIGTERM to the shell between itself and the program; the shell ends without passing it on. */
function stopWithParent(parent: number): void {
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    if (interruptedAt === undefined) interrupt('SIGTERM')
  }, PARENT_POLL_MS)
  watch.unref()
}

/** The work is done and stays done; that its result was not written must not look like success. */
function reportLostOutput(): void {
  if (lostOutput === undefined) return
  process.stderr.write(`answerlake: the result could not be written to standard output: ${lostOutput.message}\n`)
  if (process.exitCode === 0 || process.exitCode === 3) process.exitCode = 1
}

function reportUnfinished(): void {
  if (interruptedAt === undefined)
    process.stderr.write('answerlake: it ended before its work was done; please report this\n')
}
