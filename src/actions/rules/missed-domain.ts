import type { Category } from '../../domain/enums.ts'
import { describeCitations, findMissedSources, listCitedSources } from '../missed-sources.ts'
import { toOutreach } from '../outreach.ts'
import { countOwnAnswers, listTracked, sumAnswers, toTargets } from '../own-answers.ts'
import type { Finding, Rule, SiteView } from '../rule.ts'
import { daysTo, toCount, toPageName } from '../wording.ts'

/** A domain with a page in this share of its answers is that page's business (`missed_page`). */
const ONE_PAGE_SHARE = 0.5

/** Third-party domains that are cited often, with many of their pages, in a category where the own site seldom is. */
export const missedDomain: Rule = {
  name: 'missed_domain',
  category: 'outreach',
  effort: 'high',
  targetMetric: 'citation',
  async find(view) {
    const own = await countOwnAnswers(view, view.window)
    const tracked = listTracked(view, own)
    const total = sumAnswers(own).answers
    const missed = await findMissedSources(view, 'domain')
    const findings: Finding[] = []
    for (const source of missed) {
      const { name, kind, categories, cited } = source
      const targets = tracked.filter(({ prompt }) => categories.includes(prompt.category))
      const top = await findTopPage(view, name, categories)
      if (targets.length > 0 && top !== undefined && top.answers < ONE_PAGE_SHARE * cited.hits) {
        findings.push({
          target: name,
          title: `Be present on ${name}`,
          why: `In ${daysTo(view.window)}, pages of ${name} were ${describeCitations(source, view.site.domain)} The one cited most, ${toPageName(top.url)}, is in ${toCount(top.answers)} of them.`,
          detail: toOutreach(kind, { brand: view.site.name, place: name }),
          ...toTargets(targets),
          targetUrl: top.url,
          stake: { hits: cited.hits, total },
        })
      }
    }
    return findings
  },
}

/** The domain's page in most answers of the categories; each answer belongs to one of them. */
async function findTopPage(
  view: SiteView,
  domain: string,
  categories: readonly Category[],
): Promise<{ url: string; answers: number } | undefined> {
  const pages = new Map<string, number>()
  for (const { category, domain: of, page, answers } of await listCitedSources(view)) {
    if (page === null || of !== domain || !categories.includes(category)) continue
    pages.set(page, (pages.get(page) ?? 0) + answers)
  }
  const [top] = [...pages].toSorted(([a, of], [b, over]) => over - of || (a < b ? -1 : 1))
  return top && { url: top[0], answers: top[1] }
}
