import { expect, test } from 'vitest'
import { defineCommand, defineGroup } from '../../cli/command.ts'
import { confirmDeletion, YES_FLAG } from '../../cli/confirmation.ts'
import { run, type RunOptions } from './support/run.ts'

const ASKED = 'This deletes 12 answers of bücher.example.\nType bücher.example to go on: '

/** Tells `deleted` when it was confirmed. */
async function askFor(options: RunOptions, ...flags: readonly string[]) {
  const remove = defineCommand({
    summary: 'delete',
    args: YES_FLAG,
    examples: ['sites delete'],
    async run(context) {
      await confirmDeletion(context, {
        isGiven: context.args.yes,
        names: ['bücher.example', 'xn--bcher-kva.example'],
        describe: () => 'This deletes 12 answers of bücher.example.',
      })
      context.io.stdout.write('deleted')
    },
  })
  const sites = defineGroup({ summary: 'sites', commands: { delete: remove }, examples: ['sites delete'] })
  return run(['sites', 'delete', ...flags], { ...options, table: { sites: async () => sites } })
}

test.each(['bücher.example\n', '  xn--bcher-kva.example \r\n', 'bücher.example'])(
  'goes on when %j is typed',
  async (stdin) => {
    expect(await askFor({ terminal: true, stdin })).toEqual({ status: 0, stdout: 'deleted', stderr: ASKED })
  },
)

test.each(['', '\n', 'y\n', 'yes\n', 'bücher\n', 'BÜCHER.EXAMPLE\n', '\nbücher.example\n'])(
  'deletes nothing when %j is typed',
  async (stdin) => {
    expect(await askFor({ terminal: true, stdin })).toEqual({
      status: 1,
      stdout: '',
      stderr: `${ASKED}answerlake: That is not bücher.example. Nothing was deleted.\n`,
    })
  },
)

test('without a terminal deletes nothing, whatever its input says', async () => {
  expect(await askFor({ stdin: 'bücher.example\n' })).toEqual({
    status: 2,
    stdout: '',
    stderr:
      "answerlake: this deletes data of bücher.example, and there is no terminal to ask on; give --yes\nTry 'answerlake sites delete --help'.\n",
  })
})

test.each([true, false])('asks nothing with --yes (on a terminal: %s)', async (terminal) => {
  expect(await askFor({ terminal }, '--yes')).toEqual({ status: 0, stdout: 'deleted', stderr: '' })
})

test('deletes nothing when it is interrupted', async () => {
  const controller = new AbortController()
  controller.abort(new Error('interrupted'))
  expect(await askFor({ terminal: true, stdin: 'bücher.example\n', signal: controller.signal })).toMatchObject({
    status: 1,
    stdout: '',
  })
})
