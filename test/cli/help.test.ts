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

  test.each(commands)('%s has an example for its own words', (name, command) => {
    const own = command.examples.filter((example) => example.startsWith(name) || example.startsWith('--'))
    expect(own).toEqual(command.examples)
    expect(own.length).toBeGreaterThan(0)
  })

  test.each(commands)('%s accepts its examples', async (name, command) => {
    for (const example of command.examples.filter((text) => text.startsWith(name))) {
      const words = [...example.replace(/ [<>] .*$/, '').matchAll(/"([^"]*)"|(\S+)/g)]
      const argv = words.map(([, quoted, word]) => quoted ?? word ?? '')
      const { entry, rest } = await findCommand(argv, COMMANDS)
      expect(entry).toBe(command)
      parseArguments(command.args, rest)
    }
  })

  test.each(commands)('%s takes --json when it prints a result', (name, command) => {
    expect('json' in command.args).toBe(name !== 'completion')
  })
})
