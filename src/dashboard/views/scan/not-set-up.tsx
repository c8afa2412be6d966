import type { Schemas } from '../../../client/client.ts'
import { MethodLink } from '../../methods/method-link.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { copy } from '../../parts/toast.tsx'

const SCAN_JSON = `{
  "targets": ["chatgpt=openai", "perplexity=perplexity"],
  "budget": { "usd_day": 3, "usd_month": 60 }
}`

interface NotSetUpProps {
  readonly site: Schemas['Site']
  /** What is missing or wrong, in the service's words. */
  readonly why: string
}

/** What a scan is, and what to put where so that there is one. */
export function NotSetUp({ site, why }: NotSetUpProps) {
  return (
    <Empty kind="not_connected" title="No engine is asked from here">
      <p class="lines">{why}</p>
      <p>
        A scan asks engines the prompts of this site, from your own accounts with their providers and within a budget,
        and adds the answers to the reports. Answers that you import count without it.
      </p>
      <ol class="steps">
        <li>
          Say whom to ask, and for how much at most, in a file <code>scan.json</code> in the data directory of the
          service:
          <pre>{SCAN_JSON}</pre>
          <Button onClick={() => void copy(SCAN_JSON, 'The file is')}>Copy scan.json</Button>
        </li>
        <li>
          Give the service the provider’s key for each target in its environment, here{' '}
          <code>ANSWERLAKE_SECRET_OPENAI</code> and <code>ANSWERLAKE_SECRET_PERPLEXITY</code>, and start it again.
        </li>
        <li>
          Look at what it would cost, here or by <code>answerlake scan plan --site {site.domain}</code>. Nothing is
          asked until an owner begins a scan, or a schedule does.
        </li>
      </ol>
      <p>
        Targets, prices and schedules: <code>docs/collecting.md</code>, which comes with the program.{' '}
        <MethodLink method="scan" />
      </p>
    </Empty>
  )
}
