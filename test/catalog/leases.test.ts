import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LEASE_STUCK_MS } from '../../src/limits.ts'
import type { HolderTask } from './support/lease-holder.ts'
import { openTestCatalog } from './support/test-catalog.ts'

const HOLDER = fileURLToPath(new URL('./support/lease-holder.ts', import.meta.url))

/** A process that holds the lease `l`, once it has said so. */
async function startHolder(task: HolderTask) {
  const child = spawn(process.execPath, [HOLDER, JSON.stringify(task)], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value ?? 'null')
  const { token, childPid } = await next()
  return { child, token: token as string, childPid: childPid as number | undefined, next }
}

async function runHolder(task: HolderTask): Promise<string> {
  return (await promisify(execFile)(process.execPath, [HOLDER, JSON.stringify(task)])).stdout
}

const lockNames = (path: string): string[] => readdirSync(join(dirname(path), 'locks')).sort()

describe('a lease', () => {
  test('is held by one at a time, in the same process too', async () => {
    const { catalog, openAgain } = openTestCatalog()
    const lease = await catalog.leases.acquire('l')
    expect([catalog.leases.tryAcquire('l'), openAgain().leases.tryAcquire('l')]).toEqual([undefined, undefined])
    expect(catalog.leases.tryAcquire('another')?.token).not.toBe(lease.token)
    lease.release()
    const next = openAgain().leases.tryAcquire('l')
    expect(next?.token).toMatch(/^[0-9a-z]{16}$/)
    expect(() => next?.assertHeld()).not.toThrow()
    expect(() => lease.assertHeld()).toThrow('another one took over')
  })

  test('keeps many processes apart: no addition to a common number is lost', async () => {
    const { path } = openTestCatalog()
    const counter = join(dirname(path), 'counter')
    writeFileSync(counter, '0')
    const tasks = Array.from({ length: 6 }, () => runHolder({ path, act: 'count', counter, rounds: 10 }))
    await Promise.all(tasks)
    expect(readFileSync(counter, 'utf8')).toBe('60')
    expect(lockNames(path)).toEqual([])
  })

  test.each([
    ['alone', false],
    ['while a process that it started lives on', true],
  ])('is free at once when its holder is killed, %s', async (_, withChild) => {
    const { catalog, path } = openTestCatalog()
    const holder = await startHolder({ path, act: 'hold', withChild })
    onTestFinished(() => void (holder.childPid && process.kill(holder.childPid, 'SIGKILL')))
    expect([...catalog.leases.listHeld()]).toEqual([holder.token])
    expect(catalog.leases.tryAcquire('l')).toBeUndefined()
    const told: string[] = []
    const waiting = catalog.leases.acquire('l', { onWait: () => told.push('waits') })
    holder.child.kill('SIGKILL')
    await once(holder.child, 'exit')
    const startedMs = performance.now()
    const lease = await waiting
    expect(performance.now() - startedMs).toBeLessThan(2_000)
    expect(told).toEqual(['waits'])
    expect([...catalog.leases.listHeld()]).toEqual([lease.token])
    expect(lockNames(path)).toEqual([`${lease.token}.lock`])
  })

  test('passes over a holder that is stopped, and that one can commit nothing any more', async () => {
    const { catalog, path } = openTestCatalog()
    const holder = await startHolder({ path, act: 'hold' })
    holder.child.kill('SIGSTOP')
    const startedMs = performance.now()
    const lease = await catalog.leases.acquire('l')
    expect(performance.now() - startedMs).toBeLessThan(LEASE_STUCK_MS + 5_000)
    holder.child.kill('SIGCONT')
    holder.child.stdin.write('go on\n')
    expect(await holder.next()).toEqual({ held: false })
    await once(holder.child, 'exit')
    expect(() => lease.assertHeld()).not.toThrow()
    expect([...catalog.leases.listHeld()]).toEqual([lease.token])
  })

  test('is not taken from a holder that works on for longer than one may be stuck', async () => {
    const { catalog, path } = openTestCatalog()
    const holder = await startHolder({ path, act: 'hold' })
    const patience = AbortSignal.timeout(LEASE_STUCK_MS + 3_000)
    await expect(catalog.leases.acquire('l', { signal: patience })).rejects.toThrow(/abort/i)
    holder.child.stdin.write('go on\n')
    expect(await holder.next()).toEqual({ held: true })
  })

  test('lets nobody take over while its holder does what must not be done twice', async () => {
    const { catalog, path, openAgain } = openTestCatalog()
    const lease = await catalog.leases.acquire('l')
    const other = openAgain('server')
    const takeOver = (): unknown => {
      rmSync(join(dirname(path), 'locks', `${lease.token}.lock`))
      return other.leases.tryAcquire('l')
    }
    lease.whileHeld(() => expect(takeOver).toThrow(expect.objectContaining({ code: 'overloaded' })))
    expect(other.leases.tryAcquire('l')).toBeDefined()
    let isDone = false
    expect(() => lease.whileHeld(() => (isDone = true))).toThrow('another one took over')
    expect(isDone).toBe(false)
  })

  test('leaves nothing behind when the waiting for it is given up', async () => {
    const { catalog, path } = openTestCatalog()
    const lease = await catalog.leases.acquire('l')
    const stop = new AbortController()
    const waiting = catalog.leases.acquire('l', { signal: stop.signal, onWait: () => stop.abort() })
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    expect(lockNames(path)).toEqual([`${lease.token}.lock`])
    lease.release()
    expect([catalog.leases.listHeld().size, lockNames(path)]).toEqual([0, []])
  })
})

describe('sweep', () => {
  test('forgets the dead and their files, never the living', async () => {
    const { catalog, path } = openTestCatalog()
    const holder = await startHolder({ path, act: 'hold' })
    const lease = await catalog.leases.acquire('mine')
    const presence = catalog.leases.enter()
    expect(catalog.leases.sweep()).toBe(0)
    holder.child.kill('SIGKILL')
    await once(holder.child, 'exit')
    expect([catalog.leases.isAlive(holder.token), catalog.leases.isAlive(presence.token)]).toEqual([false, true])
    expect(catalog.leases.sweep()).toBe(1)
    expect(lockNames(path)).toEqual([`${lease.token}.lock`, `${presence.token}.lock`].sort())
    expect(() => lease.assertHeld()).not.toThrow()
    presence.leave()
    expect(catalog.leases.isAlive(presence.token)).toBe(false)
  })

  test('never takes a process for dead that has just come', async () => {
    const { path } = openTestCatalog()
    const seen = await Promise.all(Array.from({ length: 4 }, () => runHolder({ path, act: 'appear', rounds: 50 })))
    expect(seen.map((line) => JSON.parse(line) as unknown)).toEqual(Array.from({ length: 4 }, () => ({ gone: 0 })))
  })
})
