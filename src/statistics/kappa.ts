import { type Interval, toInterval } from './interval.ts'
import { NORMAL_CRITICAL_VALUE } from './student-t.ts'

/** How far two judges agree beyond chance. */
export interface Kappa {
  /** Cohen's: 1 is full agreement, 0 what chance gives. Null where the rows are of one class, which would always make it 0. */
  readonly kappa: number | null
  /** Null where the examples don't show how far they vary: none is disagreed on, or the columns are of one class. */
  readonly interval: Interval | null
}

/**
 * Cohen's kappa of a table of counts, rows by one judge and columns by the other over the same classes, with the interval by
 * the large-sample variance of Fleiss, Cohen and Everitt (docs/methods.md 22). Cohen 1960, Educational and Psychological
 * Measurement 20, 37-46; Fleiss, Cohen, Everitt 1969, Psychological Bulletin 72, 323-327, formula 13.
 */
export function toKappa(table: readonly (readonly number[])[]): Kappa {
  const classes = table.map((_, no) => no)
  const count = table.flat().reduce((sum, cell) => sum + cell, 0)
  const share = (row: number, column: number): number => (table[row]?.[column] ?? 0) / count
  const rows = classes.map((row) => sum(classes.map((column) => share(row, column))))
  const columns = classes.map((column) => sum(classes.map((row) => share(row, column))))
  const ofRow = (no: number): number => rows[no] ?? 0
  const ofColumn = (no: number): number => columns[no] ?? 0
  const agreed = sum(classes.map((no) => share(no, no)))
  const byChance = sum(classes.map((no) => ofRow(no) * ofColumn(no)))
  if (rows.filter((each) => each > 0).length < 2) return { kappa: null, interval: null }
  const kappa = (agreed - byChance) / (1 - byChance)
  if (agreed === 1 || columns.includes(1)) return { kappa, interval: null }
  const onDiagonal = sum(
    classes.map((no) => share(no, no) * (1 - byChance - (ofColumn(no) + ofRow(no)) * (1 - agreed)) ** 2),
  )
  const beside = sum(
    classes.flatMap((row) =>
      classes
        .filter((column) => column !== row)
        .map((column) => share(row, column) * (ofColumn(row) + ofRow(column)) ** 2),
    ),
  )
  const rest = (agreed * byChance - 2 * byChance + agreed) ** 2
  const variance = (onDiagonal + (1 - agreed) ** 2 * beside - rest) / (count * (1 - byChance) ** 4)
  const halfWidth = NORMAL_CRITICAL_VALUE * Math.sqrt(Math.max(0, variance))
  return { kappa, interval: toInterval(kappa, halfWidth, { low: -1, high: 1 }) }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
