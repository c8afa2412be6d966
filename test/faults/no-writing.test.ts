import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openApp } from '../../src/app.ts'
import { parseConfig } from '../../src/config.ts'
import { listStray } from './support/inspection.ts'
import { isClear, runProgram } from './support/program.ts'
import { readState } from './support/state.ts'
import { type Dirs, makeWorld, SITE, toDirs } from './support/world.ts'

const NOBODY = 65_534

const importMore = (dirs: Dirs, uid?: number) =>
  runProgram(
    ['import', 'answers', '--site', SITE, join(dirs.inputs, 'more.ndjson'), '--data-dir', dirs.data],
    uid === undefined ? {} : { uid },
  )

function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'answerlake-readonly-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

interface Disk extends Disposable {
  readonly dir: string
  mount(): void
  unmount(): void
  /** The file system then turns itself read-only. */
  fail(): void
}

/** A disk of its own, mounted; undefined where the machine makes none. */
function makeDisk(root: string): Disk | undefined {
  const [image, dir] = [join(root, 'image'), join(root, 'disk')]
  const run = (command: string, ...args: readonly string[]): string =>
    execFileSync(command, args, { stdio: 'pipe', encoding: 'utf8' }).trim()
  const mount = (): void => void run('mount', '-o', 'loop,errors=remount-ro', image, dir)
  mkdirSync(dir)
  writeFileSync(image, '')
  truncateSync(image, 64 * 1_024 * 1_024)
  try {
    run('mkfs.ext4', '-q', '-F', image)
    mount()
  } catch {
    return undefined
  }
  return {
    dir,
    mount,
    unmount: () => void run('umount', dir),
    fail() {
      const device = basename(run('findmnt', '-no', 'SOURCE', dir))
      writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, 'a fault of the disk')
    },
    [Symbol.dispose]: () => void run('umount', '--lazy', dir),
  }
}

/** A world on the disk, and the state that it is in. */
async function makeWorldOn(disk: Disk, root: string) {
  const template = await makeWorld(join(root, 'template'))
  const dirs = toDirs(join(disk.dir, 'world'))
  cpSync(template.root, dirs.root, { recursive: true })
  execFileSync('sync', ['-f', disk.dir])
  return { dirs, before: await readState(dirs.data) }
}

const NO_DISK = 'needs Linux, mkfs.ext4 and the right to mount'

test('on a disk that fails and turns read-only the server goes on answering, writes say why, and nothing is lost', async (context) => {
  const root = makeRoot()
  using disk = makeDisk(root)
  if (!disk) return context.skip(NO_DISK)
  const { dirs, before } = await makeWorldOn(disk, root)
  const config = parseConfig({ dataDir: dirs.data, environment: {} }, {}, 'config.json')
  const server = await openApp(config, { mode: 'server' })
  const request = { site_id: SITE, start_date: '2026-03-01', end_date: '2026-04-30', include: ['text' as const] }
  const answered = await server.reports.answers(SITE, { ...request, limit: 100 })
  disk.fail()
  const ending = await importMore(dirs)
  expect([ending.status, isClear(ending)]).toEqual([1, true])
  expect(() => server.catalog.prompts.setStatus(SITE, ['p1'], 'disabled')).toThrow(
    expect.objectContaining({ code: 'storage_full' }),
  )
  expect((await server.reports.answers(SITE, { ...request, limit: 99 })).data).toEqual(answered.data.slice(0, 99))
  await server[Symbol.asyncDispose]()
  disk.unmount()
  disk.mount()
  expect(await readState(dirs.data)).toEqual(before)
  expect((await importMore(dirs)).status).toBe(0)
})

test('on a disk that is mounted read-only every command says so, and nothing is lost', async (context) => {
  const root = makeRoot()
  using disk = makeDisk(root)
  if (!disk) return context.skip(NO_DISK)
  const { dirs, before } = await makeWorldOn(disk, root)
  execFileSync('mount', ['-o', 'remount,ro', disk.dir])
  const inputs = (name: string): string => join(dirs.inputs, name)
  const commands = [
    ['import', 'answers', '--site', SITE, inputs('more.ndjson')],
    ['lake', 'gc'],
    ['backup', join(root, 'copy')],
    ['keys', 'create', '--name', 'new', '--expires', '30'],
    ['serve', '--port', '0'],
  ]
  const words = expect.stringMatching(/^answerlake: .*: its file system is mounted read-only\. /)
  for (const command of commands) {
    const { status, stderr } = await runProgram([...command, '--data-dir', dirs.data])
    expect([command.join(' '), status, stderr]).toEqual([command.join(' '), 1, words])
  }
  execFileSync('mount', ['-o', 'remount,rw', disk.dir])
  expect(await readState(dirs.data)).toEqual(before)
})

test.for([
  ['the lake', 'lake'],
  ['the catalog', 'catalog.sqlite'],
  ['the data directory', '.'],
] as const)('without the right to write to %s commands say so, and change nothing', async ([, part], context) => {
  if (process.getuid?.() !== 0) return context.skip('needs root')
  const root = makeRoot()
  chmodSync(root, 0o755)
  const dirs = await makeWorld(join(root, 'world'))
  const before = await readState(dirs.data)
  const own = (path: string, uid: number): void => void execFileSync('chown', ['-R', `${uid}`, path])
  own(dirs.root, NOBODY)
  own(join(dirs.data, part), 0)
  const words = expect.stringMatching(/^answerlake: .*permission is denied/)
  for (const command of [
    ['import', 'logs', '--site', SITE, join(dirs.inputs, 'more.log')],
    ['lake', 'compact'],
  ]) {
    const { status, stderr } = await runProgram([...command, '--data-dir', dirs.data], { uid: NOBODY })
    expect([command.join(' '), status, stderr]).toEqual([command.join(' '), 1, words])
  }
  own(dirs.root, 0)
  expect(await readState(dirs.data)).toEqual(before)
  expect(await listStray(dirs.data)).toEqual([])
})

test('a user who may not read the data directory is told so, not that there is no catalog', async (context) => {
  if (process.getuid?.() !== 0) return context.skip('needs root')
  const root = makeRoot()
  chmodSync(root, 0o755)
  const dirs = await makeWorld(join(root, 'world'))
  chmodSync(dirs.root, 0o755)
  const copy = join(root, 'copy')
  for (const command of [
    ['sites', 'list'],
    ['sites', 'create', '--name', 'Other', '--domain', 'other.com'],
    ['lake', 'status'],
    ['keys', 'create', '--name', 'new', '--expires', '30'],
    ['import', 'answers', '--site', SITE, '/dev/null'],
    ['backup', copy],
    ['serve', '--port', '0'],
    ['doctor'],
  ]) {
    for (const [dir, mode] of [
      [dirs.data, 0o700],
      [dirs.data, 0o711],
    ] as const) {
      chmodSync(dir, mode)
      const { status, stdout, stderr } = await runProgram([...command, '--data-dir', dirs.data], { uid: NOBODY })
      expect([command.join(' '), mode, status, `${stdout}${stderr}`]).toEqual([
        command.join(' '),
        mode,
        1,
        expect.stringMatching(/permission (is )?denied/),
      ])
      expect(`${stdout}${stderr}`).not.toMatch(/no catalog|sites create/)
    }
  }
})

test('a user without the right to write is told so, and changes nothing', async (context) => {
  const root = makeRoot()
  chmodSync(root, 0o755)
  const dirs = await makeWorld(join(root, 'world'))
  const isRoot = process.getuid?.() === 0
  const probe = isRoot ? await runProgram(['--version'], { uid: NOBODY }).catch(() => undefined) : undefined
  if (probe?.status !== 0) return context.skip('needs root, and a program that another user may run')
  const before = await readState(dirs.data)
  const ending = await importMore(dirs, NOBODY)
  expect([ending.status, isClear(ending), ending.stderr]).toEqual([
    1,
    true,
    expect.stringMatching(/permission|your|owner|no catalog/i),
  ])
  expect(await readState(dirs.data)).toEqual(before)
})
