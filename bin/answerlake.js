#!/usr/bin/env node
// First, before anything starts the thread pool: DuckDB's queries occupy its threads, files and DNS need the others.
process.env.UV_THREADPOOL_SIZE = process.env.UV_THREADPOOL_SIZE || '24'

const { spawn } = require('node:child_process')
const { existsSync } = require('node:fs')
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

/** The first version that runs TypeScript sources as they are and loads the native parts. */
const MINIMUM_NODE = [22, 18]

if (isNewEnough(process.versions.node)) start()
else startWithPinnedNode()

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1])
}

function start() {
  if (process.env.ANSWERLAKE_LAUNCHER) dieWithLauncher()
  // A checkout runs its sources, however old a build beside them is; the package has the built program only.
  const source = join(__dirname, '..', 'cli', 'main.ts')
  const isCheckout = existsSync(source)
  // Taking the types out of hundreds of files takes longer than running them.
  if (isCheckout) enableCompileCache(join(__dirname, '..', 'node_modules', '.cache', 'answerlake'))
  void import(pathToFileURL(isCheckout ? source : join(__dirname, '..', 'dist', 'cli.js')).href)
}

/** A launcher that was killed outright must not leave the program behind, holding its port and its locks. */
function dieWithLauncher() {
  const die = () => process.kill(process.pid, 'SIGKILL')
  if (!process.connected) die()
  process.on('disconnect', die)
  process.channel.unref()
  delete process.env.ANSWERLAKE_LAUNCHER
}

/** Runs this file with the Node that the package brings along; signals and the exit status pass through. */
function startWithPinnedNode() {
  const node = findPinnedNode()
  if (!node) {
    return fail(
      `it needs Node ${MINIMUM_NODE.join('.')} or newer and this is Node ${process.versions.node}. ` +
        'Install a newer Node, or run `npm ci` without --omit=optional, so that the package brings its own.',
    )
  }
  const child = spawn(node, [__filename, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ANSWERLAKE_LAUNCHER: '1' },
  })
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']) {
    process.on(signal, () => {
      isStopping = true
      child.kill(signal)
    })
  }
  // As in cli/main.ts: the shell that npx puts in between ends without handing the signal on.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event === 'npx') {
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      if (!isStopping) child.kill('SIGTERM')
    }, 200)
    watch.unref()
  }
  child.on('error', (error) => fail(`${node} cannot be run: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function findPinnedNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  for (const folder of require.resolve.paths('answerlake') || []) {
    for (const prefix of ['node', 'node-bin']) {
      const candidate = join(folder, `${prefix}-${system}-${process.arch}`, 'bin', program)
      if (existsSync(candidate) && candidate !== process.execPath) return candidate
    }
  }
  return undefined
}

function fail(message) {
  process.stderr.write(`answerlake: ${message}\n`)
  process.exitCode = 1
}
