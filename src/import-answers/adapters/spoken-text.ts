import { type JsonObject, pieceAt } from './json.ts'

/** A blank line at the seam of two pieces. */
const BLANK_LINE = /\n[^\S\n]*\n\s*$/

/**
 * The text of a reply that is split into blocks. Blocks of text are split in the middle of a sentence, so neighbours
 * are joined as they are; where something else stands between them, such as a search, a paragraph ends.
 */
export function joinSpoken(blocks: readonly JsonObject[], isSpoken: (block: JsonObject) => boolean): string {
  const pieces: string[] = []
  let end = ''
  let isApart = false
  for (const block of blocks) {
    const piece = isSpoken(block) ? pieceAt(block, 'text') : undefined
    if (piece === undefined) isApart = pieces.length > 0
    else if (piece !== '') {
      if (isApart && !hasBlankLine(end, piece)) pieces.push('\n\n')
      pieces.push(piece)
      end = (end + piece.slice(-SEAM_CHARACTERS)).slice(-SEAM_CHARACTERS)
      isApart = false
    }
  }
  return pieces.join('')
}

/** Whether a blank line stands where `after` follows a text that ends in `end`. */
function hasBlankLine(end: string, after: string): boolean {
  const start = /^\s*/.exec(after.slice(0, SEAM_CHARACTERS))?.[0] ?? ''
  return BLANK_LINE.test(end + start)
}

const SEAM_CHARACTERS = 40
