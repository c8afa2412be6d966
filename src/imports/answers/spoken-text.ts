import { type JsonObject, pieceAt } from './json.ts'

/** A blank line at the seam of two pieces. */
const BLANK_LINE = /\n[^\S\n]*\n\s*$/

/**
 * The text of a reply that is split into blocks. Blocks of text are split in the middle of a sentence, so neighbours
 * are joined as they are; where something else stands between them, such as a search, a paragraph ends.
 */
export function joinSpoken(blocks: readonly JsonObject[], isSpoken: (block: JsonObject) => boolean): string {
  let text = ''
  let isApart = false
  for (const block of blocks) {
    const piece = isSpoken(block) ? pieceAt(block, 'text') : undefined
    if (piece === undefined) isApart = text !== ''
    else if (piece !== '') {
      text += isApart && !hasBlankLine(text, piece) ? `\n\n${piece}` : piece
      isApart = false
    }
  }
  return text
}

function hasBlankLine(before: string, after: string): boolean {
  const start = /^\s*/.exec(after.slice(0, SEAM_CHARACTERS))?.[0] ?? ''
  return BLANK_LINE.test(before.slice(-SEAM_CHARACTERS) + start)
}

const SEAM_CHARACTERS = 40
