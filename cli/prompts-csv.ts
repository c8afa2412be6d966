import { CsvError, parse } from 'csv-parse/sync'
import type { NewPrompt } from '../src/catalog/prompts.ts'
import { CATEGORIES, PROMPT_STATUSES } from '../src/domain/enums.ts'
import { toPromptText } from '../src/domain/prompt.ts'
import { CommandError } from '../src/errors.ts'
import { GIVEN_ID } from '../src/ids.ts'
import { PROMPT_CHARACTERS_MAX, REJECTIONS_LISTED_MAX } from '../src/limits.ts'
import { countOf } from './format.ts'

/**
 * Prompts of a CSV file with a header (`prompts import`, contract/imports 1.4), parted by commas, semicolons or tabs: `text` and `category` required, `market`, `id`,
 * `status` optional, other columns ignored. Every fault is named with its line in one CommandError.
 */
export function parsePrompts(text: string, file: string): readonly NewPrompt[] {
  const [header, ...rows] = readRows(text, file)
  const columns = (header?.cells ?? []).map((name) => name.trim().toLowerCase())
  checkHeader(columns, file)
  const faults: string[] = []
  const seen = new Set<string>()
  const prompts = rows.flatMap(({ cells, line }): NewPrompt | [] => {
    const fault = (message: string): void => void faults.push(`line ${line}: ${message}`)
    if (cells.length === columns.length) {
      return readPrompt(Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ''])), seen, fault)
    }
    fault(`it has ${cells.length} fields, the header ${columns.length}`)
    return []
  })
  if (faults.length > 0) throw toError(file, faults)
  return prompts
}

/** `seen` gathers the texts and ids of the file, each of which may stand there once. */
function readPrompt(
  row: Readonly<Record<string, string>>,
  seen: Set<string>,
  fault: (message: string) => void,
): NewPrompt {
  const cell = (name: string): string => row[name]?.trim() ?? ''
  const once = (name: string, value: string): void => {
    if (value === '') return
    if (seen.has(`${name} ${value}`)) fault(`the ${name} "${value}" stands in an earlier line too`)
    seen.add(`${name} ${value}`)
  }
  const oneOf = <T extends string>(name: string, value: string, options: readonly T[]): T | undefined => {
    const found = options.find((option) => option === value)
    if (found === undefined) fault(`the ${name} "${value}" is none of ${options.join(', ')}`)
    return found
  }
  const text = toPromptText(cell('text'))
  if (text === '') fault('the text is empty')
  if (Array.from(text).length > PROMPT_CHARACTERS_MAX)
    fault(`the text is longer than ${PROMPT_CHARACTERS_MAX} characters`)
  once('text', text)
  const id = cell('id')
  if (id !== '' && !GIVEN_ID.test(id)) fault(`the id "${id}" is not 1 to 64 of A-Z a-z 0-9 . _ -`)
  once('id', id)
  return {
    text,
    category: oneOf('category', cell('category'), CATEGORIES) ?? 'Discovery',
    market: cell('market') || null,
    id: id || undefined,
    status: oneOf('status', cell('status') || 'active', PROMPT_STATUSES),
  }
}

interface Row {
  readonly cells: readonly string[]
  /** Line on which the row ends, from 1. */
  readonly line: number
}

function readRows(text: string, file: string): readonly Row[] {
  try {
    const rows = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      delimiter: findDelimiter(text),
    })
    return (rows as unknown as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      cells: record,
      line: info.lines,
    }))
  } catch (cause) {
    if (cause instanceof CsvError) throw toError(file, [describeFault(cause)], { cause })
    throw cause
  }
}

function describeFault({ code, message }: CsvError): string {
  const line = /\bline (\d+)/.exec(message)?.[1] ?? '?'
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return `a quotation mark opens a field that no other closes before line ${line}, the end`
  if (code === 'INVALID_OPENING_QUOTE' || code === 'CSV_INVALID_CLOSING_QUOTE') {
    return `line ${line}: a quotation mark stands inside a field; put the field between quotation marks and double those in it`
  }
  return message
}

/** What parts the names of the header: spreadsheets write semicolons where the comma parts decimals, or tabs. */
function findDelimiter(text: string): string {
  const header = /[^\r\n]+/.exec(text)?.[0] ?? ''
  const count = (delimiter: string): number => header.split(delimiter).length
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}

const DELIMITERS = [',', ';', '\t'] as const

function checkHeader(columns: readonly string[], file: string): void {
  const missing = ['text', 'category'].filter((name) => !columns.includes(name))
  if (missing.length > 0) {
    throw new CommandError(
      `${file}: the first line must name the columns text,category,market,id,status, parted by commas, semicolons or tabs; ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing. Nothing was imported.`,
    )
  }
  const repeated = columns.find((name, index) => columns.indexOf(name) !== index)
  if (repeated !== undefined)
    throw new CommandError(`${file}: the column ${repeated} stands twice. Nothing was imported.`)
}

function toError(file: string, faults: readonly string[], options: { cause?: unknown } = {}): CommandError {
  const shown = faults.slice(0, REJECTIONS_LISTED_MAX)
  const rest = faults.length > shown.length ? [`and ${faults.length - shown.length} more`] : []
  return new CommandError(`${file} has ${countOf(faults.length, 'fault')}; nothing was imported.`, {
    faults: [...shown, ...rest],
    ...options,
  })
}
