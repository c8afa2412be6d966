import { loadSubCommands, type Argument, type Command, type Flag } from './command.ts'
import { wrap } from './wrap.ts'

export const PROGRAM = 'answerlake'

/** Width of the help where it goes to a file, and in `docs/cli.md`. */
const HELP_COLUMNS = 100

/** Help of a command, or of a noun with its verbs: usage, arguments, flags, notes, examples, in lines of `width` characters. */
export async function renderHelp(path: readonly string[], command: Command, width = HELP_COLUMNS): Promise<string> {
  const { description, notes = [], examples } = command.meta
  const parts = [
    wrap(`${description} (${[PROGRAM, ...path].join(' ')})`, width).join('\n'),
    ...(command.subCommands === undefined
      ? renderArguments(path, command, width)
      : await renderVerbs(path, command, width)),
    ...notes.map((note) => wrap(note, width).join('\n')),
    `EXAMPLES\n\n${examples.map((example) => `  ${PROGRAM} ${example}`).join('\n')}`,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function renderArguments(path: readonly string[], command: Command, width: number): readonly string[] {
  const all = Object.entries(command.args)
  const operands = all.filter(([, argument]) => argument.type === 'positional')
  const flags = all.filter(([, argument]) => argument.type !== 'positional')
  const usage = [
    '[OPTIONS]',
    ...flags.filter(([, flag]) => flag.required === true).map(([name, flag]) => toLabel(name, flag)),
    ...operands.map(([name, operand]) => toUsage(name, operand)),
  ]
  const toEntry = ([name, argument]: [string, Argument]): Entry => [toLabel(name, argument), describe(name, argument)]
  return [
    renderUsage([PROGRAM, ...path], usage, width),
    renderEntries('ARGUMENTS', operands.map(toEntry), width),
    renderEntries('OPTIONS', flags.map(toEntry), width),
  ]
}

async function renderVerbs(path: readonly string[], group: Command, width: number): Promise<readonly string[]> {
  const words = [PROGRAM, ...path]
  const verbs = await loadSubCommands(group)
  return [
    renderUsage(words, ['COMMAND', '…'], width),
    renderEntries(
      'COMMANDS',
      verbs.map(([word, { meta }]) => [word, meta.description]),
      width,
    ),
    wrap(`Use ${words.join(' ')} COMMAND --help for more about a command.`, width).join('\n'),
  ]
}

function renderUsage(words: readonly string[], parts: readonly string[], width: number): string {
  const [first = '', ...rest] = wrap(['USAGE', ...words, ...parts].join(' '), width - USAGE_INDENT.length)
  return [first, ...rest.map((line) => `${USAGE_INDENT}${line}`)].join('\n')
}

const USAGE_INDENT = ' '.repeat('USAGE '.length)

type Entry = readonly [label: string, description: string]

/** Labels stand beside their descriptions; a longer one has a line of its own. */
const LABEL_COLUMNS_MAX = 26

function renderEntries(title: string, entries: readonly Entry[], width: number): string {
  if (entries.length === 0) return ''
  const most = Math.min(LABEL_COLUMNS_MAX, Math.floor(width / 3))
  const short = entries.map(([label]) => label.length).filter((length) => length <= most)
  const column = Math.max(0, ...short)
  const indent = ' '.repeat(column + 4)
  const lines = entries.flatMap(([label, description]) => {
    const [first = '', ...rest] = wrap(description, width - indent.length)
    const below = rest.map((line) => `${indent}${line}`)
    return label.length > column
      ? [`  ${label}`, `${indent}${first}`, ...below]
      : [`  ${label.padEnd(column)}  ${first}`, ...below]
  })
  return `${title}\n\n${lines.join('\n')}`
}

function toLabel(name: string, argument: Argument): string {
  if (argument.type === 'positional') return argument.valueHint
  return argument.type === 'boolean' ? `--${name}` : `--${name} ${toHint(name, argument)}`
}

function toHint(name: string, flag: Exclude<Flag, { type: 'boolean' }>): string {
  if (flag.type !== 'enum') return flag.valueHint
  const options = flag.options.join('|')
  return `--${name} ${options}`.length <= LABEL_COLUMNS_MAX ? options : name.replaceAll('-', '_').toUpperCase()
}

function toUsage(name: string, operand: Argument): string {
  const label = `${toLabel(name, operand)}${'multiple' in operand ? '…' : ''}`
  return operand.required === true ? label : `[${label}]`
}

/** The description with what else is to know: the options where the label has no room, whether it may be left out. */
function describe(name: string, argument: Argument): string {
  const options = 'options' in argument ? argument.options : undefined
  const isListed = options !== undefined && !toLabel(name, argument).includes(options.join('|'))
  const facts = [
    ...(isListed ? [`one of ${options.join(', ')}`] : []),
    ...(argument.required === true ? ['required'] : []),
    ...('multiple' in argument ? ['may be repeated'] : []),
    ...('default' in argument && argument.default !== undefined ? [`default ${argument.default}`] : []),
  ]
  return facts.length === 0 ? argument.description : `${argument.description} (${facts.join('; ')})`
}
