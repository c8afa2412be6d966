import type { Schemas } from '../../../client/client.ts'
import { countDays } from '../../days.ts'
import { toCount, toCountOf, toDays, toMinute, toPercent } from '../../format.ts'
import { numberColumn } from '../../parts/columns.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { CountTile, Tile, TilesPart, type TilesPartProps } from '../../parts/tile.tsx'
import { usePage, useRows } from '../../use-reply.ts'
import type { ViewProps } from '../view-props.ts'
import { useHasLog } from '../logs/heard-days.ts'
import { LogChips } from '../logs/log-chips.tsx'
import { NoLog } from '../logs/no-log.tsx'
import { NoneCounted } from '../logs/none-counted.tsx'
import { PagesPanel, PageTypes } from '../logs/page-panels.tsx'
import { BotTable } from './bot-table.tsx'
import { CrawledErrors } from './crawled-errors.tsx'
import { HitsByDay } from './hits-by-day.tsx'
import { CRAWLER_FILTERS, toQuestions } from './questions.ts'
import { listVerifications, toVerification, type Verification } from './verification.ts'

type Row = Schemas['BotRow']
const method = 'crawlers'

/** Which AI crawlers come, whether they are who they say, and what they find. */
export function Crawlers(props: ViewProps) {
  const hasLog = useHasLog(props.site)
  if (hasLog === undefined) return <Skeleton kind="tiles" />
  return hasLog ? <ConnectedCrawlers {...props} /> : <NoLog site={props.site} />
}

function ConnectedCrawlers(props: ViewProps) {
  const { state, site, range, compared } = props
  const questions = toQuestions(props)
  const total = usePage(questions.total)
  const before = compared && toQuestions({ ...props, range: compared }).total
  const previous = usePage(before)
  const byBot = useRows(questions.byBot)
  const verified = useRows(questions.verified)
  const others = useRows(questions.others)
  const [all] = total.value?.rows ?? []
  const verifications =
    byBot.value && verified.value && others.value
      ? listVerifications({ shown: byBot.value, verified: verified.value, others: others.value })
      : undefined
  if (total.value !== undefined && all === undefined && verifications?.size === 0) {
    return (
      <NoneCounted
        {...{ state, range }}
        fields={CRAWLER_FILTERS}
        title="No crawler came in these days"
        what="hit of a known robot"
      />
    )
  }
  return (
    <>
      <LogChips state={state} fields={CRAWLER_FILTERS} />
      <Shown of={[total, previous, byBot, verified, others]} skeleton="tiles">
        {() => (
          <InNumbers
            {...{ range, compared, all }}
            questions={[questions.total, before, questions.byBot, questions.verified, questions.others]}
            crawlers={byBot.value?.length ?? 0}
            before={previous.value?.rows[0]?.hits ?? 0}
            told={toVerification(sumHits(byBot.value, verified.value, others.value))}
          />
        )}
      </Shown>
      <HitsByDay state={state} site={site} range={range} question={questions.byDay} />
      <BotTable
        questions={[questions.byBot, questions.verified, questions.others]}
        loading={[byBot, verified, others]}
        rows={byBot.value ?? []}
        verifications={verifications ?? new Map()}
      />
      <div class="columns">
        <PageTypes
          method={method}
          question={questions.byPageType}
          metric="hits"
          counted="Hits"
          sentence="Hits on"
          count={({ hits = 0 }) => hits}
          basis={({ pages = 0, error_hits = 0 }) => `${toCountOf(pages, 'page')}, ${toCountOf(error_hits, 'error')}`}
        />
        <CrawledErrors question={questions.errors} />
      </div>
      <PagesPanel<Row>
        {...{ state, method }}
        question={questions.paths}
        title="Pages"
        most="hits"
        sentence="that crawlers asked for"
        caption="Pages with the hits of crawlers"
        counts={[
          numberColumn('Hits', 'hits', ({ hits = 0 }) => hits),
          numberColumn('Errors', 'error_hits', ({ error_hits = 0 }) => error_hits),
        ]}
      />
    </>
  )
}

interface InNumbersProps extends Pick<ViewProps, 'range' | 'compared'>, Pick<TilesPartProps, 'questions'> {
  /** Undefined where spoofed hits alone are left. */
  readonly all: Row | undefined
  readonly crawlers: number
  /** Hits in the days that are compared with. */
  readonly before: number
  readonly told: Verification
}

function InNumbers({ range, compared, questions, all, crawlers, before, told }: InNumbersProps) {
  const { hits = 0, pages = 0, verified_share, error_hits = 0, last_visit } = all ?? {}
  // Without any list of addresses nothing can be told, which isn't 0 %.
  const isUnverifiable = told.verified + told.spoofed === 0
  return (
    <TilesPart title="Crawlers in numbers" questions={questions} method={method}>
      <CountTile
        title="Crawler hits"
        metric="hits"
        count={hits}
        sentence={`of ${toCountOf(crawlers, 'crawler')} in ${toCountOf(countDays(range), 'day')}`}
        change={compared && `${toCount(before)} in ${toDays(compared.start_date, compared.end_date)}`}
      />
      <Tile
        title="Verified"
        value={verified_share === undefined || isUnverifiable ? '–' : toPercent(verified_share)}
        metric="verified_share"
        exact={verified_share ?? null}
        sentence={describeVerification(told, hits)}
      />
      <CountTile
        title="Errors"
        metric="error_hits"
        count={error_hits}
        sentence={`of ${toCountOf(hits, 'hit')} were answered with 4xx or 5xx`}
      />
      <CountTile
        title="Pages"
        metric="pages"
        count={pages}
        sentence={`different paths were asked for${last_visit === undefined ? '' : `, the last ${toMinute(last_visit)}`}`}
      />
    </TilesPart>
  )
}

function describeVerification({ verified, unverifiable, spoofed }: Verification, hits: number): string {
  if (verified + spoofed === 0) {
    return `None of ${toCountOf(hits, 'hit')} can be verified: there is no list of the providers’ addresses for them. answerlake bots update loads the lists.`
  }
  return (
    `${toCount(verified)} of ${toCountOf(hits, 'hit')} come from the provider’s own addresses, ${toCount(unverifiable)} can’t be told. ` +
    `${toCountOf(spoofed, 'spoofed hit')} left out.`
  )
}

type Rows = readonly Row[] | undefined

function sumHits(shown: Rows, verified: Rows, others: Rows) {
  const sum = (rows: Rows): number => (rows ?? []).reduce((total, { hits = 0 }) => total + hits, 0)
  return { shown: sum(shown), verified: sum(verified), others: sum(others) }
}
