import { CARD_ANSWERS_MIN } from '../../limits.ts'
import { listEngines } from '../../reference/engines.ts'
import { CRAWLER_PROVIDERS, type CrawlerProvider, PROVIDER_OF_ENGINE } from '../engine-crawlers.ts'
import { countOwnAnswers, groupAnswers, listTracked, sumAnswers, toTargets } from '../own-answers.ts'
import type { Rule, SiteView } from '../rule.ts'
import { isSignificantlyHigher } from '../two-proportions.ts'
import type { DayRange } from '../windows.ts'
import { daysTo, listing, ofTotal, toCount } from '../wording.ts'

/** Days with hits of any robot that a log must have: from fewer nothing follows about who never comes. */
const LOGGED_DAYS_MIN = 14

/** Providers whose crawlers never come although their engine is tracked, while those of the others do. */
export const absentCrawlers: Rule = {
  name: 'absent_crawlers',
  category: 'technical',
  effort: 'low',
  targetMetric: 'citation',
  async find(view) {
    const { logWindow, site } = view
    if (logWindow === undefined) return []
    const own = await countOwnAnswers(view, view.window)
    const log = await countDays(view, logWindow)
    if (log.days < LOGGED_DAYS_MIN) return []
    const tracked = [...groupAnswers(listTracked(view, own), ({ platform }) => PROVIDER_OF_ENGINE[platform])].filter(
      ([, counts]) => sumAnswers(counts).answers >= CARD_ANSWERS_MIN,
    )
    return tracked.flatMap(([provider, counts]) => {
      const others = CRAWLER_PROVIDERS.filter((other) => other !== provider)
      const came = { hits: log.daysOf(provider), total: log.days }
      const othersCame = {
        hits: others.reduce((sum, other) => sum + log.daysOf(other), 0),
        total: others.length * log.days,
      }
      if (came.hits > 0 || !isSignificantlyHigher(othersCame, came, tracked.length)) return []
      const { answers, cited } = sumAnswers(counts)
      const targets = toTargets(counts)
      const crawlers = listing(provider.crawlers)
      const othersDays = others.map((other) => `${other.name}'s on ${log.daysOf(other)}`)
      const engines = listing(
        listEngines().flatMap(({ id, name }) => (targets.targetPlatforms.includes(id) ? [name] : [])),
      )
      return [
        {
          target: provider.id,
          title: `Let ${crawlers} in`,
          why: `In ${daysTo(logWindow)}, ${crawlers} came on ${ofTotal(0, log.days, 'day')} in the access log; ${listing(othersDays)}. ${engines} gave ${toCount(answers)} tracked answers and cited ${site.domain} in ${toCount(cited)}.`,
          detail:
            `Look for ${crawlers} in robots.txt, in the rules of the firewall and of the content delivery network, and allow them. ` +
            `Then ask ${engines} about one of your pages and watch the log. Check that the imported log is complete: a proxy may answer crawlers without it.`,
          ...targets,
          targetUrl: `https://${site.domain}/robots.txt`,
          stake: { hits: answers - cited, total: sumAnswers(own).answers },
        },
      ]
    })
  },
}

/** Days on which any robot came, and on which a provider's crawlers for answers did. */
async function countDays(
  { reports }: SiteView,
  range: DayRange,
): Promise<{ days: number; daysOf: (provider: CrawlerProvider) => number }> {
  const rows = await reports.bots(range, {
    timezone: 'UTC',
    group_by: ['date', 'bot_name'],
    metrics: ['hits'],
  })
  return {
    days: new Set(rows.map(({ date }) => date)).size,
    daysOf: ({ crawlers }) =>
      new Set(rows.flatMap(({ date, bot_name = '' }) => (crawlers.includes(bot_name) ? [date] : []))).size,
  }
}
