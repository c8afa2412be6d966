import { showHidden } from '../../answer-text/hidden-characters.ts'
import { toCount, toDays, toInterval, toPercent } from '../../format.ts'
import { MEANINGS, toMeasured, toRequested } from '../../metrics.ts'
import { Panel } from '../../parts/panel.tsx'
import { CountTile, Tile, Tiles } from '../../parts/tile.tsx'
import { Verdict } from '../../parts/verdict.tsx'
import { toAbout, toChanges, toReport } from '../../report-questions.ts'
import { toUrl, withChange } from '../../url-state.ts'
import { usePage } from '../../use-reply.ts'
import type { ViewProps } from '../view-props.ts'
import { toSourcesQuestion } from './questions.ts'
import { readChoices } from './choices.ts'

/** How often the own site is cited, and how many sources there are beside it. */
export function OwnCitations(props: ViewProps) {
  const { state, site, compared } = props
  const rate = toReport('visibility', { ...toAbout(props), metrics: toRequested(['citation_rate']) })
  const changes = toChanges(props, { metric: 'citation_rate' })
  const measured = usePage(rate)
  const changed = usePage(changes)
  const plain = readChoices({ ...state, more: {} })
  const ofDomains = toCounted(toSourcesQuestion(props, { ...plain, entity: 'domain' }))
  const ofPages = toCounted(toSourcesQuestion(props, { ...plain, entity: 'page' }))
  const domains = usePage(ofDomains)
  const pages = usePage(ofPages)
  const [row] = measured.value?.rows ?? []
  const [moved] = changed.value?.rows ?? []
  const { value, low, high, count = 0, of } = row === undefined ? NOTHING : toMeasured(row, 'citation_rate')
  const interval = low === null || high === null ? '' : `, ${toInterval(low, high)}`
  return (
    <Panel
      title={`Is ${showHidden(site.domain)} cited?`}
      method="citation-rate"
      questions={[rate, changes, ofDomains, ofPages]}
      loading={[measured, changed, domains, pages]}
      skeleton="tiles"
    >
      <Tiles>
        <Tile
          title={MEANINGS.citation_rate.title}
          value={value === null ? '–' : toPercent(value)}
          metric="citation_rate"
          exact={value}
          sentence={
            value === null
              ? 'no answers in these days'
              : `${MEANINGS.citation_rate.sentence(toCount(count), of)}${interval}`
          }
          change={
            moved &&
            compared && (
              <>
                <Verdict change={moved} /> against {toDays(compared.start_date, compared.end_date)}
              </>
            )
          }
          href={toUrl(withChange(state, { more: { owner: 'own', entity: 'page' } }))}
        />
        <Counted title="Domains" sentence="different domains are cited" total={domains.value?.info['total_results']} />
        <Counted title="Pages" sentence="different pages are cited" total={pages.value?.info['total_results']} />
      </Tiles>
    </Panel>
  )
}

/** Only how many there are is of interest. */
const toCounted = (question: CitationsQuestion): CitationsQuestion => ({
  ...question,
  body: { ...question.body, limit: 1 },
})
type CitationsQuestion = ReturnType<typeof toSourcesQuestion>

const NOTHING = { value: null, low: null, high: null, count: 0, of: 0 }

interface CountedProps {
  readonly title: string
  readonly sentence: string
  readonly total: unknown
}

function Counted({ title, sentence, total }: CountedProps) {
  const count = typeof total === 'number' ? total : 0
  return <CountTile title={title} metric="total_results" count={count} sentence={sentence} />
}
