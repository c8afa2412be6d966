import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../cli/commands.ts'
import { isGroup, type Command, type Group } from '../../cli/command.ts'
import { loadProgram } from '../../cli/help.ts'
import { findCommand, parseArguments } from '../../cli/parse.ts'
import { expectGolden } from '../support/golden.ts'
import { cutHelp, listHelpPages, renderCliReference } from './support/cli-reference.ts'
import { run } from './support/run.ts'

const pages = await listHelpPages()
const program = await loadProgram(COMMANDS)

test('docs/cli.md is what the commands say', async () => {
  expectGolden('docs/cli.md', await renderCliReference())
})

test.each(pages)('answerlake $path --help prints what docs/cli.md says', async ({ path }) => {
  const { stdout } = await run([...path, '--help'])
  expect(stdout).toBe(cutHelp(readFileSync('docs/cli.md', 'utf8'), path))
})

test.each([60, 100, 200])('on a terminal of %d columns no line but examples is longer', async (columns) => {
  for (const { path } of pages) {
    const { stdout } = await run([...path, '--help'], { terminal: columns })
    const [text = ''] = stdout.split('\nEXAMPLES\n')
    expect(text.split('\n').filter((line) => line.length > columns)).toEqual([])
  }
})

test.each([
  [20, 60],
  [1_000, 200],
])('a terminal of %d columns is written to as one of %d', async (columns, taken) => {
  const help = async (terminal: number) => (await run(['import', 'logs', '--help'], { terminal })).stdout
  expect(await help(columns)).toBe(await help(taken))
})

test('a long option stands on a line of its own, its description below, beside the others', async () => {
  const { stdout } = await run(['import', 'logs', '--help'], { terminal: 80 })
  const lines = stdout.split('\n')
  const at = (start: string): string => lines[lines.findIndex((line) => line.startsWith(start))]!
  const column = at('  --site ').indexOf('site id or domain')
  expect(column).toBeLessThan(32)
  expect(at('  --strict').indexOf('import nothing')).toBe(column)
  const serve = (await run(['serve', '--help'], { terminal: 80 })).stdout.split('\n')
  const beside = serve.find((line) => line.startsWith('  --host '))!.indexOf('address to listen on')
  const long = serve.indexOf('  --connections-per-address N')
  expect(serve[long + 1]?.indexOf('connections at once')).toBe(beside)
})

test('what goes to a file is 100 columns wide', async () => {
  const plain = await run(['keys', '--help'])
  expect(plain.stdout).toBe(pages.find(({ path }) => path.join(' ') === 'keys')?.text)
  expect(
    Math.max(
      ...pages.flatMap(({ text }) =>
        text
          .split('\nEXAMPLES\n')[0]!
          .split('\n')
          .map((l) => l.length),
      ),
    ),
  ).toBeLessThanOrEqual(100)
})

describe('every command', () => {
  const listCommands = (path: readonly string[], entry: Command | Group): [string, Command][] =>
    isGroup(entry)
      ? Object.entries(entry.commands).flatMap(([word, child]) => listCommands([...path, word], child))
      : [[path.join(' '), entry]]
  const commands = listCommands([], program)

  test('has examples that begin with its own words', () => {
    const without = commands.filter(([name, { examples }]) => {
      return examples.length === 0 || examples.some((example) => !example.startsWith(name) && !example.startsWith('--'))
    })
    expect(without.map(([name]) => name)).toEqual([])
  })

  test('accepts its examples', async () => {
    for (const [name, command] of commands) {
      for (const example of command.examples.filter((text) => text.startsWith(name))) {
        const words = example.replace(/ [<>] .*$/, '').matchAll(/"([^"]*)"|(\S+)/g)
        const { entry, rest } = await findCommand(
          [...words].map(([, quoted, word]) => quoted ?? word ?? ''),
          COMMANDS,
        )
        expect(entry, example).toBe(command)
        expect(() => parseArguments(command.args, rest), example).not.toThrow()
      }
    }
  })

  test('takes --json, but for the one that prints a script', () => {
    const without = commands.filter(([, { args }]) => !('json' in args))
    expect(without.map(([name]) => name)).toEqual(['completion'])
  })
})
