import { describeCitations, findMissedSources } from '../missed-sources.ts'
import { toOutreach } from '../outreach.ts'
import { countOwnAnswers, listTracked, sumAnswers, toTargets } from '../own-answers.ts'
import type { Rule } from '../rule.ts'
import { daysTo, toPageName } from '../wording.ts'

/** Third-party pages that are cited often in a category where the own site seldom is. */
export const missedPage: Rule = {
  name: 'missed_page',
  category: 'outreach',
  effort: 'medium',
  targetMetric: 'citation',
  async find(view) {
    const own = await countOwnAnswers(view, view.window)
    const tracked = listTracked(view, own)
    const total = sumAnswers(own).answers
    return (await findMissedSources(view, 'page')).flatMap((source) => {
      const { name, kind, categories, cited } = source
      const targets = tracked.filter(({ prompt }) => categories.includes(prompt.category))
      if (targets.length === 0) return []
      return [
        {
          target: name,
          title: `Get onto ${toPageName(name)}`,
          why: `In ${daysTo(view.window)}, this page was ${describeCitations(source, view.site.domain)}`,
          detail: toOutreach(kind, { brand: view.site.name, place: toPageName(name) }),
          ...toTargets(targets),
          targetUrl: name,
          stake: { hits: cited.hits, total },
        },
      ]
    })
  },
}
