import { Empty } from '../../parts/empty.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { forgetReplies } from '../../use-reply.ts'
import type { ViewProps } from '../index.ts'
import { LastScan } from './last-scan.tsx'
import { Runs } from './runs.tsx'
import { Targets } from './targets.tsx'
import { Today } from './today.tsx'
import { useScan } from './use-scan.ts'

const EXAMPLE = `{
  "targets": ["chatgpt=openai", "perplexity=perplexity"],
  "budget": { "usd_day": 3, "usd_month": 60 }
}`

/** Whom the service asks, what that costs, and what became of it. */
export function Scan({ site }: ViewProps) {
  const { value, refusal } = useScan(site)
  if (refusal !== undefined) return <Refused refusal={refusal} />
  if (value === undefined) return <Skeleton kind="tiles" />
  if (!value.configured) {
    return (
      <Empty kind="not_connected" title="No engine is asked from here">
        <p class="lines">{value.why}</p>
        <p>
          answerlake can ask the engines itself, from your own accounts and within a budget. Whom and for how much
          stands in <code>scan.json</code> in the data directory; the keys of the providers are secrets of the machine.
          Answers that you import count without it.
        </p>
        <pre>{EXAMPLE}</pre>
      </Empty>
    )
  }
  return (
    <>
      <Today site={site} look={value} onChange={forgetReplies} />
      <Targets look={value} />
      {value.last !== null && <LastScan last={value.last} isRunning={value.running !== null} />}
      <Runs runs={value.runs} />
    </>
  )
}
