import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BALLAST_BYTES } from '../../src/limits.ts'
import { runProgram } from './support/program.ts'

const MIB = 1_024 * 1_024

/** A disk of so many bytes; undefined where none can be mounted. */
function makeDisk(root: string, bytes: number): string | undefined {
  const dir = join(root, 'disk')
  mkdirSync(dir)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', dir], { stdio: 'pipe' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', dir]))
  return dir
}

function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'answerlake-small-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

/** A data directory with three imports merged into one, so that the files of the three are kept for an hour. */
async function makeData(disk: string, root: string): Promise<string> {
  const data = join(disk, 'data')
  const done = async (...argv: string[]): Promise<void> => {
    const { status, stderr } = await runProgram([...argv, '--data-dir', data])
    expect([argv.slice(0, 2), status, stderr.includes('answerlake:')]).toEqual([argv.slice(0, 2), 0, false])
  }
  await done('sites', 'create', '--name', 'Acme', '--domain', 'acme.com', '--id', 'acme')
  for (const day of ['2026-10-01', '2026-10-02', '2026-10-03']) {
    const file = join(root, `${day}.ndjson`)
    const lines = Array.from({ length: 30 }, () => {
      const text = `Acme ${randomBytes(3_000).toString('base64')}`
      return `${JSON.stringify({ date: day, platform: 'chatgpt', prompt: 'best tool', text })}\n`
    })
    writeFileSync(file, lines.join(''))
    await done('import', 'answers', '--site', 'acme', '--create-prompts', file)
  }
  await done('lake', 'compact')
  return data
}

function fill(disk: string): void {
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize, 1))
}

/** The address of a server that has started, which is then ended; what it said when it did not start. */
async function tryServe(data: string): Promise<string> {
  const child = spawn(process.execPath, [resolve('bin/answerlake.js'), 'serve', '--port', '0', '--data-dir', data])
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  for await (const chunk of child.stderr) if ((said += String(chunk)).includes('listening on')) break
  child.stderr.resume()
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
  return said
}

test('a full small disk is read, backed up to another one, and freed by lake gc --grace 0', async (context) => {
  const root = makeRoot()
  const disk = makeDisk(root, 8 * MIB)
  if (disk === undefined) return context.skip('needs Linux and the right to mount')
  const data = await makeData(disk, root)
  expect(existsSync(join(data, 'ballast'))).toBe(false)
  fill(disk)
  const run = (...argv: string[]) => runProgram([...argv, '--data-dir', data])

  for (const argv of [
    ['sites', 'list'],
    ['prompts', 'list', '--site', 'acme'],
    ['keys', 'list'],
    ['lake', 'status'],
    ['lake', 'verify'],
    ['backup', join(root, 'backup')],
  ]) {
    expect([argv, await run(...argv)]).toEqual([argv, expect.objectContaining({ status: 0, stderr: '' })])
  }
  const restored = join(root, 'restored')
  expect(await runProgram(['restore', join(root, 'backup'), '--data-dir', restored])).toMatchObject({ status: 0 })
  expect(await runProgram(['lake', 'verify', '--data-dir', restored])).toMatchObject({ status: 0 })

  const gc = expect.stringContaining('answerlake lake gc --grace 0') as string
  expect(await run('keys', 'create', '--name', 'new', '--expires', '30')).toMatchObject({ status: 1, stderr: gc })
  expect(await run('doctor')).toMatchObject({ status: 1, stdout: gc })
  expect(await tryServe(data)).toEqual(gc)

  const collected = await run('lake', 'gc', '--grace', '0')
  expect([collected.status, collected.stderr, collected.stdout]).toEqual([
    0,
    '',
    expect.stringMatching(/^[69] replaced files \(.*\) deleted, 0 /),
  ])
  expect(await run('lake', 'verify')).toMatchObject({ status: 0 })
  expect(await run('keys', 'create', '--name', 'new', '--expires', '30')).toMatchObject({ status: 0 })
  expect(await tryServe(data)).toContain('listening on')
})

test('a small disk has its ballast too, and a server starts on it when the disk is full', async (context) => {
  const root = makeRoot()
  const disk = makeDisk(root, 48 * MIB)
  if (disk === undefined) return context.skip('needs Linux and the right to mount')
  const data = await makeData(disk, root)
  expect(statSync(join(data, 'ballast')).size).toBe(BALLAST_BYTES)
  fill(disk)
  expect(await tryServe(data)).toContain('listening on')
})
