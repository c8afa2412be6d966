import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { makeDirectory } from './support/run.ts'

const LAUNCHER = resolve('bin/answerlake.js')
const OLD_NODE = resolve('test/cli/support/old-node.cjs')

/** Starts the launcher in a Node that takes itself for version 20. */
function startOnOldNode(argv: readonly string[], options: { elsewhere: boolean; preload?: string }): ChildProcess {
  const child = spawn(process.execPath, ['--require', OLD_NODE, LAUNCHER, ...argv], {
    env: {
      ANSWERLAKE_SYSTEM_FILE: '',
      PATH: process.env['PATH'],
      TEST_NODE_ELSEWHERE: options.elsewhere ? '1' : '0',
      ...(options.preload === undefined ? {} : { NODE_OPTIONS: `--import ${options.preload}` }),
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function finish(child: ChildProcess) {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => (stdout += String(chunk)))
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)))
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { status, signal, stdout, stderr }
}

/** A module that keeps the program that loads it busy instead of running it, and says on standard output what happens. */
function writeWaiter(onSignal: string): string {
  const path = join(makeDirectory(), 'waiter.mjs')
  writeFileSync(
    path,
    `if (process.env.ANSWERLAKE_LAUNCHER) {
      process.on('SIGTERM', () => { ${onSignal} })
      process.stdout.write(\`waiting \${process.pid}\\n\`)
      setInterval(() => {}, 1000)
    }`,
  )
  return path
}

async function readWaiterId(child: ChildProcess): Promise<number> {
  const [chunk] = (await once(child.stdout!, 'data')) as [Buffer]
  return Number(/^waiting (\d+)/.exec(chunk.toString())![1])
}

test('an old Node hands over to the Node that the package brings along', async () => {
  const result = await finish(startOnOldNode(['version', '--json'], { elsewhere: true }))
  expect({ ...result, stdout: JSON.parse(result.stdout) }).toMatchObject({
    status: 0,
    stdout: { version: packageJson.version, node: process.versions.node },
    stderr: '',
  })
})

test('the exit status comes through', async () => {
  expect(await finish(startOnOldNode(['frobnicate'], { elsewhere: true }))).toMatchObject({ status: 2, stdout: '' })
})

test('an old Node without another at hand is refused in words', async () => {
  expect(await finish(startOnOldNode(['--version'], { elsewhere: false }))).toEqual({
    status: 1,
    signal: null,
    stdout: '',
    stderr:
      'answerlake: it needs Node 22.18 or newer and this is Node 20.11.0. Install a newer Node, or run `npm ci` ' +
      'without --omit=optional, so that the package brings its own.\n',
  })
})

test('a signal to the launcher reaches the program, whose end is the launcher’s', async () => {
  const graceful = startOnOldNode(['--help'], { elsewhere: true, preload: writeWaiter('process.exit(7)') })
  await readWaiterId(graceful)
  graceful.kill('SIGTERM')
  expect(await once(graceful, 'exit')).toEqual([7, null])

  const died = startOnOldNode(['--help'], { elsewhere: true, preload: writeWaiter('') })
  process.kill(await readWaiterId(died), 'SIGKILL')
  expect(await once(died, 'exit')).toEqual([null, 'SIGKILL'])
})

test('a launcher killed outright takes the program with it', async () => {
  const launcher = startOnOldNode(['--help'], { elsewhere: true, preload: writeWaiter('') })
  await readWaiterId(launcher)
  const isOutputClosed = once(launcher.stdout!.resume(), 'close').then(() => true)
  launcher.kill('SIGKILL')
  // The program holds the other end of the launcher's standard output: the pipe closes only when it is gone.
  expect(await isOutputClosed).toBe(true)
})

test.skipIf(process.platform === 'win32').each([
  ['the pinned Node', ''],
  ['an old Node', `--require '${OLD_NODE}'`],
])('a server that npx started on %s ends when the shell between them does', async (_, flags) => {
  const directory = makeDirectory()
  const shell = spawn('/bin/sh', ['-c', `'${process.execPath}' ${flags} '${LAUNCHER}' serve --port 0; :`], {
    cwd: directory,
    env: {
      ANSWERLAKE_SYSTEM_FILE: '',
      PATH: process.env['PATH'],
      npm_lifecycle_event: 'npx',
      TEST_NODE_ELSEWHERE: '1',
    },
  })
  const isClosed = once(shell.stderr, 'close').then(() => 'gone')
  await expect.poll(() => existsSync(join(directory, 'answerlake-data', 'locks')), { timeout: 20_000 }).toBe(true)
  shell.stderr.resume()
  shell.kill('SIGTERM')
  // The server holds the other end of the pipe; npm itself waits no longer than the shell.
  expect(await isClosed).toBe('gone')
})

test('the thread pool has room beside the queries, unless the operator sets its size', async () => {
  const show = join(makeDirectory(), 'show.mjs')
  writeFileSync(show, 'process.on("exit", () => process.stderr.write(process.env.UV_THREADPOOL_SIZE))')
  for (const [given, size] of [
    [undefined, '24'],
    ['9', '9'],
  ] as const) {
    const child = spawn(process.execPath, ['--import', show, LAUNCHER, '--version'], {
      env: {
        ANSWERLAKE_SYSTEM_FILE: '',
        PATH: process.env['PATH'],
        ...(given === undefined ? {} : { UV_THREADPOOL_SIZE: given }),
      },
    })
    expect(await finish(child)).toMatchObject({ status: 0, stderr: size })
  }
})

test('a program that runs out of events before its work is done says so and exits 1', async () => {
  const unref = join(makeDirectory(), 'unref.mjs')
  writeFileSync(unref, 'process.stdin.unref()')
  const child = spawn(process.execPath, ['--import', unref, LAUNCHER, 'sites', 'page-types', 'acme.com', '-'], {
    env: { ANSWERLAKE_SYSTEM_FILE: '', PATH: process.env['PATH'] },
  })
  expect(await finish(child)).toEqual({
    status: 1,
    signal: null,
    stdout: '',
    stderr: 'answerlake: it ended before its work was done; please report this\n',
  })
})
