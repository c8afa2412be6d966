import { toDataDir } from '../src/config.ts'
import { defineCommand, JSON_FLAG } from './command.ts'
import { printJson, printLine } from './io.ts'

export const doctor = defineCommand({
  summary: 'Check the data directory and its surroundings, and say what to do about each finding',
  notes: ['Exits 1 when there is a problem, 0 when there are only warnings.'],
  args: JSON_FLAG,
  examples: ['doctor', 'doctor --data-dir /var/lib/answerlake --json'],
  async run({ args, io, dataDir, clock, environment }) {
    const { examine } = await import('./doctor/examine.ts')
    const findings = await examine({ dataDir: toDataDir(dataDir), clock, environment })
    const hasProblem = findings.some(({ status }) => status === 'problem')
    if (args.json) {
      printJson(io, { status: hasProblem ? 'problem' : findings.find(isWarning) ? 'warning' : 'ok', checks: findings })
    } else {
      for (const { check, status, message, advice } of findings) {
        printLine(io, `${status.padEnd(8)} ${check.padEnd(12)} ${message}`)
        if (advice !== null) printLine(io, `${' '.repeat(22)}${advice}`)
      }
    }
    return hasProblem ? 1 : 0
  },
})

function isWarning({ status }: { readonly status: string }): boolean {
  return status === 'warning'
}
