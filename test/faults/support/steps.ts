import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DuckDBConnection } from '@duckdb/node-api'
import Database from 'better-sqlite3'

/** Where a process is cut off: just before or just after its n-th step, counted from 0. */
export interface StepPoint {
  readonly step: number
  readonly when: 'before' | 'after'
}

export interface StepOptions {
  /** Where the process is killed. */
  readonly death?: StepPoint
  /** Where it stands still until it is told to go on. */
  readonly stop?: StepPoint
  readonly onStep?: (name: string) => void
}

/**
 * Counts everything that a process changes on the disk, by its functions of the file system, of SQLite and of DuckDB, tells
 * of it, and kills or stops the process where it is told to. To be called before anything of the program is loaded.
 */
export function watchSteps({ death, stop, onStep }: StepOptions): void {
  let steps = 0
  const cutOff = (step: number, when: StepPoint['when']): void => {
    if (death?.step === step && death.when === when) die()
    if (stop?.step === step && stop.when === when) standStill()
  }
  const around = <T>(name: string | undefined, call: () => T): T => {
    if (name === undefined) return call()
    const step = steps++
    onStep?.(name)
    cutOff(step, 'before')
    const result = call()
    const after = (): void => cutOff(step, 'after')
    if (result instanceof Promise) return result.finally(after) as T
    after()
    return result
  }

  type Method = (...args: unknown[]) => unknown
  type ToName = (self: object, args: readonly unknown[]) => string | undefined
  const wrap = (owner: object, method: string, toName: ToName): void => {
    const original = Reflect.get(owner, method) as Method
    Reflect.set(owner, method, function (this: object, ...args: unknown[]) {
      return around(toName(this, args), () => original.apply(this, args))
    })
  }
  const describePath = (path: unknown): string =>
    String(path)
      .replace(/.*\/(data|backup|restored)\//, '$1/')
      .replaceAll(/[0-9a-z]{16,}/g, '*')
  for (const name of ['link', 'mkdir', 'unlink', 'rm', 'rename', 'writeFile']) {
    wrap(fs.promises, name, (_, [path]) => `${name} ${describePath(path)}`)
  }
  wrap(fs.promises, 'open', (_, [path, flags]) =>
    /[wa]/.test(String(flags)) ? `open ${describePath(path)}` : undefined,
  )
  for (const name of ['mkdirSync', 'rmSync', 'renameSync', 'fsyncSync', 'chmodSync']) {
    wrap(fs, name, (_, [path]) => `${name} ${describePath(path)}`)
  }
  // What DuckDB does besides is in its memory.
  wrap(DuckDBConnection.prototype, 'run', (_, [sql]) => (/^\s*COPY/.test(String(sql)) ? 'duckdb COPY' : undefined))
  const db = new Database(':memory:')
  wrap(Database.prototype, 'exec', (_, [sql]) => `sqlite ${firstWords(sql)}`)
  const toChange = watchTransactions()
  wrap(Object.getPrototypeOf(db.prepare('SELECT 1')) as object, 'run', (self) =>
    toChange(firstWords(Reflect.get(self, 'source'))),
  )
  db.close()
  syncBuiltinESMExports()
  watchHandles(wrap)
}

/** Names the statements that change something; a transaction that only reads has none. */
function watchTransactions(): (statement: string) => string | undefined {
  let isWriting = false
  return (statement) => {
    const wasWriting = isWriting
    if (statement.startsWith('BEGIN')) isWriting = statement !== 'BEGIN DEFERRED'
    else if (/^(?:COMMIT|ROLLBACK)$/.test(statement)) isWriting = false
    return (isWriting || wasWriting || statement.startsWith('VACUUM')) && !/^(?:SAVEPOINT|RELEASE)/.test(statement)
      ? `sqlite ${statement}`
      : undefined
  }
}

/** What changes a file through its handle: the class is only met on a handle. */
function watchHandles(wrap: (owner: object, method: string, toName: () => string) => void): void {
  const { open } = fs.promises
  let isWrapped = false
  fs.promises.open = async (...args) => {
    const handle = await open(...args)
    if (!isWrapped) {
      const prototype = Object.getPrototypeOf(handle) as object
      for (const name of ['sync', 'datasync', 'appendFile', 'truncate']) wrap(prototype, name, () => name)
    }
    isWrapped = true
    return handle
  }
  syncBuiltinESMExports()
}

function firstWords(sql: unknown): string {
  return String(sql).trim().split(/\s+/).slice(0, 4).join(' ')
}

/** For whoever started the process it says so first. */
function standStill(): void {
  fs.writeSync(1, 'stands still\n')
  process.kill(process.pid, 'SIGSTOP')
}

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // The signal needs a moment to arrive; nothing more may be done in it.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
