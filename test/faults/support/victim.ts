/** A process that does one operation and may be killed in it. Tells on standard output when it begins and when it is done. */
import type { DeathPoint } from './steps.ts'
import type { OperationName } from './operations.ts'

export interface VictimTask {
  readonly root: string
  readonly operation: OperationName
  readonly death?: DeathPoint
  /** Tells each step too. */
  readonly tells?: boolean
}

const { watchSteps } = await import('./steps.ts')
const { root, operation, death, tells } = JSON.parse(process.argv[2] ?? '{}') as VictimTask
const names: string[] = []
watchSteps({ ...(death ? { death } : {}), ...(tells ? { onStep: (name: string) => names.push(name) } : {}) })
const [{ OPERATIONS }, { toDirs }] = await Promise.all([import('./operations.ts'), import('./world.ts')])
process.stdout.write('begins\n')
await OPERATIONS[operation].run(toDirs(root))
process.stdout.write('done\n')
if (tells) process.stdout.write(`${JSON.stringify(names)}\n`)
