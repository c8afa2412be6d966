/**
 * The program's command line, which may be killed at one of its steps on the disk. It waits a twentieth of the time before it
 * tries again or looks for a task. The file descriptor 3 is told all steps at the end.
 */
import { writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import type { StepPoint } from '../../faults/support/steps.ts'

export interface ScanVictimTask {
  readonly argv: readonly string[]
  readonly death?: StepPoint
}

const wait = timers.setTimeout
timers.setTimeout = (ms = 1, value, options) => wait(ms >= 50 && ms < 60_000 ? ms / 20 : ms, value, options)
syncBuiltinESMExports()
const { watchSteps } = await import('../../faults/support/steps.ts')
const { argv, death } = JSON.parse(process.argv[2] ?? '{}') as ScanVictimTask
const names: string[] = []
watchSteps({ ...(death ? { death } : {}), onStep: (name) => names.push(name) })
process.on('exit', () => writeSync(3, JSON.stringify(names)))
process.argv = [process.execPath, 'answerlake', ...argv]
await import('../../../cli/main.ts')
