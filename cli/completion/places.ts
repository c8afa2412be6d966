import { loadSubCommands, type Argument, type Command } from '../command.ts'

/** A point of the command line: the words that lead there and what may follow. */
export interface Place {
  /** ` keys create`: each word after a space, as the scripts build it up; empty for the program itself. */
  readonly at: string
  readonly words: readonly Choice[]
  readonly takesFiles: boolean
  readonly flags: readonly FlagChoice[]
}

export interface Choice {
  readonly word: string
  readonly summary: string
}

export interface FlagChoice {
  /** With its dashes. */
  readonly flag: string
  readonly summary: string
  /** What its value is; `none` for a switch. */
  readonly value: 'none' | 'words' | 'file' | 'directory' | 'text'
  /** The allowed values, where they are a closed list. */
  readonly options: readonly string[]
}

/** Every point of the command line from a command on, itself first. */
export async function listPlaces(path: readonly string[], command: Command): Promise<readonly Place[]> {
  const verbs = await loadSubCommands(command)
  const below = await Promise.all(verbs.map(([word, verb]) => listPlaces([...path, word], verb)))
  const args = Object.entries(command.args)
  const operands = args.flatMap(([, argument]) => (argument.type === 'positional' ? [argument] : []))
  const here: Place = {
    at: path.map((word) => ` ${word}`).join(''),
    words: [
      ...verbs.map(([word, { meta }]) => ({ word, summary: meta.description })),
      ...operands.flatMap(({ options }) => options ?? []).map((word) => ({ word, summary: '' })),
    ],
    takesFiles: operands.some(({ valueHint }) => valueHint.includes('FILE') || valueHint === 'DIR'),
    flags: toFlags(args),
  }
  return [here, ...below.flat()]
}

function toFlags(args: readonly (readonly [string, Argument])[]): readonly FlagChoice[] {
  return args.flatMap(([name, argument]) => {
    if (argument.type === 'positional') return []
    const options = argument.type === 'enum' ? argument.options : []
    return [{ flag: `--${name}`, summary: argument.description, value: toValueKind(argument), options }]
  })
}

function toValueKind(argument: Argument): FlagChoice['value'] {
  if (argument.type === 'boolean') return 'none'
  if (argument.type === 'enum') return 'words'
  if (argument.valueHint.includes('FILE')) return 'file'
  return argument.valueHint === 'DIR' ? 'directory' : 'text'
}
