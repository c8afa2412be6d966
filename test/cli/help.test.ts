import { parseArgs, type ArgsDef } from 'citty'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { program } from '../../cli/commands.ts'
import { loadSubCommands, type Command } from '../../cli/command.ts'
import { findCommand, readValues, toStrictArguments } from '../../cli/parse.ts'
import { expectGolden } from '../support/golden.ts'
import { cutHelp, listHelpPages, renderCliReference } from './support/cli-reference.ts'
import { run } from './support/run.ts'

const pages = await listHelpPages()

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

/** Some text for each form of a flag. */
const FORMED = ['acme.com', '2026-11-20', '7', '90s', 'path=url']

describe('every command', () => {
  const commands: [string, Command][] = []
  const visit = async (path: readonly string[], command: Command): Promise<void> => {
    if (command.subCommands === undefined) commands.push([path.join(' '), command])
    for (const [word, child] of await loadSubCommands(command)) await visit([...path, word], child)
  }
  beforeAll(() => visit([], program))

  test('has examples that begin with its own words', () => {
    const without = commands.filter(
      ([
        name,
        {
          meta: { examples },
        },
      ]) => {
        return (
          examples.length === 0 || examples.some((example) => !example.startsWith(name) && !example.startsWith('--'))
        )
      },
    )
    expect(without.map(([name]) => name)).toEqual([])
  })

  test('accepts its examples', async () => {
    for (const [name, command] of commands) {
      for (const example of command.meta.examples.filter((text) => text.startsWith(name))) {
        const words = example.replace(/ [<>] .*$/, '').matchAll(/"([^"]*)"|(\S+)/g)
        const { command: found, rest } = await findCommand(
          [...words].map(([, quoted, word]) => quoted ?? word ?? ''),
          program,
        )
        expect(found, example).toBe(command)
        expect(() => toStrictArguments(command.args, rest), example).not.toThrow()
      }
    }
  })

  test('gets each of its flags and operands', () => {
    for (const [name, { args }] of commands) {
      const expected = Object.entries(args).map(([key, argument]): [string, readonly string[], unknown] => {
        if (argument.type === 'boolean') return [key, [`--${key}`], true]
        const options = 'options' in argument ? argument.options : undefined
        const text = options?.at(-1) ?? ('form' in argument ? FORMED.find(argument.form.read) : '-odd --text=')!
        const words = argument.type === 'positional' ? [text] : [`--${key}=${text}`]
        const value = ('form' in argument && argument.form.read(text)) || text
        return [key, words, 'multiple' in argument ? [text] : value]
      })
      const flags = expected.filter(([key]) => args[key]!.type !== 'positional').flatMap(([, words]) => words)
      const operands = expected.filter(([key]) => args[key]!.type === 'positional').flatMap(([, words]) => words)
      const rawArgs = toStrictArguments(args, [...flags, '--', ...operands])
      const values = readValues(args, parseArgs(rawArgs, args as ArgsDef), rawArgs)
      expect(values, name).toEqual(Object.fromEntries(expected.map(([key, , value]) => [key, value])))
    }
  })

  test('takes --json, but for the one that prints a script', () => {
    const without = commands.filter(([, { args }]) => !('json' in args))
    expect(without.map(([name]) => name)).toEqual(['completion'])
  })
})
