/** A process that takes leases as its argument says and tells about it, a JSON line at a time. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { openCatalog } from '../../../src/catalog/catalog.ts'

export interface HolderTask {
  readonly path: string
  /**
   * `hold`: takes the lease, starts a process of its own if told, and holds the lease until standard input gives a line;
   * then says whether it still has it. `count`: under the lease, adds 1 to the number in a file, `rounds` times.
   * `appear`: enters, sweeps and leaves, `rounds` times, and says how often it was seen as gone in between.
   */
  readonly act: 'hold' | 'count' | 'appear'
  readonly withChild?: boolean
  readonly counter?: string
  readonly rounds?: number
}

const task = JSON.parse(process.argv[2] ?? '{}') as HolderTask
const say = (what: object): void => void process.stdout.write(`${JSON.stringify(what)}\n`)
using catalog = openCatalog(task.path, { mode: 'command' })
const { leases } = catalog

if (task.act === 'hold') {
  const lease = await leases.acquire('l')
  const child = task.withChild ? spawn('sleep', ['60'], { stdio: 'ignore' }) : undefined
  say({ token: lease.token, childPid: child?.pid })
  await once(process.stdin, 'data')
  let held = true
  try {
    lease.assertHeld()
  } catch {
    held = false
  }
  say({ held })
  lease.release()
  process.stdin.destroy()
} else if (task.act === 'count') {
  for (let round = 0; round < (task.rounds ?? 0); round++) {
    const lease = await leases.acquire('l')
    const before = Number(readFileSync(task.counter ?? '', 'utf8'))
    await setImmediate()
    writeFileSync(task.counter ?? '', String(before + 1))
    lease.release()
  }
} else {
  let gone = 0
  for (let round = 0; round < (task.rounds ?? 0); round++) {
    const presence = leases.enter()
    leases.sweep()
    await setImmediate()
    if (!leases.isAlive(presence.token)) gone += 1
    presence.leave()
  }
  say({ gone })
}
