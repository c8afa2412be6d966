import type { Schemas } from '../../client/client.ts'
import { toPoints } from '../format.ts'

export interface VerdictProps {
  /** A row of the changes report, or as much of one as there is. */
  readonly change: Pick<Schemas['ChangeRow'], 'verdict' | 'change' | 'low' | 'high'>
  /** How a difference is written; of shares by default: `+4.1 points`. */
  readonly format?: (difference: number) => string
  /** Less of something is better, so down is green. */
  readonly isBetterLow?: boolean
}

const WORDS = {
  up: 'up',
  down: 'down',
  no_change: 'no significant change',
  not_enough_data: 'too few prompts to compare',
} as const
const MARKS = { up: '▲', down: '▼', no_change: '=', not_enough_data: '?' } as const

/** Whether a number really moved: a mark, a word, and by how much. The colour says nothing that the words don't. */
export function Verdict({
  change: { verdict, change, low, high },
  format = toPoints,
  isBetterLow = false,
}: VerdictProps) {
  const moved = verdict === 'up' || verdict === 'down'
  const tone = moved ? ((verdict === 'up') === isBetterLow ? 'bad' : 'good') : 'quiet'
  const interval =
    typeof low === 'number' && typeof high === 'number' ? `95 % interval ${format(low)} to ${format(high)}` : ''
  return (
    <span data-verdict={verdict} data-value={change} class={`verdict ${tone}`} title={interval}>
      <span aria-hidden="true">{MARKS[verdict]}</span> {WORDS[verdict]}
      {moved && typeof change === 'number' && ` ${format(change)}`}
    </span>
  )
}
