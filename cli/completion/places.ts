import { COMMON_ARGUMENTS, isGroup, type Argument, type Command, type Group } from '../command.ts'

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

/** Every point of the command line of a command table, the program itself first. */
export function listPlaces(path: readonly string[], entry: Command | Group): readonly Place[] {
  const at = path.map((word) => ` ${word}`).join('')
  if (isGroup(entry)) {
    const children = Object.entries(entry.commands)
    const words = children.map(([word, { summary }]) => ({ word, summary }))
    const here = { at, words, takesFiles: false, flags: toFlags(Object.entries(COMMON_ARGUMENTS)) }
    return [here, ...children.flatMap(([word, child]) => listPlaces([...path, word], child))]
  }
  const args: readonly (readonly [string, Argument])[] = Object.entries({ ...entry.args, ...COMMON_ARGUMENTS })
  const operands = args.flatMap(([, argument]) => (argument.type === 'positional' ? [argument] : []))
  const words = operands.flatMap(({ options }) => options ?? []).map((word) => ({ word, summary: '' }))
  const takesFiles = operands.some(({ valueHint }) => valueHint.includes('FILE') || valueHint === 'DIR')
  return [{ at, words, takesFiles, flags: toFlags(args) }]
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
