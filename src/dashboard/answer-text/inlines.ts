import { toSafeLink } from './safe-link.ts'
import type { Inline, SafeLink } from './tree.ts'

/** How deep emphasis may stand in emphasis; what goes deeper stays the signs that it was written with. */
const DEPTH_MAX = 8
const PLAIN = /[^\\`*_[!<h]+/y
const PUNCTUATION = /[!-/:-@[-`{-~]/
const BARE = /https?:\/\/[^\s<>"`|\\^{}[\]\u3000-\u303f\uff01-\uff5e]+/y
const ANGLED = /<(https?:\/\/[^\s<>]+)>/y
const LETTER = /[\p{L}\p{N}]/u

interface Frame {
  readonly marker: string
  readonly nodes: Inline[]
}

/**
 * Reads emphasis, code and links out of running text, in time that grows with its length. What is none of them, HTML too, is
 * text. An image is a link to it.
 */
export function readInlines(source: string, { mayLink = true }: { readonly mayLink?: boolean } = {}): Inline[] {
  const brackets = mayLink ? matchBrackets(source) : new Map<number, number>()
  const ticks = matchTicks(source)
  const frames: [Frame, ...Frame[]] = [{ marker: '', nodes: [] }]
  const top = (): Frame => frames.at(-1) ?? frames[0]
  const write = (text: string): void => addText(top().nodes, text)
  let at = 0

  /** Everything that was opened after it and never closed is the signs it was written with. */
  const closeDown = (index: number): void => {
    for (const { marker, nodes } of frames.splice(index)) {
      addText(top().nodes, marker)
      for (const node of nodes) addNode(top().nodes, node)
    }
  }

  const readLink = (): boolean => {
    const isImage = source[at] === '!'
    const open = isImage ? at + 1 : at
    const close = brackets.get(open)
    if (close === undefined) return false
    const target = readTarget(source, close + 1)
    const link = target === undefined ? undefined : toSafeLink(target.address)
    if (target === undefined || link === undefined) return false
    const children = readInlines(source.slice(open + 1, close), { mayLink: false })
    top().nodes.push(toLinkNode(link, children))
    at = target.end
    return true
  }

  const readAddress = (): boolean => {
    if (!mayLink || (source[at] === 'h' && LETTER.test(source[at - 1] ?? ''))) return false
    const angled = matchAt(ANGLED, source, at)
    const bare = matchAt(BARE, source, at)?.[0]
    const address = angled?.[1] ?? trimAddress(bare ?? '')
    const link = toSafeLink(address)
    if (link !== undefined) top().nodes.push(toLinkNode(link, [{ kind: 'text', text: address }]))
    // What is no address as a whole isn't searched for another one, which would take the square of its length.
    else write(bare ?? '')
    const length = link === undefined ? bare?.length : (angled?.[0].length ?? address.length)
    at += length ?? 0
    return length !== undefined
  }

  const readCode = (): boolean => {
    const next = ticks.get(at)
    if (next === undefined) return false
    const [from, to] = next
    top().nodes.push({ kind: 'code', text: source.slice(from, to).replaceAll('\n', ' ') })
    at = to + (from - at)
    return true
  }

  const readEmphasis = (): void => {
    const run = matchAt(/(\*+|_+)/y, source, at)?.[0] ?? ''
    const [before = ' ', after = ' '] = [source[at - 1], source[at + run.length]]
    const isWord = run.startsWith('_')
    const mayOpen = /\S/.test(after) && !(isWord && LETTER.test(before))
    const mayClose = /\S/.test(before) && !(isWord && LETTER.test(after))
    const index = mayClose ? frames.findLastIndex(({ marker }) => marker === run) : -1
    at += run.length
    if (index > 0) {
      closeDown(index + 1)
      const [closed] = frames.splice(index)
      if (closed !== undefined) top().nodes.push(toEmphasis(run, closed.nodes))
    } else if (mayOpen && run.length <= 3 && frames.length <= DEPTH_MAX) frames.push({ marker: run, nodes: [] })
    else write(run)
  }

  while (at < source.length) {
    const plain = matchAt(PLAIN, source, at)?.[0]
    if (plain !== undefined) {
      write(plain)
      at += plain.length
      continue
    }
    const sign = source.charAt(at)
    if (sign === '*' || sign === '_') readEmphasis()
    else if (sign === '\\' && PUNCTUATION.test(source[at + 1] ?? '')) {
      write(source.charAt(at + 1))
      at += 2
    } else if (sign === '`' ? readCode() : sign === '[' || sign === '!' ? readLink() : readAddress()) continue
    else {
      const run = sign === '`' ? (matchAt(/`+/y, source, at)?.[0] ?? sign) : sign
      write(run)
      at += run.length
    }
  }
  closeDown(1)
  return frames[0].nodes
}

function toLinkNode(link: SafeLink, children: readonly Inline[]): Inline {
  const hasText = children.some((child) => child.kind !== 'text' || child.text.trim() !== '')
  return { kind: 'link', link, children: hasText ? children : [{ kind: 'text', text: link.href }] }
}

function toEmphasis(marker: string, children: readonly Inline[]): Inline {
  if (marker.length === 1) return { kind: 'emphasis', children }
  return { kind: 'strong', children: marker.length === 2 ? children : [{ kind: 'emphasis', children }] }
}

function addNode(nodes: Inline[], node: Inline): void {
  if (node.kind === 'text') addText(nodes, node.text)
  else nodes.push(node)
}

function addText(nodes: Inline[], text: string): void {
  const last = nodes.at(-1)
  if (last?.kind === 'text') nodes[nodes.length - 1] = { kind: 'text', text: last.text + text }
  else if (text !== '') nodes.push({ kind: 'text', text })
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(source) ?? undefined
}

/** Each `[` with its `]`. */
function matchBrackets(source: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>()
  const open: number[] = []
  for (const { 0: sign, index } of source.matchAll(/\\.|[[\]]/gs)) {
    if (sign === '[') open.push(index)
    const start = sign === ']' ? open.pop() : undefined
    if (start !== undefined) pairs.set(start, index)
  }
  return pairs
}

/** Each run of backticks that has another one as long behind it, with the start and end of what they hold. */
function matchTicks(source: string): ReadonlyMap<number, readonly [number, number]> {
  const spans = new Map<number, readonly [number, number]>()
  const next = new Map<number, number>()
  for (const { 0: run, index } of [...source.matchAll(/`+/g)].toReversed()) {
    const close = next.get(run.length)
    if (close !== undefined) spans.set(index, [index + run.length, close])
    next.set(run.length, index)
  }
  return spans
}

/** `(address)` or `(address "title")`; brackets of the address come in pairs. */
function readTarget(source: string, from: number): { readonly address: string; readonly end: number } | undefined {
  if (source[from] !== '(') return undefined
  let [end, open] = [from + 1, 0]
  for (; end < source.length; end++) {
    const sign = source.charAt(end)
    if (sign === ')' && open === 0) break
    if (/[\s[\]]/.test(sign)) break
    open += sign === '(' ? 1 : sign === ')' ? -1 : 0
  }
  const title = matchAt(/\s"[^"[\]]*"/y, source, end)?.[0] ?? ''
  const address = source.slice(from + 1, end).replace(/^<|>$/g, '')
  return source[end + title.length] === ')' ? { address, end: end + title.length + 1 } : undefined
}

/** Without what ends a sentence, and without brackets that were opened before the address. */
function trimAddress(address: string): string {
  let [end, open] = [address.length, 0]
  for (const sign of address) open += sign === '(' ? 1 : sign === ')' ? -1 : 0
  for (; end > 0; end--) {
    const sign = address.charAt(end - 1)
    if (sign === ')' && open < 0) open += 1
    else if (!/[.,;:!?'*_~]/.test(sign)) break
  }
  return address.slice(0, end)
}
