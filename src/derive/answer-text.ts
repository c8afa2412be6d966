import { decodeHTMLStrict } from 'entities/decode'
import { normalizeText } from './brand-key.ts'
import { isWordAt, toUnits, unstable } from './characters.ts'

/**
 * The text in which brands are looked for (contract/imports 2.3): what a reader of the rendered answer sees, in NFKC.
 * Out go URLs, e-mail addresses, the targets of Markdown links and images, citation markers, HTML tags and bold marks; entities and
 * Markdown escapes are resolved. Two words that markup kept apart are never joined: a line break stands between them.
 * For matching only: the stored text is never changed.
 */
export function toMatchText(text: string): string {
  const source = text.includes('&') ? decodeHTMLStrict(text) : text
  return strip(source, false) ?? strip(normalizeText(source), true) ?? ''
}

/** The source without markup; undefined when it still needs NFKC. */
function strip(source: string, isNormal: boolean): string | undefined {
  const units = toUnits(source)
  let out = ''
  let copied = 0
  let endsInWord = false
  const signs = isNormal ? SIGNS : SIGNS_AND_UNSTABLE
  for (let at = nextSign(units, 0, signs); at < source.length; at = nextSign(units, Math.max(at + 1, copied), signs)) {
    if (!isNormal && unstable[units[at] ?? 0] === 1) return undefined
    const markup = readMarkup(source, at)
    if (markup === undefined) continue
    const { end, visible } = markup
    const start = Math.max(markup.start, copied)
    if (!isNormal && hasUnstable(units, start, end)) return undefined
    if (start > copied) endsInWord = isWordAt(source, start - 1)
    out += source.slice(copied, start)
    if (endsInWord && (visible === '' ? isWordAt(source, end) : isWordAt(visible, 0))) out += '\n'
    out += visible
    if (visible !== '') {
      endsInWord = isWordAt(visible, visible.length - 1)
      if (endsInWord && isWordAt(source, end)) out += '\n'
    }
    copied = end
  }
  return copied === 0 ? source : out + source.slice(copied)
}

/** A piece of markup, from `start` to before `end`, and what the reader sees of it. */
interface Markup {
  readonly start: number
  readonly end: number
  readonly visible: string
}

/** What markup begins with, or is recognised by: `http://` by its colon, `www.` by its dot, `turn0search1` by its digit. */
const SIGNS = new Uint8Array(0x10000)
for (const sign of '\0\\*_[](<:.@0123456789®【\ue200') SIGNS[sign.charCodeAt(0)] = 1
const SIGNS_AND_UNSTABLE = SIGNS.map((isSign, unit) => isSign | (unstable[unit] ?? 0))

/** The place of the next sign from `from` on; the end of the text counts as one. */
function nextSign(units: Uint16Array, from: number, signs: Uint8Array): number {
  let at = from
  while (signs[units[at] ?? 0] === 0) at++
  return at
}

function hasUnstable(units: Uint16Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (unstable[units[at] ?? 0] === 1) return true
  return false
}

function readMarkup(source: string, at: number): Markup | undefined {
  switch (source.charAt(at)) {
    case '\\':
      return ESCAPABLE.test(source.charAt(at + 1))
        ? { start: at, end: at + 2, visible: source.charAt(at + 1) }
        : undefined
    case '*':
    case '_':
      return source[at + 1] === source[at] ? whole(BOLD, source, at) : undefined
    case '[':
      return (
        whole(MARKER, source, at) ??
        whole(CHIP_LINK, source, at) ??
        whole(LINK_DEFINITION, source, at) ??
        whole(LINK_START, source, at)
      )
    case ']':
      return source[at + 1] === '(' ? whole(LINK_END, source, at) : undefined
    case '(':
      return source[at + 1] === '[' ? whole(SOURCE_LINKS, source, at) : undefined
    case '<':
      return whole(INLINE_TAG, source, at) ?? whole(BLOCK_TAG, source, at, '\n')
    case ':':
      return source[at + 1] === '/' && source[at + 2] === '/' ? readUrl(source, at, SCHEME_LENGTHS) : undefined
    case '.':
      return readUrl(source, at, WWW_LENGTHS)
    case '@':
      return readAddress(source, at)
    case '®':
      return whole(TRADEMARK, source, at)
    case '【':
      return whole(LENTICULAR_MARKER, source, at)
    case '\ue200':
      return readBlock(source, at)
    default:
      return source[at - 1] === 'n' ? readTurn(source, at) : undefined
  }
}

/** Markup that a sticky expression recognises at `at`. */
function whole(expression: RegExp, source: string, at: number, visible = ''): Markup | undefined {
  expression.lastIndex = at
  return expression.test(source) ? { start: at, end: expression.lastIndex, visible } : undefined
}

const ESCAPABLE = /^[!-/:-@[-`{-~]$/
const BOLD = /\*{2,}|_{2,}/y
const TRADEMARK = /®\ufe0f?/y

/** Where a link leads, with the title that shows when the mouse rests on it. It must look like a URL, not like an aside. */
const TARGET = String.raw`\(\s*(?:<[^<>\n]*>|(?=[^\s()<>]*[/:.#])[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)(?:\s+(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'))?\s*\)`
const LINK_START = new RegExp(String.raw`\[(?=[^\[\]\n]{0,500}\]${TARGET})`, 'y')
const LINK_END = new RegExp(String.raw`\]${TARGET}`, 'y')

/** `[1]`, `[1, 2]`, `[^1^]`, `[[1]](url)`, `[1](url)`, `[cite: 1]`; never before a letter or digit, as in `[24]7`. */
const MARKER = new RegExp(
  String.raw`(?:\[\[?\^?\d{1,3}\^?(?:\s?[,;–-]\s?\^?\d{1,3}\^?)*\]\]?|\[cite(?:_start|_end|:[\d\s,–-]+)\])(?:${TARGET})?(?![\p{L}\p{N}\p{M}:])`,
  'uy',
)
/** `[YouTube +1](url)`, `[AT&T 1+](url)`, `[YouTube+1](url)`: a source's name, and how many more sources there are. */
const CHIP_LINK = new RegExp(
  String.raw`\[[^\[\]\n]{1,200}(?:\s(?:\\?\+\d{1,2}|\d{1,2}\\?\+)|\p{L}\\?\+\d{1,2})\]${TARGET}`,
  'uy',
)
/** `[1]: https://acme.com "Acme CRM"` on a line of its own: a source, which Markdown doesn't show. */
const LINK_DEFINITION =
  /(?<=^|\n)\[\^?\d{1,3}\^?\]:[ \t]*<?(?:https?:\/\/|www\.)[^\s<>]*>?(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]*(?=\n|$)/iy
/** `([acme.com](https://www.acme.com/crm))`: links in brackets that are labelled with their own host, a citation of OpenAI's. */
const SOURCE_LINKS =
  /\((?:[\s,;]*\[(?:www\.)?([^\s[\]()/]{1,250}\.[a-z\d-]+)\]\(https?:\/\/(?:[^\s()/?#]*\.)?\1(?=[/:?#)])[^\s()]*(?:\([^\s()]*\)[^\s()]*)*\))+[\s,;]*\)/iy

const INLINE_TAG = /<\/?(?:a|abbr|b|cite|code|em|i|mark|s|small|span|strong|sub|sup|u)(?=[\s/>])[^<>]*>/iy
const BLOCK_TAG =
  /<\/?(?:blockquote|br|details|div|dd|dl|dt|h[1-6]|hr|img|li|ol|p|pre|summary|table|tbody|td|th|thead|tr|ul)(?=[\s/>])[^<>]*>/iy

const SCHEME_LENGTHS = ['https', 'http']
const WWW_LENGTHS = ['www']
const URL_REST = /[^\s"'`<>)\]«»‘-‟‹›「-』〝-〟]*/y

/** A URL that begins with one of the words right before `at` (contract/imports 2.3). */
function readUrl(source: string, at: number, beginnings: readonly string[]): Markup | undefined {
  for (const beginning of beginnings) {
    const start = at - beginning.length
    if (start < 0 || source.slice(start, at).toLowerCase() !== beginning) continue
    URL_REST.lastIndex = at
    URL_REST.test(source)
    return { start, end: URL_REST.lastIndex, visible: '\n' }
  }
  return undefined
}

/** In letters of the Latin script: another script goes on with the sentence, `联系sales@acme.com获取`. */
const ADDRESS_NAME = /[\p{Script=Latin}\d._%+-]{1,64}$/u
const ADDRESS_HOST = /@(?:[\p{Script=Latin}\d](?:[\p{Script=Latin}\d-]*[\p{Script=Latin}\d])?\.)+\p{Script=Latin}{2,}/uy

/** An e-mail address, around its `@`. */
function readAddress(source: string, at: number): Markup | undefined {
  const name = ADDRESS_NAME.exec(source.slice(Math.max(0, at - 64), at))?.[0]
  if (name === undefined) return undefined
  const host = whole(ADDRESS_HOST, source, at, '\n')
  return host && { ...host, start: at - name.length }
}

/** `【4:0†source】` and `【1】`; other text in these brackets is a heading of Chinese and Japanese prose. */
const LENTICULAR_MARKER = /【(?:[\d\s:,-]{1,40}|[^【】\n]{0,200}†[^【】\n]{0,200})】/y

const BLOCK = /\ue200([a-z_]*)([^\ue200\ue201]{0,4000})\ue201/y
const NAMED_BLOCK = /^\ue202\["[^"]*",\s*"([^"]*)"/
const LABELLED_BLOCK = /^\ue202([^\ue202]*)/

/** ChatGPT's blocks in private-use characters: a citation shows nothing, a marked name or link shows its label. */
function readBlock(source: string, at: number): Markup | undefined {
  BLOCK.lastIndex = at
  const [all, kind = '', content = ''] = BLOCK.exec(source) ?? []
  if (all === undefined) return undefined
  const label = kind.endsWith('entity') ? NAMED_BLOCK : kind === 'url' ? LABELLED_BLOCK : undefined
  return { start: at, end: at + all.length, visible: label?.exec(content)?.[1] ?? '' }
}

/** `citeturn0search1turn2news3`: such a citation after a copy that lost the private-use characters. */
const TURNS = /(?:file)?cite(?:turn\d+[a-z]+\d+)+/y

function readTurn(source: string, at: number): Markup | undefined {
  const start = at - (source.startsWith('file', at - 12) ? 'fileciteturn' : 'citeturn').length
  return source.startsWith('cite', at - 8) ? whole(TURNS, source, start) : undefined
}
