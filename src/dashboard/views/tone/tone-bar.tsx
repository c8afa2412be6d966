import type { Schemas } from '../../../client/client.ts'
import { toCount } from '../../format.ts'
import { TONE_NAMES, type Tone } from '../../names.ts'
import { countTone } from '../answers/questions.ts'

const TONES = Object.keys(TONE_NAMES) as readonly Tone[]

/** How the answers that name the own brand divide, those apart that nobody judged. The numbers stand beside it. */
export function ToneBar({ row }: { readonly row: Schemas['SentimentRow'] }) {
  const counts = countTone(row)
  if (row.answers_mentioning === 0) return null
  const label = TONES.map((tone) => `${TONE_NAMES[tone].toLowerCase()} ${toCount(counts[tone])}`).join(', ')
  let from = 0
  return (
    <svg class="tone-bar" width="100%" height="14" role="img" aria-label={label}>
      <title>{label}</title>
      {TONES.map((tone) => {
        const width = (counts[tone] / row.answers_mentioning) * 100
        const x = from
        from += width
        return <rect key={tone} class={`tone-bar-${tone}`} x={`${x}%`} width={`${width}%`} height="14" />
      })}
    </svg>
  )
}

/** What the parts of the bars are. */
export function ToneKey() {
  return (
    <ul class="tone-key quiet">
      {TONES.map((tone) => (
        <li key={tone}>
          <svg class="tone-bar" width="12" height="12" aria-hidden="true">
            <rect class={`tone-bar-${tone}`} width="12" height="12" />
          </svg>
          {TONE_NAMES[tone]}
        </li>
      ))}
    </ul>
  )
}
