import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'

const MODULE = resolve(import.meta.dirname, '../../bin/executable/private-dir.mts')
const OWN_GROUP = process.getgid?.() ?? 0
/** One that a directory of this user can be given. */
const OTHER_GROUP =
  process.getuid?.() === 0 ? 65_534 : process.getgroups?.().find((gid) => gid !== OWN_GROUP && gid !== 0)

let dir: string

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'answerlake-private-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
})

/** A directory with the cache's possible place `cache` in it. */
function makeAbove(mode: number, gid: number): string {
  const path = join(dir, 'above')
  mkdirSync(join(path, 'cache'), { recursive: true, mode: 0o700 })
  chownSync(path, process.getuid?.() ?? 0, gid)
  chmodSync(path, mode)
  return join(path, 'cache')
}

/** Where a process with this environment makes its private directory; else what it says. */
function openIn(env: Readonly<Record<string, string>>): string {
  const script = `
    const { openPrivateDir } = await import(process.argv[1])
    try { console.log(openPrivateDir('parts')) } catch (error) { console.log(error.message) }`
  const argv = ['--input-type=module', '-e', script, MODULE, '--data-dir', join(dir, 'data')]
  const { stdout, stderr } = spawnSync(process.execPath, argv, {
    cwd: dir,
    env: { ANSWERLAKE_SYSTEM_FILE: '', ...env },
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return stdout.trim().replaceAll(dir, 'DIR')
}

const BESIDE_DATA = 'DIR/data-cache/parts'

describe.skipIf(process.platform === 'win32')('the private directory', () => {
  test('is in the cache of the user, else beside the data directory', () => {
    expect(openIn({ XDG_CACHE_HOME: join(dir, 'xdg'), HOME: dir })).toBe('DIR/xdg/answerlake/parts')
    expect(openIn({ HOME: dir })).toBe('DIR/.cache/answerlake/parts')
    expect(openIn({})).toBe(BESIDE_DATA)
  })

  test.each(['cache', './cache', '.'])('is never where the relative path %s leads', (path) => {
    expect(openIn({ XDG_CACHE_HOME: path })).toBe(BESIDE_DATA)
    expect(openIn({ HOME: path })).toBe(BESIDE_DATA)
    expect(readdirSync(dir)).toEqual(['data-cache'])
  })

  test.each([
    ['this user alone may write', 0o755],
    ['the user’s own group may write too', 0o775],
    ['all may write but not take from each other', 0o1777],
  ])('is in a cache below a directory that %s', (_, mode) => {
    expect(openIn({ XDG_CACHE_HOME: makeAbove(mode, OWN_GROUP) })).toBe('DIR/above/cache/answerlake/parts')
  })

  test('is never below a directory that all may write', () => {
    expect(openIn({ XDG_CACHE_HOME: makeAbove(0o777, OWN_GROUP) })).toBe(BESIDE_DATA)
  })

  describe.skipIf(OTHER_GROUP === undefined)('below a directory of another group', () => {
    test('is not, when that group may write it', () => {
      expect(openIn({ XDG_CACHE_HOME: makeAbove(0o775, OTHER_GROUP!) })).toBe(BESIDE_DATA)
    })

    test.each([0o755, 0o1775])('is, when its mode is %o', (mode) => {
      expect(openIn({ XDG_CACHE_HOME: makeAbove(mode, OTHER_GROUP!) })).toBe('DIR/above/cache/answerlake/parts')
    })
  })

  test('is nowhere when no place will do, and each is told with its reason', () => {
    const above = makeAbove(0o777, OWN_GROUP)
    chmodSync(dir, 0o777)
    expect(openIn({ XDG_CACHE_HOME: above, HOME: 'here' }).split('\n')).toEqual([
      'its native parts have to be unpacked once, and there is no private directory for them. Set XDG_CACHE_HOME to a directory that only this user can write. Tried were:',
      '  DIR/above/cache/answerlake: everyone can write DIR/above',
      '  here/.cache/answerlake: is no absolute path',
      '  DIR/data-cache: everyone can write DIR',
      '  DIR/data/cache: everyone can write DIR',
    ])
  })
})
