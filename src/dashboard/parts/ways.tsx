import { askCsv, type Question, Refusal, toCurl } from '../api.ts'
import { toRefusalText } from '../refusal-words.ts'
import { saveFile } from '../save-file.ts'
import { copy, toast } from './toast.tsx'

/** Copies questions as lines for a shell. */
export function CopyCurl({ questions }: { readonly questions: readonly Question[] }) {
  const lines = (): string => questions.map((question) => toCurl(question, location.origin)).join('\n')
  return (
    <button type="button" onClick={() => void copy(lines(), 'The command is')}>
      Copy as curl
    </button>
  )
}

export interface SaveCsvProps {
  readonly question: Question
  /** What the rows are shown as; the end of the file's name. */
  readonly title: string
  /** The first columns of the rows that belong here; undefined for all. */
  readonly chosenIds?: ReadonlySet<string> | undefined
}

/** Saves all rows that a question gives as a file. */
export function SaveCsv({ question, title, chosenIds }: SaveCsvProps) {
  const save = async (): Promise<void> => {
    try {
      const { csv, name } = await askCsv(question)
      const rows = chosenIds === undefined ? csv : keepRows(csv, chosenIds)
      saveFile(new Blob([rows], { type: 'text/csv' }), name.replace(/(?=\.csv$)/, `-${toFilePart(title)}`))
    } catch (error) {
      if (error instanceof Refusal) return toast(toRefusalText(error))
      reportError(error)
      toast('The file broke off before its end. Try again.')
    }
  }
  return (
    <button type="button" onClick={() => void save()}>
      CSV
    </button>
  )
}

/** The header of a CSV of the service, and those of its rows whose first column is one of these ids. */
export function keepRows(csv: string, ids: ReadonlySet<string>): string {
  let kept = ''
  let begun = 0
  let isQuoted = false
  for (let at = 0; at < csv.length; at++) {
    if (csv[at] === '"') isQuoted = !isQuoted
    if (csv[at] !== '\n' || isQuoted) continue
    const row = csv.slice(begun, at + 1)
    if (begun === 0 || ids.has(row.slice(0, row.indexOf(',')))) kept += row
    begun = at + 1
  }
  return kept
}

/** `Is acme.com cited?` is `is-acme-com-cited`. */
const toFilePart = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60)
