import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../cli/commands.ts'
import { isGroup, type Command, type Group } from '../../cli/command.ts'
import { loadProgram } from '../../cli/help.ts'
import { findCommand, parseArguments } from '../../cli/parse.ts'
import { listHelpPages, renderCliReference } from './support/cli-reference.ts'
import { expectGolden } from './support/golden.ts'
import { run } from './support/run.ts'

const GOLDEN = join(import.meta.dirname, '../golden/help')
const pages = await listHelpPages()
const program = await loadProgram(COMMANDS)

const toName = (path: readonly string[]): string => `${['answerlake', ...path].join('-')}.txt`

test.each(pages)('--help of $path says what it said', ({ path, text }) => {
  expectGolden(join(GOLDEN, toName(path)), text)
})

test('every golden help belongs to a command', () => {
  expect(readdirSync(GOLDEN).sort()).toEqual(pages.map(({ path }) => toName(path)).sort())
})

test('docs/cli.md is what the commands say', async () => {
  expectGolden(join(import.meta.dirname, '../../docs/cli.md'), await renderCliReference())
})

test('a terminal gets colours, a file none', async () => {
  const plain = await run(['keys', '--help'])
  expect(plain.stdout).toBe(pages.find(({ path }) => path.join(' ') === 'keys')?.text)
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
