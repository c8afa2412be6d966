import type { ClusterCount } from './rate.ts'

/** One prompt on one engine, before and after. */
export interface PairedCell {
  /** Names the prompt; cells of one prompt are one cluster. */
  readonly prompt: number | string
  readonly before: ClusterCount
  readonly after: ClusterCount
}

/** How a share changed in cells that have answers on both sides. */
export interface PairedChange {
  /** The share after, each cell with its weight. */
  readonly value: number
  /** The share before, with the same weights. */
  readonly previous: number
  /** `value` − `previous`. */
  readonly change: number
  /** Of `change`, clustered by prompt; null with fewer than two prompts. */
  readonly variance: number | null
  /** Each prompt's part of `change`, which is their sum. */
  readonly parts: readonly number[]
  /** Cells with answers on both sides. */
  readonly cells: number
}

/** How a share changed, like compared with like (docs/methods.md 5); undefined where no cell has answers on both sides. */
export function toPairedChange(cells: readonly PairedCell[]): PairedChange | undefined {
  const common = cells
    .filter(({ before, after }) => before.answers > 0 && after.answers > 0)
    .map(({ prompt, before, after }) => ({
      prompt,
      weight: (before.answers * after.answers) / (before.answers + after.answers),
      previous: before.hits / before.answers,
      value: after.hits / after.answers,
    }))
  if (common.length === 0) return undefined
  const weight = common.reduce((sum, cell) => sum + cell.weight, 0)
  const value = common.reduce((sum, cell) => sum + cell.weight * cell.value, 0) / weight
  const previous = common.reduce((sum, cell) => sum + cell.weight * cell.previous, 0) / weight
  const change = value - previous
  const prompts = [...Map.groupBy(common, ({ prompt }) => prompt).values()]
  const sumOver = (of: typeof common, less: number): number =>
    of.reduce((sum, cell) => sum + cell.weight * (cell.value - cell.previous - less), 0) / weight
  const squares = prompts.reduce((sum, ofPrompt) => sum + sumOver(ofPrompt, change) ** 2, 0)
  const clusters = prompts.length
  return {
    value,
    previous,
    change,
    variance: clusters < 2 ? null : (clusters / (clusters - 1)) * squares,
    parts: prompts.map((ofPrompt) => sumOver(ofPrompt, 0)),
    cells: common.length,
  }
}
