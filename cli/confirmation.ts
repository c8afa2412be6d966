import { createInterface } from 'node:readline'
import { CommandError, UsageError } from '../src/errors.ts'
import { show } from '../src/show.ts'
import type { Context } from './command.ts'
import { printNote } from './io.ts'

/** Of commands that ask before they delete. */
export const YES_FLAG = { yes: { type: 'boolean', description: 'delete without asking' } } as const

export interface Confirmation {
  /** `--yes`. */
  readonly isGiven: boolean
  /** What is asked to be typed: the name of what loses data. Any of several spellings will do; the first is shown. */
  readonly names: readonly [string, ...string[]]
  /** A sentence that says what goes; asked for only where somebody is there to read it. */
  readonly describe: () => string | Promise<string>
}

/**
 * Has the name typed on the terminal before something is deleted, or nothing at all with `--yes`. Throws CommandError when
 * something else is typed, and UsageError when there is neither a terminal nor `--yes`.
 */
export async function confirmDeletion(
  { io, signal }: Pick<Context, 'io' | 'signal'>,
  { isGiven, names, describe }: Confirmation,
): Promise<void> {
  if (isGiven) return
  const { stdin, stderr } = io
  const [name] = names
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw new UsageError(`this deletes data of ${name}, and there is no terminal to ask on; give --yes`)
  }
  const sentence = await describe()
  signal.throwIfAborted()
  printNote(io, sentence)
  stderr.write(`Type ${show(name)} to go on: `)
  const typed = await readLine(stdin)
  signal.throwIfAborted()
  if (!names.includes(typed?.trim() ?? '')) throw new CommandError(`That is not ${name}. Nothing was deleted.`)
}

/** Undefined where the input ends without one. */
async function readLine(input: NodeJS.ReadableStream): Promise<string | undefined> {
  const lines = createInterface({ input, terminal: false })
  try {
    for await (const line of lines) return line
    return undefined
  } finally {
    lines.close()
  }
}
