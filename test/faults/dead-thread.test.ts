import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LOG_PARALLEL_BYTES_MIN } from '../../src/log-limits.ts'
import { hits } from '../import-logs/support/log-site.ts'
import { listStray } from './support/inspection.ts'
import { runProgram } from './support/program.ts'
import { readState } from './support/state.ts'
import { makeWorld, SITE } from './support/world.ts'

/** Ends every thread but the first when it is given something to do. */
const DYING = `
import { isMainThread, parentPort } from 'node:worker_threads'
if (!isMainThread) parentPort.on('message', () => process.exit(0))
`

test.skipIf(availableParallelism() < 2)(
  'an import whose threads die while it waits for them fails, keeps nothing, and can be repeated',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'answerlake-thread-'))
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const dirs = await makeWorld(join(root, 'world'))
    const before = await readState(dirs.data)
    const dying = join(root, 'dying.mjs')
    writeFileSync(dying, DYING)
    const lines = hits(1, 10_000)
    const times = Math.ceil((2 * LOG_PARALLEL_BYTES_MIN) / lines.length)
    const log = join(root, 'access.log')
    writeFileSync(log, lines.repeat(times))
    const command = ['import', 'logs', '--site', SITE, log, '--json', '--data-dir', dirs.data]

    const failed = await runProgram(command, { environment: { NODE_OPTIONS: `--import=${dying}` } })
    expect(failed).toMatchObject({ status: 1, stdout: '' })
    expect(failed.stderr).toContain('a thread that reads log lines stopped')
    expect(await readState(dirs.data)).toEqual(before)
    expect(await listStray(dirs.data)).toEqual([])

    const { status, stdout } = await runProgram(command)
    const total = times * 10_000
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { lines: total, bot_hits: total, already_imported: 0 }])
  },
)
