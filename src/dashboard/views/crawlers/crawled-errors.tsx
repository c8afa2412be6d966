import type { Schemas } from '../../../client/client.ts'
import type { Question } from '../../api.ts'
import { toCount, toCountOf } from '../../format.ts'
import { changeUrl } from '../../navigation.ts'
import { Bars } from '../../parts/bars.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { usePage } from '../../use-reply.ts'

interface CrawledErrorsProps {
  readonly question: Question<Schemas['BotRow']>
}

/** Where crawlers meet errors most. */
export function CrawledErrors({ question }: CrawledErrorsProps) {
  const page = usePage(question)
  const rows = (page.value?.rows ?? []).filter(({ error_hits = 0 }) => error_hits > 0)
  return (
    <Panel
      title="Errors"
      sentence={
        rows.length > 0 &&
        `The ${rows.length > 1 ? `${toCount(rows.length)} pages` : 'page'} on which crawlers met most errors (4xx or 5xx); the CSV has every page.`
      }
      questions={[question]}
      method="crawlers"
      loading={[page]}
    >
      {rows.length === 0 ? (
        <Empty kind="none" title="No crawler met an error" />
      ) : (
        <Bars
          caption="Error hits by page"
          metric="error_hits"
          format={toCount}
          bars={rows.map(({ path = '', error_hits = 0, hits = 0 }) => ({
            key: path,
            label: <span class="path">{path}</span>,
            value: error_hits,
            basis: `of ${toCountOf(hits, 'hit')}`,
            to: () => changeUrl({ more: { path } }),
          }))}
        />
      )}
    </Panel>
  )
}
