import type { Schemas } from '../../../client/client.ts'
import { MARKET_CHARACTERS_MAX, PROMPT_CHARACTERS_MAX } from '../../bounds.ts'
import { toCountOf } from '../../format.ts'
import { CATEGORIES } from '../../names.ts'
import { parseCsv, UnclosedQuote } from './csv.ts'

/** A prompt to be created, and the line of the file or text that it stands on. */
export interface NewPrompt {
  readonly text: string
  readonly category: Schemas['Category']
  readonly market: string | null
  readonly line: number
}

/** What a file or text holds. Faults are sentences; with any of them nothing should be sent. */
export interface ReadPrompts {
  readonly prompts: readonly NewPrompt[]
  readonly faults: readonly string[]
  /** Columns of the file that creating a prompt has no use for. */
  readonly ignored: readonly string[]
}

const USED = new Set(['text', 'category', 'market'])

/** Reads a CSV file with a header that names `text` and `category`, and `market` where there is one. */
export function readPromptsCsv(file: string): ReadPrompts {
  let rows
  try {
    rows = parseCsv(file)
  } catch (error) {
    if (error instanceof UnclosedQuote) return { prompts: [], faults: [error.message], ignored: [] }
    throw error
  }
  const [header, ...lines] = rows
  const columns = (header?.cells ?? []).map((name) => name.trim().toLowerCase())
  const missing = ['text', 'category'].filter((name) => !columns.includes(name))
  if (missing.length > 0) {
    const fault = `The first line must name the columns text and category, and market where there are markets. Missing: ${missing.join(', ')}.`
    return { prompts: [], faults: [fault], ignored: [] }
  }
  const faults: string[] = []
  const prompts = lines.flatMap(({ cells, line }): NewPrompt | [] => {
    if (cells.length !== columns.length) {
      faults.push(`Line ${line} has ${cells.length} fields, the first line ${columns.length}.`)
      return []
    }
    const cell = (name: string): string => cells[columns.indexOf(name)]?.trim() ?? ''
    const category = CATEGORIES.find((known) => known.toLowerCase() === cell('category').toLowerCase())
    if (category === undefined) {
      faults.push(`Line ${line}: the category “${cell('category')}” is none of ${CATEGORIES.join(', ')}.`)
      return []
    }
    return { text: cell('text'), category, market: cell('market') || null, line }
  })
  const checked = check(prompts)
  return {
    prompts: checked.prompts,
    faults: [...faults, ...checked.faults],
    ignored: columns.filter((name) => name !== '' && !USED.has(name)),
  }
}

/** Reads prompts typed one a line, all of one category and market. */
export function readPromptLines(text: string, category: Schemas['Category'], market: string): ReadPrompts {
  const prompts = text
    .split('\n')
    .flatMap((line, index): NewPrompt | [] =>
      line.trim() === '' ? [] : { text: line.trim(), category, market: market.trim() || null, line: index + 1 },
    )
  return { ...check(prompts), ignored: [] }
}

/** Finds what the service would refuse, so that it can be said with the line. */
function check(prompts: readonly NewPrompt[]): Omit<ReadPrompts, 'ignored'> {
  const faults: string[] = []
  const lines = new Map<string, number>()
  const checked = prompts.map((prompt) => ({ ...prompt, text: prompt.text.normalize('NFC').trim() }))
  for (const { text, market, line } of checked) {
    const earlier = lines.get(text)
    if (text === '') faults.push(`Line ${line}: the text is empty.`)
    else if (earlier !== undefined) faults.push(`Line ${line}: the same text stands in line ${earlier}.`)
    if (Array.from(text).length > PROMPT_CHARACTERS_MAX) {
      faults.push(`Line ${line}: the text is longer than ${toCountOf(PROMPT_CHARACTERS_MAX, 'character')}.`)
    }
    if (Array.from(market ?? '').length > MARKET_CHARACTERS_MAX) {
      faults.push(`Line ${line}: the market is longer than ${toCountOf(MARKET_CHARACTERS_MAX, 'character')}.`)
    }
    if (earlier === undefined) lines.set(text, line)
  }
  return { prompts: checked, faults }
}
