import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DuckDBConnection } from '@duckdb/node-api'
import Database from 'better-sqlite3'

/** Where a process dies: just before or just after its n-th step, counted from 0. */
export interface DeathPoint {
  readonly step: number
  readonly when: 'before' | 'after'
}

/**
 * Counts everything that a process does to the disk, by its functions of the file system, of SQLite and of DuckDB, tells of
 * it, and kills the process where it is told to. To be called before anything of the program is loaded.
 */
export function watchSteps({ death, onStep }: { death?: DeathPoint; onStep?: (name: string) => void }): void {
  let steps = 0
  const around = <T>(name: string, call: () => T): T => {
    const step = steps++
    onStep?.(name)
    if (death?.step === step && death.when === 'before') die()
    const result = call()
    const after = (): void => {
      if (death?.step === step) die()
    }
    if (result instanceof Promise) return result.finally(after) as T
    after()
    return result
  }

  type Method = (...args: unknown[]) => unknown
  const wrap = (owner: object, method: string, toName: (self: object, args: readonly unknown[]) => string): void => {
    const original = Reflect.get(owner, method) as Method
    Reflect.set(owner, method, function (this: object, ...args: unknown[]) {
      return around(toName(this, args), () => original.apply(this, args))
    })
  }
  const describePath = (path: unknown): string =>
    String(path)
      .replace(/.*\/(data|backup|restored)\//, '$1/')
      .replaceAll(/[0-9a-z]{16,}/g, '*')
  for (const name of ['link', 'mkdir', 'unlink', 'rm', 'rename', 'writeFile', 'open']) {
    wrap(fs.promises, name, (_, [path]) => `${name} ${describePath(path)}`)
  }
  for (const name of ['mkdirSync', 'rmSync', 'renameSync', 'fsyncSync', 'chmodSync']) {
    wrap(fs, name, (_, [path]) => `${name} ${describePath(path)}`)
  }
  wrap(DuckDBConnection.prototype, 'run', (_, [sql]) => `duckdb ${firstWords(sql)}`)
  const db = new Database(':memory:')
  wrap(Database.prototype, 'exec', (_, [sql]) => `sqlite ${firstWords(sql)}`)
  wrap(
    Object.getPrototypeOf(db.prepare('SELECT 1')) as object,
    'run',
    (self) => `sqlite ${firstWords(Reflect.get(self, 'source'))}`,
  )
  db.close()
  syncBuiltinESMExports()
  watchHandles(wrap)
}

/** `sync` of a file handle: its class is only met on a handle. */
function watchHandles(wrap: (owner: object, method: string, toName: () => string) => void): void {
  const { open } = fs.promises
  let isWrapped = false
  fs.promises.open = async (...args) => {
    const handle = await open(...args)
    if (!isWrapped) wrap(Object.getPrototypeOf(handle) as object, 'sync', () => 'sync')
    isWrapped = true
    return handle
  }
  syncBuiltinESMExports()
}

function firstWords(sql: unknown): string {
  return String(sql).trim().split(/\s+/).slice(0, 4).join(' ')
}

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // The signal needs a moment to arrive; nothing more may be done in it.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
