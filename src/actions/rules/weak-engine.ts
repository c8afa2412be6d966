import type { EngineId } from '../../domain/enums.ts'
import { CARD_ANSWERS_MIN } from '../../limits.ts'
import { listEngines } from '../../reference/engines.ts'
import { countOwnAnswers, groupAnswers, listTracked, sumAnswers, toTargets } from '../own-answers.ts'
import type { Rule, SiteView } from '../rule.ts'
import { isSignificantlyHigher } from '../two-proportions.ts'
import { daysTo, listing, ofTotal, toCount } from '../wording.ts'

/** A mention rate that is not even a tenth lower than elsewhere is no reason to act, however certain. */
const RATIO_MAX = 0.9
const DOMAINS_SHOWN = 3

/** Engines that name the brand in a significantly lower share of their answers than the other engines together. */
export const weakEngine: Rule = {
  name: 'weak_engine',
  category: 'content',
  effort: 'high',
  targetMetric: 'mention',
  async find(view) {
    const own = await countOwnAnswers(view, view.window)
    const all = sumAnswers(own)
    const engines = [...groupAnswers(own, ({ platform }) => platform)]
      .map(([platform, counts]) => ({ platform, counts, ...sumAnswers(counts) }))
      .filter(({ answers }) => answers >= CARD_ANSWERS_MIN)
    const weak = engines.flatMap((engine) => {
      const here = { hits: engine.named, total: engine.answers }
      const elsewhere = { hits: all.named - engine.named, total: all.answers - engine.answers }
      const isFound =
        elsewhere.total >= CARD_ANSWERS_MIN &&
        here.hits / here.total <= RATIO_MAX * (elsewhere.hits / elsewhere.total) &&
        isSignificantlyHigher(elsewhere, here, engines.length)
      const tracked = listTracked(view, engine.counts)
      return isFound && tracked.length > 0 ? [{ platform: engine.platform, tracked, here, elsewhere }] : []
    })
    return Promise.all(
      weak.map(async ({ platform, tracked, here, elsewhere }) => {
        const engine = listEngines().find(({ id }) => id === platform)?.name ?? platform
        const sources = await listSources(view, platform)
        return {
          target: platform,
          title: `Get named by ${engine}`,
          why: `In ${daysTo(view.window)}, ${engine} named ${view.site.name} in ${ofTotal(here.hits, here.total, 'answer')}, the other engines in ${toCount(elsewhere.hits)} of ${toCount(elsewhere.total)}.`,
          detail:
            `Find out where ${engine} takes its answers from and be there. ` +
            (sources.length > 0
              ? `It cites ${listing(sources)} most: get ${view.site.name} onto the pages that it cites there. `
              : '') +
            'Check that its crawler may read your pages, and compare its answers with those of the other engines prompt by prompt.',
          ...toTargets(tracked),
          targetUrl: `https://${view.site.domain}/`,
          stake: { hits: here.total - here.hits, total: all.answers },
        }
      }),
    )
  },
}

/** The third-party domains that the engine cites in most answers. */
async function listSources({ reports, window }: SiteView, platform: EngineId): Promise<readonly string[]> {
  const rows = await reports.citations(
    window,
    {
      entity: 'domain',
      group_by: [],
      metrics: ['answers'],
      filter: {
        and: [
          { field: 'platform', op: 'is', value: platform },
          { field: 'owner', op: 'is', value: 'third_party' },
        ],
      },
    },
    DOMAINS_SHOWN,
  )
  return rows.flatMap(({ domain }) => (domain === undefined ? [] : [domain]))
}
