import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openApp } from '../../src/app.ts'
import { parseConfig } from '../../src/config.ts'
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

test('on a file system that turns read-only the server goes on answering, writes say why, and nothing is lost', async (context) => {
  const root = makeRoot()
  const template = await makeWorld(join(root, 'template'))
  const dirs = toDirs(join(root, 'disk'))
  mkdirSync(dirs.root)
  const remount = (how: string): void => void execFileSync('mount', ['-o', `remount,${how}`, dirs.root])
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', dirs.root], { stdio: 'pipe' })
  } catch {
    return context.skip('needs Linux and the right to mount')
  }
  try {
    cpSync(template.root, dirs.root, { recursive: true })
    const before = await readState(dirs.data)
    const config = parseConfig({ dataDir: dirs.data, environment: {} }, {}, 'config.json')
    const server = await openApp(config, { mode: 'server' })
    const request = {
      site_id: SITE,
      start_date: '2026-03-01',
      end_date: '2026-04-30',
      limit: 100,
      include: ['text' as const],
    }
    const answered = await server.reports.answers(SITE, request)
    remount('ro')
    const ending = await importMore(dirs)
    expect([ending.status, isClear(ending)]).toEqual([1, true])
    expect(() => server.catalog.prompts.setStatus(SITE, ['p1'], 'disabled')).toThrow(
      expect.objectContaining({ code: 'storage_full' }),
    )
    expect(await server.reports.answers(SITE, { ...request, limit: 99 })).toMatchObject({
      info: { total_results: answered.info.total_results },
    })
    remount('rw')
    expect(await readState(dirs.data)).toEqual(before)
    expect((await importMore(dirs)).status).toBe(0)
    expect((await server.reports.answers(SITE, request)).info.total_results).toBe(answered.info.total_results + 10)
    await server[Symbol.asyncDispose]()
  } finally {
    execFileSync('umount', ['--lazy', dirs.root])
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
