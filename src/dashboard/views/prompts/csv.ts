/** A line of a CSV file; `line` is where it ends, from 1. */
export interface CsvRow {
  readonly cells: readonly string[]
  readonly line: number
}

/** A CSV file that breaks off inside a quoted field. */
export class UnclosedQuote extends Error {
  constructor(line: number) {
    super(`Line ${line} opens a quotation mark that no other closes.`)
  }
}

const DELIMITERS = [',', ';', '\t'] as const

/**
 * Reads CSV as spreadsheets write it (RFC 4180): parted by commas, semicolons or tabs, whichever the first line has most
 * of; fields in quotation marks may hold delimiters, line breaks and doubled quotation marks. Empty lines are passed over.
 * Throws UnclosedQuote.
 */
export function parseCsv(file: string): CsvRow[] {
  const text = file.replace(/^\uFEFF/, '')
  const delimiter = findDelimiter(text)
  const rows: CsvRow[] = []
  let cells: string[] = []
  let cell = ''
  let line = 1
  /** The line on which the quoted field began that is being read. */
  let quotedFrom: number | undefined
  const endRow = (): void => {
    cells.push(cell)
    if (cells.some((one) => one.trim() !== '')) rows.push({ cells, line })
    cells = []
    cell = ''
  }
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? ''
    if (quotedFrom !== undefined) {
      if (character === '\n') line += 1
      if (character !== '"') cell += character
      else if (text[index + 1] === '"') cell += text[(index += 1)]
      else quotedFrom = undefined
    } else if (character === '"' && cell.trim() === '') {
      cell = ''
      quotedFrom = line
    } else if (character === delimiter) {
      cells.push(cell)
      cell = ''
    } else if (character === '\n' || (character === '\r' && text[index + 1] !== '\n')) {
      endRow()
      line += 1
    } else if (character !== '\r') {
      cell += character
    }
  }
  if (quotedFrom !== undefined) throw new UnclosedQuote(quotedFrom)
  if (cell !== '' || cells.length > 0) endRow()
  return rows
}

function findDelimiter(text: string): string {
  const header = /[^\r\n]+/.exec(text)?.[0] ?? ''
  const count = (delimiter: string): number => header.split(delimiter).length
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}
