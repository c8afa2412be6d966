import type { EngineId } from '../domain/enums.ts'

/**
 * Whether citation chips may stand in an answer's text (contract/imports 2.3): `YouTube +1`, `linkedin 2+` and `reddit+1`
 * name a source of the sentence before them. Copies of pages have them: what Bright Data and Oxylabs scrape, and Google's and Perplexity's
 * answers unless they come from Perplexity's own API.
 */
export function mayHaveChips(answer: {
  readonly provider: string | null | undefined
  readonly platform: string | undefined
}): boolean {
  const { provider, platform } = answer
  if (provider === 'brightdata' || provider === 'oxylabs') return true
  return platform !== undefined && PLATFORMS.has(platform) && provider !== 'perplexity'
}

const PLATFORMS: ReadonlySet<string> = new Set<EngineId>(['ai_overviews', 'ai_mode', 'perplexity'])

/** The text with a line break in place of each chip. */
export function withoutChips(text: string): string {
  return withoutSpacedChips(withoutGluedChips(text))
}

/** Perplexity's chips: `….reddit+1` and `….[reddit](https://www.reddit.com/…)`; and lines of chips, as ChatGPT's `GitHub+15YouTube+2`. */
function withoutGluedChips(text: string): string {
  const plain = text.includes('](') ? text.replace(GLUED_LINK, '\n') : text
  return plain.includes('+') ? plain.replace(GLUED, '\n').replace(LINE_OF_CHIPS, '\n') : plain
}

const HOST_LABEL = String.raw`\p{L}[\p{L}\p{N}]{0,40}(?:[.-][\p{L}\p{N}]{1,40}){0,4}`
/** The end of a sentence, also of one set in bold, without a space behind it. */
const SENTENCE_END = String.raw`(?<=[.!?…)\]"”’»。！？](?:\*{1,2})?)`
const CHIP_END = String.raw`(?=$|[\s|[*<])`
const GLUED = new RegExp(String.raw`${SENTENCE_END}(?:${HOST_LABEL}\+\d{1,2}){1,20}${CHIP_END}`, 'gu')
/** The label is the host without its ending, and perhaps without what stands before. */
const GLUED_LINK = new RegExp(
  String.raw`${SENTENCE_END}\[([\p{Ll}\d][\p{Ll}\d.-]{0,60})\]\(https?:\/\/(?:[^\s()/?#]{1,100}\.)?\1\.[a-z.]{2,10}[/:?#][^\s()]*(?:\([^\s()]*\)[^\s()]*)*\)`,
  'gu',
)
const LABEL = String.raw`\p{L}[^\s+|]{0,40}(?: [^\s+|]{1,40}){0,3}`
const LINE_OF_CHIPS = new RegExp(
  String.raw`(?<=^|\n)[ \t]*(?:${HOST_LABEL}\+\d{1,2}|(?:${LABEL}\+\d{1,2}){2,20})[ \t]*(?=$|\n)`,
  'gu',
)

function withoutSpacedChips(text: string): string {
  if (!/[+\uff0b]/.test(text)) return text
  let out = ''
  let copied = 0
  for (const { index, 0: count } of text.matchAll(COUNT)) {
    const name = chipName(text.slice(Math.max(copied, index - NAME_CHARACTERS_MAX - 1), index), count)
    if (name === undefined) continue
    out += `${text.slice(copied, index - name.length)}\n`
    copied = index + count.length
  }
  return copied === 0 ? text : out + text.slice(copied)
}

/** How many sources more: `+1`, `2+`. The text ends behind it, or goes on with another sentence or chip. */
const COUNT = /(?<=\S)[^\S\n]{1,2}(?:\\?\+\d{1,2}|\d\\?\+)(?![^\S\n]*[\p{Ll}\p{M}\d%,;:/)\]|.+*-])(?!\S*[\p{L}\p{N}])/gu

/** A word of a name: capitalised, or of a script without capitals, where it may be no whole sentence. */
const WORD = String.raw`(?:[\p{Lu}\d][^\s|。！？，、；：]*|\p{Lo}[^\s|。！？，、；：]{0,11})`
/** Google adds it to names that could be anybody's: `U.S. Department of War (.gov)`. */
const SUFFIX = String.raw`(?:[^\S\n]\(\.\p{Ll}{2,8}\))?`
/** A name of a source before a count: the words back to the end of a sentence, to a chip or to the line's start. */
const NAME = new RegExp(
  String.raw`(?:(?:^|[\n|。！？])[^\S\n]*|[.!?…:"”’)\]*>$][^\S\n]+)((?:(?:${WORD}(?<![.!?:;])|&|and|of|the|de|for)[^\S\n]+){0,7}${WORD}${SUFFIX}|\p{Ll}[^\s|]*)(?<![.!?:;,])$`,
  'u',
)
/** Where no sentence ends before it, the last word alone, when it can't be one of the sentence. */
const LAST_WORD = new RegExp(String.raw`(?<=[^\S\n])\p{Lu}[^\s|]*${SUFFIX}(?<![.!?:;,])$`, 'u')

/** Longer ones are no labels. */
const NAME_CHARACTERS_MAX = 80

function chipName(before: string, count: string): string | undefined {
  // Where the text is cut, no line begins.
  const near = before.length > NAME_CHARACTERS_MAX ? `\0${before.slice(-NAME_CHARACTERS_MAX)}` : before
  const name = NAME.exec(near)?.[1]
  if (name !== undefined) return name
  return /^\s*\\?\+/.test(count) ? LAST_WORD.exec(near)?.[0] : undefined
}
