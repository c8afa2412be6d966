import type { Output } from './io.ts'

/** Columns of a terminal within sensible bounds; undefined for pipes and files, which have no width. */
export function widthOf({ isTTY, columns }: Output): number | undefined {
  return isTTY === true ? Math.min(Math.max(columns || COLUMNS_DEFAULT, COLUMNS_MIN), COLUMNS_MAX) : undefined
}

const COLUMNS_DEFAULT = 80
const COLUMNS_MIN = 60
const COLUMNS_MAX = 200

/** The text in lines of at most `width` columns, broken at spaces; a longer word has a line of its own. */
export function wrap(text: string, width: number, measure = (line: string) => line.length): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.match(/ *[^ ]+/g) ?? []) {
    if (line !== '' && measure(line + word) > width) {
      lines.push(line)
      line = word.trimStart()
    } else line += word
  }
  return [...lines, line]
}
