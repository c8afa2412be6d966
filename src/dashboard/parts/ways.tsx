import { askCsv, type Question, Refusal, toCurl } from '../api.ts'
import { toRefusalText } from '../refusal-words.ts'
import { saveFile } from '../save-file.ts'
import { copy, toast } from './toast.tsx'

export interface WaysProps {
  /** What the shown numbers were asked with: the first is for CSV, all for curl. Undefined where nothing was asked. */
  readonly questions: readonly (Question | undefined)[]
  /** What is shown; the end of the file's name. */
  readonly title: string
  /** Of the first question's rows those that the page chose itself: the file has these alone. */
  readonly chosen?: readonly { readonly id: string }[] | undefined
}

/** The ways to take shown numbers along; none where nothing was asked. */
export function Ways({ questions, title, chosen }: WaysProps) {
  const asked = questions.filter((question) => question !== undefined)
  const [first] = asked
  if (first === undefined) return null
  return (
    <>
      <SaveCsv question={first} title={title} chosen={chosen} />
      <CopyCurl questions={asked} />
    </>
  )
}

function CopyCurl({ questions }: { readonly questions: readonly Question[] }) {
  const lines = (): string => questions.map((question) => toCurl(question, location.origin)).join('\n')
  return (
    <button type="button" onClick={() => void copy(lines(), 'The command is')}>
      Copy as curl
    </button>
  )
}

interface SaveCsvProps extends Omit<WaysProps, 'questions'> {
  readonly question: Question
}

function SaveCsv({ question, title, chosen }: SaveCsvProps) {
  const save = async (): Promise<void> => {
    try {
      const { csv, name } = await askCsv(question)
      const rows = chosen === undefined ? csv : keepRows(csv, new Set(chosen.map(({ id }) => id)))
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
