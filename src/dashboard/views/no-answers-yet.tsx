import type { Schemas } from '../../client/client.ts'
import { toViewPath } from '../url-state.ts'
import { Empty } from '../parts/empty.tsx'

/** What stands in a view of answers before the first one was imported: nothing is connected, which is not "none". */
export function NoAnswersYet({ site }: { readonly site: Schemas['Site'] }) {
  return (
    <Empty kind="not_connected" title={`No answers of ${site.domain} are here yet.`}>
      <p>Numbers appear with the first answers of engines. Import those that you have:</p>
      <pre>
        <code>answerlake import answers --site {site.domain} answers.ndjson</code>
      </pre>
      <p>
        Or let answerlake ask the engines itself: <a href={toViewPath(site.domain, 'scan')}>Scan</a> says what that
        needs and costs. Prompts can be added before: <a href={toViewPath(site.domain, 'prompts')}>Prompts</a>.
      </p>
    </Empty>
  )
}
