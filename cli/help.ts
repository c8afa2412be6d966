import { defineCommand as defineCittyCommand, renderUsage, type ArgDef, type ArgsDef, type SubCommandsDef } from 'citty'
import {
  COMMON_ARGUMENTS,
  isGroup,
  type Argument,
  type Arguments,
  type Command,
  type Group,
  type Loader,
} from './command.ts'

export const PROGRAM = 'answerlake'

/** Help of a command, or of a noun with its verbs: usage, arguments, flags, notes, examples. With colours; ends with a line break. */
export async function renderHelp(path: readonly string[], entry: Command | Group): Promise<string> {
  return isGroup(entry) ? renderGroup(path, entry) : renderCommand(path, entry)
}

/** The whole table as the verbs of the program itself. */
export async function loadProgram(table: Readonly<Record<string, Loader>>): Promise<Group> {
  const commands: Record<string, Command | Group> = {}
  for (const [name, load] of Object.entries(table)) commands[name] = await load()
  return {
    summary: 'Answer-engine visibility from your own answers and server logs',
    commands,
    examples: [
      'demo',
      'sites create --name Acme --domain acme.com',
      'import answers --site acme.com answers.ndjson',
      'keys create --name reporting --expires 90',
      'serve --port 8080',
    ],
  }
}

async function renderCommand(path: readonly string[], command: Command): Promise<string> {
  const all: Arguments = { ...command.args, ...COMMON_ARGUMENTS }
  const args: ArgsDef = {}
  for (const [name, argument] of Object.entries(all)) {
    args[argument.type === 'positional' ? argument.valueHint : name] = toCittyArgument(argument)
  }
  const usage = await render(path, command.summary, { args })
  return [usage, ...(command.notes ?? []), renderExamples(command.examples)].join('\n\n')
}

async function renderGroup(path: readonly string[], group: Group): Promise<string> {
  const subCommands: SubCommandsDef = {}
  for (const [name, entry] of Object.entries(group.commands)) {
    subCommands[name] = defineCittyCommand({ meta: { name, description: entry.summary } })
  }
  return [await render(path, group.summary, { subCommands }), renderExamples(group.examples)].join('\n\n')
}

/** citty names a command by its parent's name and its own. */
async function render(
  path: readonly string[],
  summary: string,
  parts: { args?: ArgsDef; subCommands?: SubCommandsDef },
): Promise<string> {
  const words = [PROGRAM, ...path]
  const command = defineCittyCommand({ meta: { name: words.at(-1) ?? PROGRAM, description: summary }, ...parts })
  const parent = defineCittyCommand({ meta: { name: words.slice(0, -1).join(' ') } })
  const usage = await renderUsage(command, parent)
  return usage.replaceAll(/ +$/gm, '').trimEnd()
}

function renderExamples(examples: readonly string[]): string {
  return `EXAMPLES\n\n${examples.map((example) => `  ${PROGRAM} ${example}\n`).join('')}`
}

function toCittyArgument(argument: Argument): ArgDef {
  const required = argument.required === true
  const repeats = 'multiple' in argument && argument.type === 'string' ? ' (may be repeated)' : ''
  const description = `${argument.description}${repeats}`
  switch (argument.type) {
    case 'positional':
      return { type: 'positional', description, required }
    case 'boolean':
      return { type: 'boolean', description }
    case 'enum':
      return { type: 'enum', description, required, options: [...argument.options], ...toDefault(argument.default) }
    case 'string':
    case 'integer':
    case 'duration':
      return { type: 'string', description, required, valueHint: argument.valueHint, ...toDefault(argument.default) }
    default:
      return argument satisfies never
  }
}

function toDefault(value: string | number | undefined): { default?: string } {
  return value === undefined ? {} : { default: String(value) }
}
