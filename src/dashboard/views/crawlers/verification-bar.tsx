import { toCount } from '../../format.ts'
import type { Verification } from './verification.ts'

const KINDS = ['verified', 'unverifiable', 'spoofed'] as const
const WORDS = { verified: 'Verified', unverifiable: 'Unverifiable', spoofed: 'Spoofed' } as const
const WIDTH = 96
const HEIGHT = 10

/** How a crawler's hits divide by what their addresses say; the numbers stand beside it. */
export function VerificationBar({ told }: { readonly told: Verification }) {
  const all = told.verified + told.unverifiable + told.spoofed
  if (all === 0) return null
  let from = 0
  const label = KINDS.map((kind) => `${WORDS[kind].toLowerCase()} ${toCount(told[kind])}`).join(', ')
  return (
    <svg class="verification" width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      {KINDS.map((kind) => {
        // What is there is seen, however little it is.
        const width = told[kind] === 0 ? 0 : Math.max(2, (told[kind] / all) * WIDTH)
        const x = Math.min(from, WIDTH - width)
        from += width
        return <rect key={kind} class={kind} x={x} width={width} height={HEIGHT} />
      })}
    </svg>
  )
}

/** What the parts of the bars are. */
export function VerificationKey() {
  return (
    <ul class="verification-key">
      {KINDS.map((kind) => (
        <li key={kind}>
          <svg class="verification" width="10" height="10" aria-hidden="true">
            <rect class={kind} width="10" height="10" />
          </svg>{' '}
          {WORDS[kind]}
        </li>
      ))}
    </ul>
  )
}
