import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { expectDashboard, readUrl } from '../support/served-dashboard.ts'

/** The single executable; without it (`npm run test:exe`) there is nothing to try here. */
const BUILT = process.env['ANSWERLAKE_EXE']
const IS_LINUX = process.platform === 'linux'
const IS_ROOT = process.getuid?.() === 0
/** Root may do anything anywhere; rights are tried as the account that has none. */
const ACCOUNT = IS_ROOT ? { uid: 65_534, gid: 65_534 } : {}

let top: string
let executable: string
let dir: string

beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), 'answerlake-exe-'))
  chmodSync(top, 0o755)
  executable = join(top, 'answerlake')
  if (BUILT !== undefined) linkOrCopy(resolve(BUILT), executable)
})

afterAll(() => rmSync(top, { recursive: true, force: true }))

beforeEach(() => {
  dir = makeDirectory('here')
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
})

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

/** A directory that belongs to the account of these tests. */
function makeDirectory(name: string): string {
  const path = dir !== undefined && name !== 'here' ? join(dir, name) : mkdtempSync(join(top, 'case-'))
  mkdirSync(path, { recursive: true })
  if (ACCOUNT.uid !== undefined) chownSync(path, ACCOUNT.uid, ACCOUNT.gid)
  return path
}

function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = dir) {
  const { status, stdout, stderr } = spawnSync(executable, argv, { cwd, env, encoding: 'utf8', ...ACCOUNT })
  return { status, stdout, stderr }
}

const VERSIONS = { status: 0, stdout: expect.stringContaining(`answerlake ${packageJson.version}`), stderr: '' }

describe.skipIf(BUILT === undefined || !IS_LINUX)('the executable on Linux, without rights', () => {
  test('needs no environment: the cache comes beside the data directory', () => {
    expect(run(['orgs', 'create', '--name', 'A', '--data-dir', 'data'])).toMatchObject({ status: 0, stderr: '' })
    expect(run(['--version', '--data-dir', 'data'])).toMatchObject(VERSIONS)
    expect(readdirSync(dir).toSorted()).toEqual(['data', 'data-cache'])
    expect(readdirSync(join(dir, 'data-cache')).map((name) => name.replace(/-[0-9a-f]{32}$/, ''))).toEqual([
      'duckdb',
      'sqlite',
    ])
    expect(lstatSync(join(dir, 'data-cache')).mode & 0o777).toBe(0o700)
  })

  test('serves from a read-only directory and writes to its data and cache directories only', async () => {
    const home = makeDirectory('home')
    const data = makeDirectory('data')
    const here = makeDirectory('read-only')
    chmodSync(here, 0o555)
    const child = spawn(executable, ['serve', '--port', '0', '--data-dir', data], {
      cwd: here,
      env: { HOME: home },
      ...ACCOUNT,
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const url = await readUrl(child)
    const response = await fetch(`${url}/readyz`)
    expect([response.status, await response.text()]).toEqual([200, 'ready\n'])
    await expectDashboard(url)
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([0, null])
    expect(readdirSync(here)).toEqual([])
    expect(readdirSync(home)).toEqual(['.cache'])
  })

  test('passes over a home that cannot be written', () => {
    const home = makeDirectory('home')
    chmodSync(home, 0o555)
    expect(run(['--version'], { HOME: home })).toMatchObject(VERSIONS)
    expect(readdirSync(home)).toEqual([])
    expect(existsSync(join(dir, 'answerlake-data-cache'))).toBe(true)
  })

  test('says where it tried when there is no place for a cache', () => {
    chmodSync(dir, 0o555)
    const { status, stdout, stderr } = run(['--version'], { HOME: '/nonexistent' })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr.replaceAll(dir, 'DIR')).toMatch(
      /^answerlake: its native parts have to be unpacked once, .* Set XDG_CACHE_HOME to .*:\n {2}\/nonexistent\/.*\n {2}DIR\/answerlake-data-cache: .*\n {2}DIR\/answerlake-data\/cache: .*\n$/,
    )
  })

  test('passes over a cache that others may write, and one in a directory that all may write', () => {
    const writable = makeDirectory('writable')
    mkdirSync(join(writable, 'answerlake'))
    chmodSync(join(writable, 'answerlake'), 0o777)
    const open = makeDirectory('open')
    chmodSync(open, 0o777)
    for (const place of [writable, open]) {
      expect(run(['--version', '--data-dir', 'data'], { XDG_CACHE_HOME: place }), place).toMatchObject(VERSIONS)
      expect(existsSync(join(dir, 'data-cache')), place).toBe(true)
      rmSync(join(dir, 'data-cache'), { recursive: true })
    }
    expect(readdirSync(join(writable, 'answerlake'))).toEqual([])
    expect(readdirSync(open)).toEqual([])
  })

  test('replaces libraries that are not the ones it carries, whatever stands in their place', () => {
    const cache = makeDirectory('cache')
    const env = { XDG_CACHE_HOME: cache }
    expect(run(['--version'], env)).toMatchObject(VERSIONS)
    const files = readdirSync(cache, { recursive: true, encoding: 'utf8' })
      .map((name) => join(cache, name))
      .filter((path) => /\.(node|so)$/.test(path))
    const [sqlite, duckdb, library] = ['better_sqlite3.node', 'duckdb.node', 'libduckdb.so'].map((name) =>
      files.find((path) => path.endsWith(name))!,
    )
    const before = files.map((path) => readFileSync(path).toString('base64'))
    chmodSync(library!, 0o700)
    appendFileSync(library!, 'more')
    writeFileSync(join(dir, 'elsewhere'), readFileSync(duckdb!))
    rmSync(duckdb!)
    symlinkSync(join(dir, 'elsewhere'), duckdb!)
    chmodSync(sqlite!, 0o777)
    expect(run(['--version'], env)).toMatchObject(VERSIONS)
    expect(files.map((path) => readFileSync(path).toString('base64')).every((text, i) => text === before[i])).toBe(true)
    expect(files.map((path) => [lstatSync(path).isFile(), lstatSync(path).mode & 0o777])).toEqual(
      files.map(() => [true, 0o500]),
    )
  })

  test('unpacks whole when many start at once', async () => {
    const env = { XDG_CACHE_HOME: makeDirectory('cache') }
    const started = Array.from({ length: 4 }, async () => {
      const child = spawn(executable, ['--version'], { cwd: dir, env, stdio: 'ignore', ...ACCOUNT })
      return once(child, 'close')
    })
    expect(await Promise.all(started)).toEqual(started.map(() => [0, null]))
    expect(readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(node|so)./.test(name))).toEqual(
      [],
    )
  })

  test('needs only the C and the C++ library of the system', () => {
    const needed = execFileSync('ldd', [executable], { encoding: 'utf8' })
    expect([...needed.matchAll(/^\s*(?:\S*\/)?([a-z+_-]+)/gm)].map(([, name]) => name).toSorted()).toEqual(
      ['ld-linux-x', 'libc', 'libdl', 'libgcc_s', 'libm', 'libpthread', 'libstdc++', 'linux-vdso'].toSorted(),
    )
  })
})

describe.skipIf(BUILT === undefined || !IS_LINUX || !IS_ROOT)('the executable where only root can try it', () => {
  test('runs where there is nothing but it and the libraries it is linked to', () => {
    const root = makeDirectory('root')
    mkdirSync(join(root, 'data'))
    linkOrCopy(executable, join(root, 'answerlake'))
    for (const [path] of execFileSync('ldd', [executable], { encoding: 'utf8' }).matchAll(/\/\S+/g)) {
      if (path === executable) continue
      mkdirSync(dirname(join(root, path)), { recursive: true })
      copyFileSync(path, join(root, path))
    }
    const runInside = (...argv: readonly string[]) => {
      const words = [root, '/answerlake', ...argv, '--data-dir', '/data/lake']
      const { status, stdout, stderr } = spawnSync('chroot', words, {
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
        encoding: 'utf8',
      })
      return { status, stdout, stderr }
    }
    expect(runInside('--version')).toMatchObject(VERSIONS)
    expect(runInside('orgs', 'create', '--name', 'A')).toMatchObject({ status: 0, stderr: '' })
    expect(runInside('doctor')).toMatchObject({ status: 0, stderr: '' })
  })

  test('tells what to do when the cache is on a file system that nothing can be run from', ({ skip }) => {
    const cache = makeDirectory('cache')
    skip(!mountWithoutPrograms(cache), 'this machine makes no mounts')
    expect(runAsRoot(['--version'], cache)).toEqual(NOT_LOADED)
  })

  test('a server that cannot load DuckDB ends with the reason', ({ skip }) => {
    const cache = makeDirectory('cache')
    expect(runAsRoot(['--version'], cache)).toMatchObject({ status: 0 })
    const library = readdirSync(join(cache, 'answerlake')).find((name) => name.startsWith('duckdb-'))!
    skip(!mountWithoutPrograms(join(cache, 'answerlake', library)), 'this machine makes no mounts')
    const { stderr, ...ended } = runAsRoot(['serve', '--port', '0'], cache)
    expect({ ...ended, stderr: stderr.replace(/^listening on \S+\n/, '') }).toEqual(NOT_LOADED)
  })
})

const NOT_LOADED = {
  status: 1,
  stdout: '',
  stderr: expect.stringMatching(/^answerlake: a native library cannot be loaded; .*noexec \(.*\)\n$/),
}

function mountWithoutPrograms(path: string): boolean {
  onTestFinished(() => void spawnSync('umount', [path]))
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'noexec,mode=700', 'tmpfs', path]).status === 0
}

function runAsRoot(argv: readonly string[], cache: string) {
  const env = { XDG_CACHE_HOME: cache }
  const { status, stdout, stderr } = spawnSync(executable, argv, { cwd: dir, env, encoding: 'utf8', timeout: 60_000 })
  return { status, stdout, stderr }
}
