import { CsvError, parse } from 'csv-parse/sync'
import type { NewPrompt } from '../src/catalog/prompts.ts'
import { CATEGORIES, PROMPT_STATUSES } from '../src/domain/enums.ts'
import { toPromptText } from '../src/domain/prompt.ts'
import { CommandError } from '../src/errors.ts'
import { GIVEN_ID } from '../src/ids.ts'
import { PROMPT_CHARACTERS_MAX, REJECTIONS_LISTED_MAX } from '../src/limits.ts'

/**
 * Prompts of a CSV file with a header (formats.md 1, `prompts import`): `text` and `category` required, `market`, `id`,
 * `status` optional, other columns ignored. Every fault is named with its line in one CommandError.
 */
export function parsePrompts(text: string, file: string): readonly NewPrompt[] {
  const [header, ...rows] = readRows(text, file)
  const columns = (header?.cells ?? []).map((name) => name.trim().toLowerCase())
  checkHeader(columns, file)
  const faults: string[] = []
  const ids = new Set<string>()
  const texts = new Set<string>()
  const prompts = rows.map(({ cells, line }): NewPrompt => {
    const cell = (name: string): string => cells[columns.indexOf(name)]?.trim() ?? ''
    const fault = (message: string): void => void faults.push(`line ${line}: ${message}`)
    const prompt = toPromptText(cell('text'))
    if (cells.length !== columns.length) fault(`${cells.length} fields instead of ${columns.length}`)
    else if (prompt === '') fault('text is empty')
    if (prompt.length > PROMPT_CHARACTERS_MAX) fault(`text is longer than ${PROMPT_CHARACTERS_MAX} characters`)
    if (prompt !== '' && texts.has(prompt)) fault(`the text "${prompt}" stands in an earlier line too`)
    const id = cell('id')
    if (id !== '' && !GIVEN_ID.test(id)) fault(`the id "${id}" is not 1 to 64 of A-Z a-z 0-9 . _ -`)
    if (id !== '' && ids.has(id)) fault(`the id "${id}" stands in an earlier line too`)
    const category = CATEGORIES.find((name) => name === cell('category'))
    if (category === undefined) fault(`the category "${cell('category')}" is none of ${CATEGORIES.join(', ')}`)
    const status = PROMPT_STATUSES.find((name) => name === (cell('status') || 'active'))
    if (status === undefined) fault(`the status "${cell('status')}" is none of ${PROMPT_STATUSES.join(', ')}`)
    texts.add(prompt)
    ids.add(id)
    return {
      text: prompt,
      category: category ?? 'Discovery',
      market: cell('market') || null,
      id: id || undefined,
      status,
    }
  })
  if (faults.length > 0) throw new CommandError(describe(file, faults))
  return prompts
}

interface Row {
  readonly cells: readonly string[]
  /** Line on which the row ends, from 1. */
  readonly line: number
}

function readRows(text: string, file: string): readonly Row[] {
  try {
    const rows = parse(text, { bom: true, info: true, relax_column_count: true, skip_empty_lines: true })
    return (rows as unknown as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      cells: record,
      line: info.lines,
    }))
  } catch (cause) {
    if (cause instanceof CsvError) throw new CommandError(describe(file, [cause.message]), { cause })
    throw cause
  }
}

function checkHeader(columns: readonly string[], file: string): void {
  const missing = ['text', 'category'].filter((name) => !columns.includes(name))
  if (missing.length > 0) {
    throw new CommandError(
      `${file}: the first line must name the columns text,category,market,id,status; ${missing.join(' and ')} is missing. Nothing was imported.`,
    )
  }
  const repeated = columns.find((name, index) => columns.indexOf(name) !== index)
  if (repeated !== undefined)
    throw new CommandError(`${file}: the column ${repeated} stands twice. Nothing was imported.`)
}

function describe(file: string, faults: readonly string[]): string {
  const shown = faults.slice(0, REJECTIONS_LISTED_MAX)
  const rest = faults.length > shown.length ? [`and ${faults.length - shown.length} more`] : []
  return [`${file} has ${faults.length} faults; nothing was imported.`, ...shown, ...rest].join('\n  ')
}
