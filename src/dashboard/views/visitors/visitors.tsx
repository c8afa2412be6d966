import type { Schemas } from '../../../client/client.ts'
import type { Question } from '../../api.ts'
import { countDays } from '../../days.ts'
import { toCount, toCountOf, toDays, toMinute } from '../../format.ts'
import { changeUrl } from '../../navigation.ts'
import { Bars } from '../../parts/bars.tsx'
import { numberColumn } from '../../parts/columns.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { CountTile, Tile, TilesPart, type TilesPartProps } from '../../parts/tile.tsx'
import { type Loading, usePage, useRows } from '../../use-reply.ts'
import type { ViewProps } from '../view-props.ts'
import { CountsByDay } from '../logs/counts-by-day.tsx'
import { useHasLog } from '../logs/heard-days.ts'
import { LogChips } from '../logs/log-chips.tsx'
import { NoLog } from '../logs/no-log.tsx'
import { NoneCounted } from '../logs/none-counted.tsx'
import { PagesPanel, PageTypes } from '../logs/page-panels.tsx'
import { toQuestions, VISITOR_FILTERS } from './questions.ts'
import { toSourceName } from './source-names.ts'
import { VisitsByHour } from './visits-by-hour.tsx'

type Row = Schemas['ReferralRow']
const method = 'visitors'

/** Who comes from answer engines, where they land, and when. */
export function Visitors(props: ViewProps) {
  const hasLog = useHasLog(props.site)
  if (hasLog === undefined) return <Skeleton kind="tiles" />
  return hasLog ? <ConnectedVisitors {...props} /> : <NoLog site={props.site} />
}

function ConnectedVisitors(props: ViewProps) {
  const { state, site, range, compared } = props
  const questions = toQuestions(props)
  const total = usePage(questions.total)
  const before = compared && toQuestions({ ...props, range: compared }).total
  const previous = usePage(before)
  const bySource = useRows(questions.bySource)
  const [all] = total.value?.rows ?? []
  if (total.value !== undefined && all === undefined) {
    return (
      <NoneCounted
        {...{ state, range }}
        fields={VISITOR_FILTERS}
        title="No visit came from an answer engine"
        what="page view that an answer engine sent"
      />
    )
  }
  return (
    <>
      <LogChips state={state} fields={VISITOR_FILTERS} />
      <Shown of={[total, previous, bySource]} skeleton="tiles">
        {() => (
          <InNumbers
            {...{ range, compared, all }}
            questions={[questions.total, before, questions.bySource]}
            before={previous.value?.rows[0]?.visits ?? 0}
            sources={bySource.value ?? []}
          />
        )}
      </Shown>
      <CountsByDay
        {...{ site, range, method }}
        question={questions.byDay}
        title="Visits by day"
        caption="Visits by day"
        sentence="Page views a UTC day that an answer engine sent."
        metric="visits"
        count={({ visits = 0 }) => visits}
        groupOf={({ referral_source = '' }) => referral_source}
        nameOf={toSourceName}
      />
      <div class="columns">
        <Sources question={questions.bySource} rows={bySource} />
        <PageTypes
          method={method}
          question={questions.byPageType}
          metric="visits"
          counted="Visits"
          sentence="Visits landed on"
          count={({ visits = 0 }) => visits}
          basis={({ landing_pages = 0 }) => toCountOf(landing_pages, 'page')}
        />
      </div>
      <VisitsByHour question={questions.byHour} />
      <PagesPanel<Row>
        {...{ state, method }}
        question={questions.paths}
        title="Landing pages"
        most="visits"
        sentence="on which a visit began"
        caption="Landing pages with their visits"
        counts={[numberColumn('Visits', 'visits', ({ visits = 0 }) => visits)]}
      />
    </>
  )
}

interface InNumbersProps extends Pick<ViewProps, 'range' | 'compared'>, Pick<TilesPartProps, 'questions'> {
  readonly all: Row | undefined
  /** Visits in the days that are compared with. */
  readonly before: number
  readonly sources: readonly Row[]
}

function InNumbers({ range, compared, questions, all, before, sources }: InNumbersProps) {
  const { visits = 0, landing_pages = 0, last_visit } = all ?? {}
  const [first] = sources
  return (
    <TilesPart title="Visits in numbers" questions={questions} method={method}>
      <CountTile
        title="Visits"
        metric="visits"
        count={visits}
        sentence={`page views in ${toCountOf(countDays(range), 'day')} that an answer engine sent`}
        change={compared && `${toCount(before)} in ${toDays(compared.start_date, compared.end_date)}`}
      />
      <Tile
        title="Sources"
        value={toCount(sources.length)}
        sentence={first === undefined ? '' : describeFirst(first, visits)}
      />
      <CountTile
        title="Landing pages"
        metric="landing_pages"
        count={landing_pages}
        sentence={`different paths on which a visit began${last_visit === undefined ? '' : `, the last ${toMinute(last_visit)}`}`}
      />
    </TilesPart>
  )
}

const describeFirst = ({ referral_source = '', visits = 0 }: Row, all: number): string =>
  `sent visits, ${toSourceName(referral_source)} most of them: ${toCount(visits)} of ${toCount(all)}`

interface SourcesProps {
  readonly question: Question<Row>
  readonly rows: Loading<readonly Row[]>
}

function Sources({ question, rows }: SourcesProps) {
  return (
    <Panel
      title="Sources"
      sentence="Visits by the engine that sent them; a click filters by it."
      questions={[question]}
      method={method}
      loading={[rows]}
    >
      <Bars
        caption="Visits by source"
        metric="visits"
        format={toCount}
        bars={(rows.value ?? []).map(({ referral_source: source = '', visits = 0, landing_pages = 0 }) => ({
          key: source,
          label: toSourceName(source),
          value: visits,
          basis: toCountOf(landing_pages, 'page'),
          to: () => changeUrl({ more: { source } }),
        }))}
      />
    </Panel>
  )
}
