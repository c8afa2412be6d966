/** A section of "How this is counted". */
export interface MethodSection {
  readonly anchor: string
  readonly title: string
  /** Markdown. */
  readonly text: string
}

/** Reads `methods.md`, where each section begins with a line `## Title {#anchor}`. */
export function readSections(file: string): readonly MethodSection[] {
  const [, ...sections] = file.split(/^## /m)
  return sections.map((section) => {
    const [, title = '', anchor = '', text = ''] = /^(.*) \{#(.*)\}\n([^]*)$/.exec(section) ?? []
    return { anchor, title, text }
  })
}
