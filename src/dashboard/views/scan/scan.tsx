import { Refused } from '../../parts/refused.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import type { ViewProps } from '../view-props.ts'
import { LastScan } from './last-scan.tsx'
import { NotSetUp } from './not-set-up.tsx'
import { Runs } from './runs.tsx'
import { Targets } from './targets.tsx'
import { Today } from './today.tsx'
import { useScan } from './use-scan.ts'

/** Whom the service asks, what that costs, and what became of it. */
export function Scan({ site }: ViewProps) {
  const { value, refusal } = useScan(site)
  if (refusal !== undefined) return <Refused refusal={refusal} />
  if (value === undefined) return <Skeleton kind="tiles" />
  if (!value.configured) return <NotSetUp site={site} why={value.why} />
  return (
    <>
      <Today site={site} look={value} />
      <Targets look={value} />
      {value.last !== null && <LastScan last={value.last} isRunning={value.running !== null} />}
      <Runs runs={value.runs} />
    </>
  )
}
