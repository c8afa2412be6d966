import { type ComponentChild, h } from 'preact'
import { readBlocks } from './blocks.ts'
import type { BrandMarker } from './brand-names.ts'
import { showHidden } from './hidden-characters.ts'
import { readInlines } from './inlines.ts'
import { spellsOut } from './safe-link.ts'
import type { Block, Inline } from './tree.ts'

/** Headings of an answer stand below those of the page. */
const TOP_LEVEL = 3

/** A wide table is scrolled, with the keyboard too. */
const TABLE_FRAME = { class: 'answer-table', tabIndex: 0, role: 'region', 'aria-label': 'Table' }

/**
 * An answer as nodes: its Markdown, brands marked, and never markup of its own. Only these elements are made: `p`, `h3` to
 * `h6`, `ul`, `ol`, `li`, `blockquote`, `pre`, `hr`, `table` and its parts, `div` around it, `strong`, `em`, `code`, `a`,
 * `mark`, `bdi`.
 */
export function toAnswerNodes(text: string, mark: BrandMarker): readonly ComponentChild[] {
  const levels = { last: TOP_LEVEL - 1 }
  return readBlocks(showHidden(text)).map((block) => toBlockNode(block, mark, levels))
}

/** A line of an answer, of a title or a search: brands marked, nothing else. */
export function toMarkedNodes(text: string, mark: BrandMarker): readonly ComponentChild[] {
  return mark(showHidden(text)).map((piece) =>
    typeof piece === 'string' ? piece : h('mark', { class: piece.isOwn ? 'own' : 'rival' }, piece.name),
  )
}

function toBlockNode(block: Block, mark: BrandMarker, levels: { last: number }): ComponentChild {
  const toRun = (text: string): readonly ComponentChild[] => toInlineNodes(readInlines(text), mark)
  const toBlocks = (blocks: readonly Block[]) => blocks.map((one) => toBlockNode(one, mark, levels))
  switch (block.kind) {
    case 'heading':
      levels.last = Math.min(TOP_LEVEL - 1 + block.level, levels.last + 1, 6)
      return h(`h${levels.last}`, { dir: 'auto' }, toRun(block.text))
    case 'paragraph':
      return h('p', { dir: 'auto' }, toRun(block.text))
    case 'code':
      return h('pre', { dir: 'ltr' }, h('code', null, block.text))
    case 'rule':
      return h('hr', null)
    case 'quote':
      return h('blockquote', { dir: 'auto' }, toBlocks(block.blocks))
    case 'list': {
      const items = block.items.map((item) => h('li', { dir: 'auto' }, toBlocks(item)))
      const dir = toDirection(block.items)
      return block.start === undefined ? h('ul', { dir }, items) : h('ol', { dir, start: block.start }, items)
    }
    case 'table': {
      const head = block.head.map((cell) => h('th', { scope: 'col', dir: 'auto' }, toRun(cell)))
      const rows = block.rows.map((row) =>
        h(
          'tr',
          null,
          block.head.map((_, index) => h('td', { dir: 'auto' }, toRun(row[index] ?? ''))),
        ),
      )
      return h('div', TABLE_FRAME, h('table', null, h('thead', null, h('tr', null, head)), h('tbody', null, rows)))
    }
  }
}

/** Signs of a list stand where its first words begin. `auto` wouldn't see these, which have a direction of their own. */
function toDirection([first]: readonly (readonly Block[])[]): 'ltr' | 'rtl' {
  const [block] = first ?? []
  const [letter = ''] = (block !== undefined && 'text' in block && /\p{L}/u.exec(block.text)) || []
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(letter) ? 'rtl' : 'ltr'
}

function toInlineNodes(inlines: readonly Inline[], mark: BrandMarker): readonly ComponentChild[] {
  return inlines.flatMap((inline): readonly ComponentChild[] => {
    switch (inline.kind) {
      case 'text':
        return toMarkedNodes(inline.text, mark)
      case 'code':
        return [h('code', null, inline.text)]
      case 'strong':
        return [h('strong', null, toInlineNodes(inline.children, mark))]
      case 'emphasis':
        return [h('em', null, toInlineNodes(inline.children, mark))]
      case 'link': {
        const { link, children } = inline
        const attributes = { href: link.href, target: '_blank', rel: 'noopener noreferrer nofollow' }
        const says = children.map((child) => (child.kind === 'text' ? child.text : ' ')).join('')
        // An address in words is no name of a brand, whatever it holds.
        if (spellsOut(says, link)) return [h('bdi', null, h('a', attributes, says))]
        const anchor = h('a', attributes, toInlineNodes(children, mark))
        return [h('bdi', null, anchor, h('bdi', { class: 'host' }, ` (${link.host})`))]
      }
    }
  })
}
