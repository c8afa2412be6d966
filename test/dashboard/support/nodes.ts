import type { ComponentChild } from 'preact'

/** An element as a browser would make it: its name, its attributes, and what it holds. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly children: readonly (Element | string)[]
}

/** Nodes of Preact as elements and texts. Throws for a component, which only a browser can run. */
export function toElements(nodes: ComponentChild | readonly ComponentChild[]): readonly (Element | string)[] {
  const list: readonly ComponentChild[] = Array.isArray(nodes) ? nodes : [nodes]
  return list.flatMap((node): readonly (Element | string)[] => {
    if (node === null || node === undefined || typeof node === 'boolean') return []
    if (Array.isArray(node)) return toElements(node)
    if (typeof node !== 'object') return [String(node)]
    if (!('props' in node) || typeof node.type !== 'string')
      throw new Error('a component, or nothing that Preact knows')
    const { children, ...attributes } = node.props
    return [{ name: node.type, attributes, children: toElements(children as ComponentChild) }]
  })
}

/** Every element, those in others too. */
export function listElements(nodes: readonly (Element | string)[]): readonly Element[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...listElements(node.children)]))
}

/** What is read. */
export function toText(nodes: readonly (Element | string)[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : toText(node.children))).join('')
}

/** As short HTML, for a look: attributes but `class` and `href` left out. */
export function toOutline(nodes: readonly (Element | string)[]): string {
  const shown = (value: unknown, name: string): string => (typeof value === 'string' ? ` ${name}="${value}"` : '')
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node
      const { name, attributes, children } = node
      const more = shown(attributes['class'], 'class') + shown(attributes['href'], 'href')
      return `<${name}${more}>${toOutline(children)}</${name}>`
    })
    .join('')
}
