/** A process that does one operation and may be killed in it. Tells on standard output when it begins and when it is done. */
import type { StepPoint } from './steps.ts'
import type { Operation } from './operations.ts'

export interface VictimTask {
  readonly root: string
  readonly operation: string
  readonly death?: StepPoint
  readonly stop?: StepPoint
  /** Tells each step too. */
  readonly tells?: boolean
}

const { watchSteps } = await import('./steps.ts')
const { root, operation, death, stop, tells } = JSON.parse(process.argv[2] ?? '{}') as VictimTask
const names: string[] = []
watchSteps({
  ...(death ? { death } : {}),
  ...(stop ? { stop } : {}),
  ...(tells ? { onStep: (name: string) => names.push(name) } : {}),
})
const [{ OPERATIONS }, { CONTROLS }, { toDirs }] = await Promise.all([
  import('./operations.ts'),
  import('./controls.ts'),
  import('./world.ts'),
])
const operations: Readonly<Record<string, Operation>> = { ...OPERATIONS, ...CONTROLS }
process.stdout.write('begins\n')
await operations[operation]?.run(toDirs(root))
process.stdout.write('done\n')
if (tells) process.stdout.write(`${JSON.stringify(names)}\n`)
