import { UsageError } from '../src/errors.ts'
import { toBrandKey } from '../src/derive/brand-key.ts'
import { isOrdinaryWord } from '../src/reference/ordinary-words.ts'
import { toList } from './flags.ts'
import { printNote, type Io } from './io.ts'

/** The flags by which a brand gets its spellings (contract/imports 2.3). */
export const SPELLING_FLAGS = {
  exact: { type: 'boolean', description: "the name's case counts: for a name that is a word, like Notion" },
  alias: {
    type: 'string',
    multiple: true,
    mayBeEmpty: true,
    valueHint: 'ALIAS',
    description: 'a further spelling of the name',
  },
  'exact-alias': {
    type: 'string',
    multiple: true,
    valueHint: 'ALIAS',
    description: 'a further spelling whose case counts',
  },
} as const

/** What takes `--exact` back, where a brand is changed. */
export const NO_EXACT_FLAG = {
  'no-exact': { type: 'boolean', description: "the name's case doesn't count any more" },
} as const

interface GivenSpellings {
  readonly name?: string | undefined
  readonly exact: boolean
  readonly 'no-exact'?: boolean
  readonly alias: readonly string[]
  readonly 'exact-alias': readonly string[]
}

interface Spellings {
  readonly name: string
  readonly aliases: readonly string[]
  readonly exact: readonly string[]
}

/** Aliases and exact spellings as the flags give them; undefined is what stays. Either kind of alias replaces the whole list. */
export function toSpellings(
  args: GivenSpellings,
  before?: Spellings,
): { aliases: readonly string[] | undefined; exact: readonly string[] | undefined } {
  if (args.exact && args['no-exact']) throw new UsageError('--exact and --no-exact contradict each other')
  const exactAliases = args['exact-alias']
  const aliases = toList([...args.alias, ...exactAliases])
  if (aliases === undefined && !args.exact && !args['no-exact']) return { aliases, exact: undefined }
  const wasExact = before?.exact.includes(before.name) ?? false
  const isExact = args.exact || (wasExact && !args['no-exact'])
  const name = args.name ?? before?.name ?? ''
  const others =
    aliases === undefined ? (before?.exact.filter((spelling) => spelling !== before.name) ?? []) : exactAliases
  return { aliases, exact: isExact ? [name, ...others] : others }
}

/** Says which spellings are ordinary words that texts hold without meaning the brand, and what to do about it. */
export function noteOrdinaryWords(io: Io, { name, aliases, exact }: Spellings): void {
  for (const spelling of [name, ...aliases]) {
    if (exact.includes(spelling) || !isOrdinaryWord(toBrandKey(spelling))) continue
    const flag = spelling === name ? '--exact' : `--exact-alias ${spelling}`
    printNote(
      io,
      `"${spelling}" is an ordinary word too: a text that says "${spelling.toLowerCase()}" names the brand, unless its case counts (${flag}).`,
    )
  }
}
