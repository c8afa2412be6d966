import { decodeHTMLStrict } from 'entities/decode'
import { CANDIDATE_NAME_CHARACTERS_MAX, CANDIDATE_NAME_WORDS_MAX } from '../limits.ts'
import { detachString } from './detach-string.ts'
import { toBrandKey } from './brand-key.ts'
import { isGenericLabel } from './generic-labels.ts'

/**
 * Names that an answer's text sets out as a list of products: bold or linked at the start of list items, or as headings, in
 * a list with at least two of them. As written, in NFC, each once. They are guesses: headings of any answer (Pros, Pricing,
 * Best for …), sentences and numbers are left out, but a feature may look like a product.
 */
export function findCandidateNames(text: string): string[] {
  const items = findItems(text)
  const names = new Map<string, string>()
  for (const list of toLists(items)) {
    if (list.length < 2) continue
    for (const name of list) {
      const key = toBrandKey(name)
      if (!names.has(key)) names.set(key, name)
    }
  }
  return Array.from(names.values(), detachString)
}

type ItemKind = 'heading' | 'number' | 'bullet'

interface Item {
  readonly kind: ItemKind
  /** Level of a heading, indentation of a list item. */
  readonly depth: number
  readonly isNumbered: boolean
  /** Undefined when what stands there is no name. */
  readonly name: string | undefined
}

/** Indentation, then what makes the line an item; a bold line that begins with a number is one, too. */
const ITEM_LINE = /^([ \t]*)(?:(#{1,6})[ \t]+|(\d{1,3}[.)])[ \t]+|([-*+•])[ \t]+|(?=\*\*\d{1,3}[.)] ))(\S.*)$/gm

function findItems(text: string): Item[] {
  if (!text.includes('**') && !text.includes('# ') && !text.includes('](')) return []
  return [...text.matchAll(ITEM_LINE)].map(([, indent = '', hashes, number, bullet, content = '']) => {
    if (hashes !== undefined) {
      return {
        kind: 'heading',
        depth: hashes.length,
        isNumbered: NUMBER.test(content.replace(/\*/g, '')),
        name: toName(content),
      }
    }
    const kind = number === undefined && bullet !== undefined ? 'bullet' : 'number'
    return { kind, depth: indent.length, isNumbered: kind === 'number', name: toName(findLabel(content)) }
  })
}

/**
 * Lists of names: headings of one level, and items of one kind and depth between two headings. Bullets among numbered names,
 * and all items under numbered headings that are names, describe those: they are no list of their own.
 */
function toLists(items: readonly Item[]): string[][] {
  const headings = items.filter(({ kind }) => kind === 'heading')
  const lists = [...groupNames(headings).values()]
  const numberedHeadings = headings.filter(({ isNumbered, name }) => isNumbered && name !== undefined)
  let section: Item[] = []
  let describesName = false
  const closeSection = (): void => {
    const groups = groupNames(section)
    const isNumberedList = [...groups].some(([key, names]) => key.startsWith('number') && names.length > 1)
    if (!describesName) {
      for (const [key, names] of groups) if (!(isNumberedList && key.startsWith('bullet'))) lists.push(names)
    }
    section = []
  }
  for (const item of items) {
    if (item.kind !== 'heading') section.push(item)
    else {
      closeSection()
      describesName = numberedHeadings.length > 1 && numberedHeadings.includes(item)
    }
  }
  closeSection()
  return lists
}

function groupNames(items: readonly Item[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { kind, depth, name } of items) {
    if (name === undefined) continue
    const key = `${kind} ${depth}`
    const names = groups.get(key)
    if (names === undefined) groups.set(key, [name])
    else names.push(name)
  }
  return groups
}

const BOLD = /^(?:\[?\*\*|\[?__)(.+?)(?:\*\*|__)/
const LINK = /^!?\[([^[\]]+)\]\(/

/** What is bold or linked at the start of an item; the rest of the item describes it. */
function findLabel(content: string): string {
  return BOLD.exec(content)?.[1] ?? LINK.exec(content)?.[1] ?? ''
}

/** With links and remarks; a longer one is text. */
const LABEL_CHARACTERS_MAX = 500
const NUMBER = /^\s*\d{1,3}[.)]\s+/
/** Behind a name: what is said about it, after a colon or a dash, or in brackets. */
const REMARK = /(?::|\s+[–—-])\s.*$|:$|\s*[([（].*$/
const NOT_PART_OF_NAME_AT_START = /^[^\p{L}\p{N}.@]+/u
const NOT_PART_OF_NAME_AT_END = /(?:\ufe0f|[\s.,;:*_`'"’”|–—-])+$/u

function toName(label: string): string | undefined {
  if (label === '' || label.length > LABEL_CHARACTERS_MAX) return undefined
  const plain = decodeHTMLStrict(label)
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\[\^?\d+\^?\]|【[^【】]*】|\ue200[^\ue201]*\ue201/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\*\*|__|`/g, '')
  const name = plain
    .replace(NOT_PART_OF_NAME_AT_START, '')
    .replace(NUMBER, '')
    .replace(REMARK, '')
    .replace(NOT_PART_OF_NAME_AT_START, '')
    .replace(NOT_PART_OF_NAME_AT_END, '')
    .normalize('NFC')
  return isName(name) ? name : undefined
}

function isName(name: string): boolean {
  const words = name.split(/\s+/)
  return (
    name.length <= CANDIDATE_NAME_CHARACTERS_MAX &&
    words.length <= CANDIDATE_NAME_WORDS_MAX &&
    /\p{L}/u.test(name) &&
    !/[?!。？！…]$/u.test(name.replace(/!$/, '')) &&
    !/https?:|www\./i.test(name) &&
    !CHIP.test(name) &&
    !isGenericLabel(words) &&
    words.every((word, at) => isNameWord(word) || (at > 0 && LINKING_WORDS.has(word)))
  )
}

/** A link that names a source and how many more there are: `YouTube +1`, `YouTube+1`. */
const CHIP = /\s(?:\+\d{1,2}|\d{1,2}\+)$|\p{L}\+\d{1,2}$/u

/** Names are capitalised, but for `monday.com`, `n8n` or `eBay`; scripts without capitals pass. */
function isNameWord(word: string): boolean {
  return !/^[^\p{L}\p{N}]*\p{Ll}/u.test(word) || /[\p{Lu}\d]|\p{L}\.\p{L}/u.test(word)
}

const LINKING_WORDS = new Set([
  '&',
  'and',
  'by',
  'da',
  'de',
  'del',
  'der',
  'di',
  'do',
  'du',
  'et',
  'of',
  'the',
  'und',
  'van',
  'von',
  'y',
])
