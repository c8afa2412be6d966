import { parseArgs, type ArgsDef } from 'citty'
import { describe, expect, test } from 'vitest'
import { defineCommand, defineGroup, JSON_FLAG, type Arguments } from '../../cli/command.ts'
import { findCommand, readValues, toStrictArguments } from '../../cli/parse.ts'
import { DURATION_FORM, toIntegerForm } from '../../cli/flags.ts'
import { UsageError } from '../../src/errors.ts'

const ARGUMENTS = {
  name: { type: 'string', required: true, valueHint: 'NAME', description: 'a name' },
  alias: { type: 'string', multiple: true, valueHint: 'ALIAS', description: 'a further name' },
  market: { type: 'string', mayBeEmpty: true, valueHint: 'MARKET', description: 'a market' },
  id: {
    type: 'string',
    valueHint: 'ID',
    description: 'an id',
    form: { is: 'lower-case letters', read: (text) => (/^[a-z]+$/.test(text) ? text : undefined) },
  },
  permission: { type: 'enum', options: ['read', 'write'], default: 'read', description: 'what it may do' },
  limit: { type: 'string', form: toIntegerForm(1, 500), default: '100', valueHint: 'N', description: 'how many' },
  grace: { type: 'string', form: DURATION_FORM, default: '1h', valueHint: 'TIME', description: 'how long' },
  ...JSON_FLAG,
  files: { type: 'positional', required: false, multiple: true, valueHint: 'FILE', description: 'files' },
} as const satisfies Arguments

const parse = (...argv: string[]) => {
  const rawArgs = toStrictArguments(ARGUMENTS, argv)
  return readValues(ARGUMENTS, parseArgs(rawArgs, ARGUMENTS as Arguments as ArgsDef), rawArgs)
}
const refusal = (...argv: string[]): string => {
  try {
    parse(...argv)
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as Error).message
  }
  throw new Error('it was not refused')
}

test('flags and operands arrive with their types and defaults', () => {
  expect(parse('--name', 'Acme', 'a.ndjson', '-')).toEqual({
    name: 'Acme',
    alias: [],
    market: undefined,
    id: undefined,
    permission: 'read',
    limit: 100,
    grace: 3_600_000,
    json: false,
    files: ['a.ndjson', '-'],
  })
  expect(
    parse(
      'f',
      '--alias=B',
      '--name=-dash',
      '--alias',
      'C',
      '--limit',
      '7',
      '--grace',
      '90s',
      '--permission',
      'write',
      '--json',
      '--market=',
    ),
  ).toMatchObject({
    name: '-dash',
    alias: ['B', 'C'],
    limit: 7,
    grace: 90_000,
    permission: 'write',
    json: true,
    market: '',
  })
})

test('what citty takes for the opposite of a flag, or for a flag, is none', () => {
  const definitions = {
    exact: { type: 'boolean', description: 'case counts' },
    'no-exact': { type: 'boolean', description: 'it counts no more' },
    'no-alias': { type: 'string', multiple: true, valueHint: 'ALIAS', description: 'names to drop' },
  } as const satisfies Arguments
  const read = (...argv: string[]) => {
    const rawArgs = toStrictArguments(definitions, argv)
    return readValues(definitions, parseArgs(rawArgs, definitions), rawArgs)
  }
  expect(read('--no-exact')).toEqual({ exact: false, 'no-exact': true, 'no-alias': [] })
  expect(read('--exact', '--no-alias', 'a', '--no-alias=--no-exact')).toEqual({
    exact: true,
    'no-exact': false,
    'no-alias': ['a', '--no-exact'],
  })
  expect(() => read('--noExact')).toThrow('unknown flag --noExact; did you mean --no-exact?')
})

test('operands after -- may look like flags', () => {
  expect(parse('--name', 'N', '--', '--json')['files']).toEqual(['--json'])
})

test.each([
  [['--naem', 'x'], 'unknown flag --naem; did you mean --name?'],
  [['--zzz'], 'unknown flag --zzz'],
  [['-x'], 'unknown flag -x'],
  [['--no-json'], 'unknown flag --no-json'],
  [['--__proto__', 'x'], 'unknown flag --__proto__'],
  [['--toString=x'], 'unknown flag --toString'],
  [['--name', '--json'], '--name needs a value'],
  [['--name'], '--name needs a value'],
  [['--name', ''], '--name must not be empty'],
  [['--name', ' '], '--name must not be empty'],
  [['--name', 'a', '--name', 'b'], '--name is given twice'],
  [['--name', 'a', '--json', '--json'], '--json is given twice'],
  [['--name', 'a', '--alias', ''], '--alias must not be empty'],
  [['--json'], '--name is missing'],
  [['--name', 'a', '--json=yes'], '--json takes no value'],
  [['--name', 'a', '--permission', 'raed'], '--permission must be one of read, write, not "raed"; did you mean read?'],
  [['--name', 'a', '--limit', '0'], '--limit must be a whole number from 1 to 500, not "0"'],
  [['--name', 'a', '--limit', '1e2'], '--limit must be a whole number from 1 to 500, not "1e2"'],
  [['--name', 'a', '--grace', '1 hour'], '--grace must be a duration such as 30s, 15m, 1h or 7d, not "1 hour"'],
  [['--name', 'a', '--id', 'A B'], '--id must be lower-case letters, not "A B"'],
])('%j is refused: %s', (argv, message) => {
  expect(refusal(...argv)).toBe(message)
})

describe('findCommand', () => {
  const create = defineCommand({ summary: 'make one', args: {}, examples: [], run: async () => {} })
  const keys = defineGroup({ summary: 'keys', commands: { create, list: create }, examples: [] })
  const program = defineGroup({ summary: 'all', commands: { keys: async () => keys, serve: create }, examples: [] })
  const find = (...argv: string[]) => findCommand(argv, program)

  test('words lead down the table and the rest is left over', async () => {
    expect(await find('keys', 'create', '--name', 'x', 'list')).toEqual({
      command: create,
      path: ['keys', 'create'],
      rest: ['--name', 'x', 'list'],
    })
    expect(await find('keys')).toEqual({ command: keys, path: ['keys'], rest: [] })
    expect(await find()).toEqual({ command: program, path: [], rest: [] })
  })

  test('flags every command has may stand before and between the words', async () => {
    expect(await find('--data-dir', 'keys', 'keys', '--data-dir=x', 'create', '--json')).toEqual({
      command: create,
      path: ['keys', 'create'],
      rest: ['--data-dir', 'keys', '--data-dir=x', '--json'],
    })
  })

  test.each([
    [['key'], 'unknown command "key"; did you mean "keys"?'],
    [['keys', 'craete'], 'unknown command "keys craete"; did you mean "keys create"?'],
    [['frobnicate'], 'unknown command "frobnicate"'],
    [['toString'], 'unknown command "toString"'],
  ])('%j leads nowhere: %s', async (argv, message) => {
    expect(await find(...argv)).toMatchObject({ path: argv.slice(0, -1), fault: message })
  })
})
