import { expect, test } from 'vitest'
import { defineCommand, defineGroup, type Context, type Loader, type Outcome } from '../../cli/command.ts'
import { Interruption } from '../../cli/run.ts'
import { ApiError, CommandError, UsageError } from '../../src/errors.ts'
import { run } from './support/run.ts'
import { WriteConflictError } from '../../src/catalog/write-conflict.ts'

const command = (work: (context: Context) => Promise<Outcome | void>): Record<string, Loader> => {
  const keys = defineGroup({
    summary: 'keys',
    commands: { create: defineCommand({ summary: 'make one', args: {}, examples: ['keys create'], run: work }) },
    examples: ['keys create'],
  })
  return { keys: async () => keys }
}
const failing = (error: unknown) =>
  command(async () => {
    throw error
  })
const create = ['keys', 'create']

test('a command that is done exits 0, one with rejected records 3', async () => {
  expect(await run(create, { table: command(async () => {}) })).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(await run(create, { table: command(async () => 3) })).toEqual({ status: 3, stdout: '', stderr: '' })
})

test('wrong usage exits 2 with one line and a hint on standard error', async () => {
  expect(await run(create, { table: failing(new UsageError('--name is odd')) })).toEqual({
    status: 2,
    stdout: '',
    stderr: "answerlake: --name is odd\nTry 'answerlake keys create --help'.\n",
  })
  expect(await run(['keys'], { table: command(async () => {}) })).toEqual({
    status: 2,
    stdout: '',
    stderr: "answerlake: keys needs one of: create\nTry 'answerlake keys --help'.\n",
  })
  expect(await run(['--json'], { table: command(async () => {}) })).toEqual({
    status: 2,
    stdout: '',
    stderr: "answerlake: a command is missing\nTry 'answerlake --help'.\n",
  })
})

test('refused and failed work exits 1 with a message, every fault of a request listed', async () => {
  expect(await run(create, { table: failing(new CommandError('There is no site "x".')) })).toEqual({
    status: 1,
    stdout: '',
    stderr: 'answerlake: There is no site "x".\n',
  })
  const details = [{ path: 'prompts.3.category', message: 'Use one of the categories.' }]
  expect(
    await run(create, { table: failing(new ApiError('invalid_request', 'Correct the faults.', { details })) }),
  ).toEqual({
    status: 1,
    stdout: '',
    stderr: 'answerlake: Correct the faults.\n  prompts.3.category: Use one of the categories.\n',
  })
})

test('a mishap of the system is told in words', async () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write '/data/x'"), { code: 'ENOSPC' })
  expect(await run(create, { table: failing(full) })).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'answerlake: no space is left on the disk; free some (`answerlake lake gc --grace 0` deletes files that were replaced) and run the command again ' +
      "(ENOSPC: no space left on device, write '/data/x')\n",
  })
})

test('a conflict with another process is told as that', async () => {
  const conflict = new WriteConflictError('The brand "Globex" was added by another process during the import.')
  expect(await run(create, { table: failing(conflict) })).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'answerlake: The brand "Globex" was added by another process during the import. Nothing was changed; run the command again.\n',
  })
})

test('an unexpected failure exits 1 and names where it came from', async () => {
  const result = await run(create, { table: failing(new TypeError('x is undefined')) })
  expect(result.status).toBe(1)
  expect(result.stderr).toMatch(/^answerlake: unexpected failure: TypeError: x is undefined\n +at /)
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('work stopped by %s exits %d, whatever it threw', async (name, status) => {
  const controller = new AbortController()
  const table = command(async ({ signal }) => {
    controller.abort(new Interruption(name))
    signal.throwIfAborted()
  })
  expect(await run(create, { table, signal: controller.signal })).toEqual({
    status,
    stdout: '',
    stderr: `answerlake: stopped by ${name}; what was not finished is undone\n`,
  })
})

test('a command that a signal only asked to end exits 0', async () => {
  const controller = new AbortController()
  const table = command(async () => controller.abort(new Interruption('SIGTERM')))
  expect(await run(create, { table, signal: controller.signal })).toMatchObject({ status: 0 })
})

test('the data directory comes from the flag, then the environment, then the default', async () => {
  const seen: string[] = []
  const table = command(async ({ dataDir }) => void seen.push(dataDir))
  const environment = { ANSWERLAKE_DATA_DIR: '/srv/lake' }
  await run(['--data-dir', '/a', ...create], { table, environment })
  await run([...create, '--data-dir=/b'], { table, environment })
  await run(create, { table, environment })
  await run(create, { table, environment: { ANSWERLAKE_DATA_DIR: '' } })
  expect(seen).toEqual(['/a', '/b', '/srv/lake', './answerlake-data'])
})

test('help is asked for in every usual way, before anything else is checked', async () => {
  const table = command(async () => {
    throw new Error('it ran')
  })
  const expected = await run([...create, '--help'], { table })
  expect(expected.status).toBe(0)
  expect(expected.stdout).toContain('answerlake keys create')
  expect(await run([...create, '-h', '--unknown'], { table })).toEqual(expected)
  expect(await run(['--help', ...create], { table })).toEqual(expected)
  expect(await run(['help', ...create], { table })).toEqual(expected)
})

test('no words at all show the help of the program', async () => {
  const result = await run([], { table: command(async () => {}) })
  expect(result).toMatchObject({ status: 0, stderr: '' })
  expect(result.stdout).toContain('USAGE answerlake COMMAND')
})
